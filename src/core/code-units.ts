/** A text as an array of UTF-16 code units: reading from it takes half the time of reading from a string. */

/**
 * Size of the shared buffer, enough for most documents. A longer one gets its own, so that one large page does not hold memory for ever.
 */
const BUFFER_LENGTH = 256 * 1024;
/** Zeros after the end, so that a parser may look ahead without a bounds check. */
const PADDING = 4;

let freeBuffer: Uint16Array | undefined;

export function codeUnitsOf(text: string): Uint16Array {
  const codes = takeBuffer(text.length + PADDING);
  Buffer.from(codes.buffer, 0, 2 * text.length).write(text, "utf16le");
  codes.fill(0, text.length, text.length + PADDING);
  return codes;
}

/** Returns the buffer. The caller must not use it afterwards: the next text overwrites it. */
export function releaseBuffer(codes: Uint16Array): void {
  if (codes.length === BUFFER_LENGTH) freeBuffer = codes;
}

function takeBuffer(length: number): Uint16Array {
  if (length > BUFFER_LENGTH) return new Uint16Array(length);
  const taken = freeBuffer ?? new Uint16Array(BUFFER_LENGTH);
  freeBuffer = undefined;
  return taken;
}

const MANY_LETTERS = /[\u0300-\uffff]{31}/;
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * Limits a letter to thirty combining marks (UAX #15, stream-safe text), because sorting marks takes quadratic time. Call before
 * `normalize`.
 */
export const limitMarks = (text: string): string => (MANY_LETTERS.test(text) ? text.replace(TOO_MANY_MARKS, "$1") : text);
