import { limitMarks } from "../../core/code-units.ts";
import { addToHash, HASH_START } from "./word-table.ts";

/** Longer texts are cut: a link's words come early, and a hostile page must not take more than its share of time. */
const MAX_CHARACTERS = 20_000;
const ACCENTS = /\p{M}+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;
/** Scripts without spaces: each character counts as a word, and a keyword as a phrase. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The words of a text, without case and accents. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  forEachWord(text, {
    plain: (lower, start, end) => words.push(lower.slice(start, end)),
    folded: (word) => words.push(word),
  });
  return words;
}

/** Receives the words of a text in order. */
export interface WordListener {
  /** A word of ASCII letters and digits, as offsets into the text, with its hash. */
  plain(lower: string, start: number, end: number, hash: number): void;
  folded(word: string): void;
}

/** Written as a manual scan: a regular expression over the whole text takes five times as long. */
export function forEachWord(text: string, listener: WordListener): void {
  const lower = (text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text).toLowerCase();
  let start = -1;
  let isPlain = true;
  let hash = HASH_START;
  for (let at = 0; at <= lower.length; at++) {
    const code = at < lower.length ? lower.charCodeAt(at) : 0;
    const isLetter = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    if (isLetter || isNonAsciiLetter(code)) {
      if (start < 0) start = at;
      if (isLetter) hash = addToHash(hash, code);
      else isPlain = false;
    } else if (start >= 0) {
      if (isPlain) listener.plain(lower, start, at, hash);
      else for (const word of folded(lower.slice(start, at))) listener.folded(word);
      start = -1;
      isPlain = true;
      hash = HASH_START;
    }
  }
}

/** Neither ASCII nor general punctuation (dashes, quotes, spaces): classifying it needs Unicode tables. */
const isNonAsciiLetter = (code: number): boolean => code >= 0xc0 && (code < 0x2000 || code > 0x206f);

function folded(piece: string): string[] {
  const plain = limitMarks(piece).normalize("NFKD").replace(ACCENTS, "").replaceAll("ß", "ss").normalize("NFC").toLowerCase();
  return (plain.match(WORDS) ?? []).flatMap((word) => (UNSPACED.test(word) ? splitUnspaced(word) : word));
}

/** Characters of scripts without spaces become single words; the text between them is kept whole. */
function splitUnspaced(word: string): string[] {
  const words: string[] = [];
  let run = "";
  for (const character of word) {
    if (!UNSPACED.test(character)) {
      run += character;
      continue;
    }
    if (run) words.push(run);
    words.push(character);
    run = "";
  }
  return run ? [...words, run] : words;
}
