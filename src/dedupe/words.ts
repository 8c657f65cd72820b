/** The words of a text as numbers, without making a string for each: a page has thousands, and every page comes by here. */
import { mix } from "./hash.ts";

const SEPARATOR = 0;
const LETTER = 1;
const DIGIT = 2;
/** A letter of a script that writes without spaces: it ends its word. */
const WHOLE = 4;

const kinds = Uint8Array.from({ length: 0x10000 }, (_, code) => kindOf(code));

function kindOf(code: number): number {
  if (code < 128) {
    if (code >= 48 && code <= 57) return DIGIT;
    return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) ? LETTER : SEPARATOR;
  }
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba ? LETTER : SEPARATOR;
  if ((code >= 0x2000 && code <= 0x206f) || (code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xff0f)) return SEPARATOR;
  return code >= 0x3040 && code <= 0x9fff ? WHOLE : LETTER;
}

/** Calls `visit` with a 32-bit hash of each word, whatever its case, and returns how many there were. */
export function eachWord(text: string, visit: (hash: number, hasDigit: boolean) => void): number {
  const lower = text.toLowerCase();
  let count = 0;
  let hash = 0;
  let seen = 0;
  for (let at = 0; at <= lower.length; at += 1) {
    const code = at < lower.length ? lower.charCodeAt(at) : 0;
    const kind = kinds[code]!;
    if (kind !== SEPARATOR) {
      hash = Math.imul(hash + code, 0x01000193);
      seen |= kind;
      if (kind !== WHOLE) continue;
    }
    if (seen === 0) continue;
    visit(mix(hash), (seen & DIGIT) !== 0);
    count += 1;
    hash = 0;
    seen = 0;
  }
  return count;
}
