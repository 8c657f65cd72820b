/**
 * Compresses the URLs of one page by shared prefixes and suffixes: each line stores how many characters it shares with the start and the
 * end of the line before, then the rest. This takes a twentieth of brotli's time and halves the size.
 */
import { codeUnitsOf, releaseBuffer } from "../../../core/code-units.ts";

const LINE_FEED = 10;
/** Largest count that fits a byte. */
const MAX_COUNT = 255;

/** Longer texts are better compressed by brotli. */
export const MAX_SHARED_LENGTH = 4096;

/** Worst case: every character is a line of its own, with two counts and a line feed. The buffer is reused. */
const output = new Uint8Array(3 * (MAX_SHARED_LENGTH + 1));

/** The result is valid until the next call. Undefined if a character is not 7-bit ASCII, which no URL contains. */
export function compressLines(text: string): Uint8Array | undefined {
  const codes = codeUnitsOf(text);
  let end = 0;
  let allCodes = 0;
  let before = 0;
  let beforeEnd = 0;
  for (let start = 0; start <= text.length; ) {
    let stop = start;
    while (stop < text.length && codes[stop] !== LINE_FEED) allCodes |= codes[stop++]!;
    const maxShared = Math.min(stop - start, beforeEnd - before, MAX_COUNT);
    let head = 0;
    while (head < maxShared && codes[start + head] === codes[before + head]) head += 1;
    const left = Math.min(stop - start, beforeEnd - before) - head;
    let tail = 0;
    while (tail < left && tail < MAX_COUNT && codes[stop - 1 - tail] === codes[beforeEnd - 1 - tail]) tail += 1;
    output[end++] = head;
    output[end++] = tail;
    for (let at = start + head; at < stop - tail; at += 1) output[end++] = codes[at]!;
    output[end++] = LINE_FEED;
    before = start;
    beforeEnd = stop;
    start = stop + 1;
  }
  releaseBuffer(codes);
  return allCodes < 128 ? output.subarray(0, end) : undefined;
}

export function decompressLines(shared: Uint8Array): string {
  const text = Buffer.from(shared.buffer, shared.byteOffset, shared.byteLength).toString("latin1");
  const lines: string[] = [];
  let before = "";
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start + 2);
    const tail = text.charCodeAt(start + 1);
    before = before.slice(0, text.charCodeAt(start)) + text.slice(start + 2, end) + before.slice(before.length - tail);
    lines.push(before);
    start = end + 1;
  }
  return lines.join("\n");
}
