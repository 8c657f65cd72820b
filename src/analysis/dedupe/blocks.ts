/**
 * Block hashes show how much of a page is new among pages of its template: a calendar whose pages differ only in numbers and month names
 * has nothing new.
 */
import type { BlockHashes } from "../../core/records.ts";
import { mix } from "./hash.ts";
import { forEachWord } from "./words.ts";

const MAX_BLOCKS = 256;
const MAX_TRIGRAMS = 512;
const MIN_WORDS = 3;
const MASK = 0x6d61736b;

const dateWords = `
  january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun today tomorrow yesterday am pm
  januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
  janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes sábado domingo
  gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica
  janeiro fevereiro março maio junho julho setembro outubro novembro dezembro segunda terça quarta quinta sexta
  januari februari maart mei augustus maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
  января февраля марта апреля мая июня июля августа сентября октября ноября декабря понедельник вторник среда четверг пятница суббота воскресенье
`;

const dates = new Set<number>();
forEachWord(dateWords, (word) => dates.add(word));

const withWord = (hash: number, word: number) => Math.imul(hash ^ word, 0x9e3779b1) ^ (hash >>> 15);

/**
 * Distinct hashes of a page's text, in order of appearance. `raw`: its blocks unchanged. `unlinked`: without the words of its links and of
 * its URL; numbers from the URL are kept. `masked`: the unlinked words of each sentence in groups of three, with numbers, dates and words
 * of the URL masked, so that neither another order of sentences nor one other word makes a page new. Blocks of one or two words are joined
 * with the next.
 */
export function blockHashes(blocks: readonly string[], url = "", linkTexts: readonly string[] = []): BlockHashes {
  const linkWords = new Set<number>();
  for (const text of linkTexts) forEachWord(text, (word) => linkWords.add(word));
  const urlWords = new Set<number>();
  forEachWord(decoded(url), (word) => urlWords.add(word));
  const [raw, unlinked] = [new Blocks(), new Blocks()];
  const masked = new Set<number>();
  const isMasked = (word: number, hasDigit: boolean) => hasDigit || dates.has(word) || urlWords.has(word) || linkWords.has(word);
  for (const block of blocks) {
    forEachWord(block, (word, hasDigit) => {
      raw.add(word);
      if (!linkWords.has(word) && (hasDigit || !urlWords.has(word))) unlinked.add(word);
    });
    raw.end(MIN_WORDS);
    unlinked.end(MIN_WORDS);
    for (const sentence of block.split(SENTENCE_END)) addTrigrams(masked, sentence, isMasked);
    if (raw.hashes.size >= MAX_BLOCKS) break;
  }
  raw.end(1);
  unlinked.end(1);
  return { raw: Uint32Array.from(raw.hashes), unlinked: Uint32Array.from(unlinked.hashes), masked: Uint32Array.from(masked) };
}

class Blocks {
  readonly hashes = new Set<number>();
  #hash = 0;
  #words = 0;

  add(word: number): void {
    this.#hash = withWord(this.#hash, word);
    this.#words += 1;
  }

  end(minWords: number): void {
    if (this.#words < minWords) return;
    this.hashes.add(mix(this.#hash));
    this.#hash = 0;
    this.#words = 0;
  }
}

/** Matches only at the start of a run of marks: trying each mark of a long run would take quadratic time. */
const SENTENCE_END = /(?<![.!?;:])[.!?;:]+(?=\s|$)/;

/** A run of masked words counts as one, however long and with labels in between; a group of three masked words is dropped. */
function addTrigrams(trigrams: Set<number>, sentence: string, isMasked: (word: number, hasDigit: boolean) => boolean): void {
  let [hash, count, unmasked, wasMasked] = [0, 0, 0, false];
  let label: number | undefined;
  const end = () => {
    if (unmasked > 0 && trigrams.size < MAX_TRIGRAMS) trigrams.add(mix(hash));
    [hash, count, unmasked] = [0, 0, 0];
  };
  const add = (word: number) => {
    hash = withWord(hash, word);
    count += 1;
    unmasked += word === MASK ? 0 : 1;
    if (count === 3) end();
  };
  forEachWord(sentence, (word, hasDigit) => {
    if (isMasked(word, hasDigit)) {
      label = undefined;
      if (!wasMasked) add(MASK);
      wasMasked = true;
    } else if (wasMasked && label === undefined) label = word;
    else {
      if (label !== undefined) add(label);
      add(word);
      [label, wasMasked] = [undefined, false];
    }
  });
  if (label !== undefined) add(label);
  end();
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    // Invalid escapes are treated as ordinary words.
    return url;
  }
}
