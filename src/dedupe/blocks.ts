/** Block hashes tell how new a page is among its like: a calendar that changes only its numbers and month names has nothing new to say. */
import type { BlockHashes } from "../records.ts";
import { mix } from "./hash.ts";
import { eachWord } from "./words.ts";

const MOST = 256;
const MOST_THREES = 512;
const FEWEST_WORDS = 3;
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
eachWord(dateWords, (word) => dates.add(word));

const withWord = (hash: number, word: number) => Math.imul(hash ^ word, 0x9e3779b1) ^ (hash >>> 15);

/**
 * Distinct hashes of what a page says, in order of appearance. `raw`: its blocks as they are. `unlinked`: the same without the words of
 * its links and of its URL, whose numbers count. `masked`: the unlinked words of each sentence by threes, with numbers, dates and what the URL says already masked, so that
 * neither another order of sentences nor one other word makes a page new. Blocks of one or two words count as the beginning of the next.
 */
export function blockHashes(blocks: readonly string[], url = "", linkTexts: readonly string[] = []): BlockHashes {
  const linked = new Set<number>();
  for (const text of linkTexts) eachWord(text, (word) => linked.add(word));
  const echoes = new Set<number>();
  eachWord(decoded(url), (word) => echoes.add(word));
  const [raw, unlinked] = [new Blocks(), new Blocks()];
  const masked = new Set<number>();
  const isMasked = (word: number, hasDigit: boolean) => hasDigit || dates.has(word) || echoes.has(word) || linked.has(word);
  for (const block of blocks) {
    eachWord(block, (word, hasDigit) => {
      raw.add(word);
      if (!linked.has(word) && (hasDigit || !echoes.has(word))) unlinked.add(word);
    });
    raw.end(FEWEST_WORDS);
    unlinked.end(FEWEST_WORDS);
    for (const sentence of block.split(SENTENCE_END)) addThrees(masked, sentence, isMasked);
    if (raw.hashes.size >= MOST) break;
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

  end(fewestWords: number): void {
    if (this.#words < fewestWords) return;
    this.hashes.add(mix(this.#hash));
    this.#hash = 0;
    this.#words = 0;
  }
}

/** Looked for only where a row of marks begins: to try each mark of a long row takes the square of its length. */
const SENTENCE_END = /(?<![.!?;:])[.!?;:]+(?=\s|$)/;

/** A row of masked words, however long and with labels between them, counts as one; three of nothing else say nothing. */
function addThrees(threes: Set<number>, sentence: string, isMasked: (word: number, hasDigit: boolean) => boolean): void {
  let [hash, count, own, wasMasked] = [0, 0, 0, false];
  let label: number | undefined;
  const end = () => {
    if (own > 0 && threes.size < MOST_THREES) threes.add(mix(hash));
    [hash, count, own] = [0, 0, 0];
  };
  const add = (word: number) => {
    hash = withWord(hash, word);
    count += 1;
    own += word === MASK ? 0 : 1;
    if (count === 3) end();
  };
  eachWord(sentence, (word, hasDigit) => {
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
    // Escapes that mean nothing are words like any others.
    return url;
  }
}
