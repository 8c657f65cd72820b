/** A text as an array of UTF-16 code units: reading from it takes half the time of reading from a string. */

/**
 * Size of the shared buffer, enough for most documents. A longer one gets its own, so that one large page does not hold memory for ever.
 */
const ROOM = 256 * 1024;
/** Zeros after the end, so that a parser may look ahead without a bounds check. */
const AHEAD = 4;

let free: Uint16Array | undefined;

export function codesOf(text: string): Uint16Array {
  const codes = take(text.length + AHEAD);
  Buffer.from(codes.buffer, 0, 2 * text.length).write(text, "utf16le");
  codes.fill(0, text.length, text.length + AHEAD);
  return codes;
}

/** Returns the buffer. The caller must not use it afterwards: the next text overwrites it. */
export function giveBack(codes: Uint16Array): void {
  if (codes.length === ROOM) free = codes;
}

function take(length: number): Uint16Array {
  if (length > ROOM) return new Uint16Array(length);
  const taken = free ?? new Uint16Array(ROOM);
  free = undefined;
  return taken;
}

const MANY_LETTERS = /[\u0300-\uffff]{31}/;
const MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Limits a letter to thirty combining marks (UAX #15, stream-safe text), because sorting marks takes quadratic time. Call before
 * `normalize`.
 */
export const withFewMarks = (text: string): string => (MANY_LETTERS.test(text) ? text.replace(MANY_MARKS, "$1") : text);
