/** Block hashes tell how new a page is among its like: a calendar that changes only its numbers and month names has nothing new to say. */
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

const masked = new Set<number>();
eachWord(dateWords, (word) => masked.add(word));

/**
 * Distinct hashes of the blocks in order of appearance. Blocks of one or two words count as the beginning of the next.
 * Masked, numbers and dates do not tell two blocks apart.
 */
export function blockHashes(blocks: readonly string[], how: "masked" | "raw" = "masked"): Uint32Array {
  const isMasked = how === "masked";
  const hashes = new Set<number>();
  let hash = 0;
  let words = 0;
  for (const block of blocks) {
    words += eachWord(block, (word, hasDigit) => {
      hash = Math.imul(hash ^ (isMasked && (hasDigit || masked.has(word)) ? MASK : word), 0x9e3779b1) ^ (hash >>> 15);
    });
    if (words < FEWEST_WORDS) continue;
    hashes.add(mix(hash));
    if (hashes.size === MOST) break;
    hash = 0;
    words = 0;
  }
  return Uint32Array.from(hashes);
}
