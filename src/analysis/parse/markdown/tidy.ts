/** Cleans remote text for storage: collapses white space, removes control characters, repairs surrogates, limits length. */

/** Everything but single spaces. Most white space is single spaces, which stay. */
const blanks = /[\s\x00-\x1f\x7f]{2,}|[^\S ]|[\x00-\x1f\x7f]/g;

/** One line with single spaces. Line breaks and indentation are nearly always at the ends, so trimming is tried first. */
export function tidy(text: string): string {
  const trimmed = text.trim();
  return isTidy(trimmed, 0, trimmed.length, false) ? trimmed : trimmed.replace(blanks, " ").trim();
}

/** Whether a range has only single spaces. Most text has, and a loop over the characters is much cheaper than a regular expression. */
export function isTidy(text: string, start: number, end: number, isAfterSpace: boolean): boolean {
  let space = isAfterSpace ? start - 1 : -2;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 32 && code < 127) continue;
    if (code !== 32) {
      if (code < 32 || isBlankCode(code)) return false;
    } else if (space === at - 1) return false;
    else space = at;
  }
  return true;
}

/** Whether the text matches only \s. For most texts the first character decides. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 128) return !/\S/.test(text);
    if (code !== 32 && (code < 9 || code > 13)) return false;
  }
  return true;
}

/** DEL, and what \s matches beyond ASCII. */
function isBlankCode(code: number): boolean {
  if (code < 0x1680) return code === 0x7f || code === 0xa0;
  if (code >= 0x2000 && code <= 0x205f) return code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f;
  return code === 0x1680 || code === 0x3000 || code === 0xfeff;
}

/** Cuts to a number of UTF-16 units without splitting a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Replaces lone surrogates, which cannot be stored as UTF-8; escapes in JSON and entities can produce them. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** WHATWG Infra "strip leading and trailing ASCII whitespace". Hand-written, because /\s+$/ is quadratic. */
export function trimAscii(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isAsciiSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isAsciiSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isAsciiSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11);
