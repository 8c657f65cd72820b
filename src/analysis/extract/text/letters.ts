/** Counts words, punctuation, digits and capitals of texts in one pass. */
import { codeUnitsOf, releaseBuffer } from "../../../core/code-units.ts";

export interface LetterCounts {
  /** Estimated for scripts without spaces: one word for two letters. */
  readonly words: number;
  /** Letters of scripts without spaces. */
  readonly unspaced: number;
  readonly commas: number;
  readonly stops: number;
  readonly digits: number;
  readonly capitals: number;
}

/** Classes of ASCII characters. Characters that form words have odd numbers. An apostrophe does not end a word. */
const [OTHER, LOWER_CASE, COMMA, CAPITAL, STOP, DIGIT, APOSTROPHE] = [0, 1, 2, 3, 4, 5, 6];
const charKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[a-z_]/.test(letter)) return LOWER_CASE;
  if (/[A-Z]/.test(letter)) return CAPITAL;
  if (/[0-9]/.test(letter)) return DIGIT;
  if (/[,;]/.test(letter)) return COMMA;
  if (/[.!?]/.test(letter)) return STOP;
  return letter === "'" ? APOSTROPHE : OTHER;
});

/** Processes all texts at once: their codes in one array are read four times as fast as the characters of many strings. */
export function countLetters(texts: readonly string[]): LetterCounts[] {
  const codes = codeUnitsOf(texts.join(""));
  let end = 0;
  const all = texts.map(({ length }) => {
    end += length;
    return countLettersIn(codes, end - length, end);
  });
  releaseBuffer(codes);
  return all;
}

function countLettersIn(codes: Uint16Array, start: number, end: number): LetterCounts {
  let words = 0;
  let unspaced = 0;
  let commas = 0;
  let stops = 0;
  let digits = 0;
  let capitals = 0;
  /** 1 within a word, 0 between words. Used arithmetically to avoid branches, because the ends of words are not predictable. */
  let inWord = 0;
  for (let at = start; at < end; at += 1) {
    const code = codes[at]!;
    if (code < 128) {
      const kind = charKinds[code]!;
      if (kind === APOSTROPHE) continue;
      const isWord = kind & 1;
      words += isWord & ~inWord;
      inWord = isWord;
      if (kind <= LOWER_CASE) continue;
      if (kind === CAPITAL) capitals += 1;
      else if (kind === DIGIT) digits += 1;
      else if (kind === COMMA) commas += 1;
      else stops += 1;
    } else if (isUnspaced(code)) {
      unspaced += 1;
      inWord = 0;
    } else if (code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0x0964 || code === 0x06d4 || code === 0x061f) {
      stops += 1;
      inWord = 0;
    } else if (code === 0x3001 || code === 0xff0c || code === 0x060c) {
      commas += 1;
      inWord = 0;
    } else if (isPunctuation(code)) {
      if (code !== 0x2019) inWord = 0;
    } else {
      words += 1 - inWord;
      inWord = 1;
    }
  }
  return { words: words + wordsOfUnspaced(unspaced), unspaced, commas, stops, digits, capitals };
}

export const wordsOfUnspaced = (letters: number): number => Math.ceil(letters / 2);

/** Han, kana, Thai, Lao, Khmer and Burmese are written without spaces. */
const isUnspaced = (code: number) =>
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0x0e00 && code <= 0x0eff) ||
  (code >= 0x1000 && code <= 0x109f) ||
  (code >= 0x1780 && code <= 0x17ff);

const isPunctuation = (code: number) =>
  (code >= 0x80 && code <= 0xbf) ||
  (code >= 0x2000 && code <= 0x2bff) ||
  (code >= 0x3000 && code <= 0x303f) ||
  (code >= 0xff00 && code <= 0xff0f);
