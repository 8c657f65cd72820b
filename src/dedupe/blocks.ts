/** Block hashes tell how new a page is among its like: a calendar that changes only its numbers and month names has nothing new to say. */
import type { BlockHashes } from "../records.ts";
import { mix } from "./hash.ts";
import { eachWord } from "./words.ts";

const MOST = 256;
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
 * Distinct hashes of the blocks in order of appearance, as they are and masked. Blocks of one or two words count as the beginning
 * of the next. Masked, neither numbers and dates nor what the URL says already tell two blocks apart.
 */
export function blockHashes(blocks: readonly string[], url = ""): BlockHashes {
  const echoes = new Set<number>();
  eachWord(url, (word) => echoes.add(word));
  const raw = new Set<number>();
  const masked = new Set<number>();
  let [hash, maskedHash, words, wasMasked] = [0, 0, 0, false];
  const keep = () => {
    raw.add(mix(hash));
    masked.add(mix(maskedHash));
    [hash, maskedHash, words, wasMasked] = [0, 0, 0, false];
  };
  for (const block of blocks) {
    words += eachWord(block, (word, hasDigit) => {
      hash = withWord(hash, word);
      const isMasked = hasDigit || dates.has(word) || echoes.has(word);
      // One filter, two or five: their names are a row of masks that counts as one.
      if (!isMasked || !wasMasked) maskedHash = withWord(maskedHash, isMasked ? MASK : word);
      wasMasked = isMasked;
    });
    if (words >= FEWEST_WORDS) keep();
    if (raw.size >= MOST) break;
  }
  if (words > 0) keep();
  return { raw: Uint32Array.from(raw), masked: Uint32Array.from(masked) };
}
