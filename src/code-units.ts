/** The letters of a text as numbers in an array, which are reached in half the time that letters in a string take. */

/** Room for most documents; a longer one gets its own, so that one large page is not remembered for ever. */
const ROOM = 256 * 1024;
/** Past the end stand noughts, as far as anybody looks ahead. */
const AHEAD = 4;

let free: Uint16Array | undefined;

export function codesOf(text: string): Uint16Array {
  const codes = take(text.length + AHEAD);
  Buffer.from(codes.buffer, 0, 2 * text.length).write(text, "utf16le");
  codes.fill(0, text.length, text.length + AHEAD);
  return codes;
}

/** Nobody may look at them any more: the next text is written over them. */
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

/** At most thirty marks on a letter (UAX #15, stream-safe text): to put marks in order takes the square of their number. Call before `normalize`. */
export const withFewMarks = (text: string): string => (MANY_LETTERS.test(text) ? text.replace(MANY_MARKS, "$1") : text);
