/**
 * The source of a page for the scanner: its UTF-8 bytes, and a Latin-1 string with one character for each byte. Tags are ASCII, and no
 * byte of a multi-byte character looks like ASCII, so only the extracted parts must be decoded. Nine pages in ten contain a character
 * beyond Latin-1; decoded as a whole they would be strings with two bytes per character, which are slower to create, slice and search.
 *
 * The string is created one window at a time: from 128 kB on, V8 allocates each string separately from the system, at
 * twenty times the cost.
 */
import { isAscii } from "node:buffer";
import { decodeUtf8 } from "./encoding.ts";

/**
 * Size of the shared buffer, enough for most documents. A longer document gets its own buffer, so that one large page
 * does not hold memory forever.
 */
const ROOM = 512 * 1024;
/** Zero bytes after the end, as many as the scanner looks ahead. */
const AHEAD = 4;
/** Up to this length, a loop over the bytes is cheaper than a call. */
const SHORT = 100;
/** From this length on, Node's decoder is faster than ours. */
const LONG = 4096;

const WINDOW = 64 * 1024;

let free: Buffer | undefined;

export class HtmlSource {
  readonly length: number;
  /** Followed by zero bytes. */
  readonly codes: Uint8Array;
  readonly #buffer: Buffer;
  readonly #isAscii: boolean;
  /** The characters from `windowStart` on. */
  window = "";
  windowStart = 0;
  windowEnd = 0;

  constructor(utf8: Uint8Array) {
    const { length } = utf8;
    const codes = take(length + AHEAD);
    codes.set(utf8);
    codes.fill(0, length, length + AHEAD);
    this.length = length;
    this.codes = codes;
    this.#buffer = codes;
    this.#isAscii = isAscii(utf8);
  }

  /** Searches forward, moving the window to the match. */
  indexOf(letter: string, from: number): number {
    let at = from;
    for (;;) {
      if (at >= this.windowEnd || at < this.windowStart) {
        if (at >= this.length) return -1;
        this.#openWindow(at);
      }
      const found = this.window.indexOf(letter, at - this.windowStart);
      if (found >= 0) return this.windowStart + found;
      at = this.windowEnd;
    }
  }

  #openWindow(start: number): void {
    this.windowStart = start;
    this.windowEnd = Math.min(start + WINDOW, this.length);
    this.window = this.#buffer.toString("latin1", start, this.windowEnd);
  }

  isInWindow(start: number, end: number): boolean {
    return start >= this.windowStart && end <= this.windowEnd;
  }

  isAsciiIn(start: number, end: number): boolean {
    if (this.#isAscii) return true;
    const { codes } = this;
    if (end - start > SHORT) return isAscii(codes.subarray(start, end));
    let all = 0;
    for (let at = start; at < end; at += 1) all |= codes[at]!;
    return all < 128;
  }

  slice(start: number, end: number): string {
    if (!this.isAsciiIn(start, end)) return this.decoded(start, end);
    if (this.isInWindow(start, end)) return this.window.slice(start - this.windowStart, end - this.windowStart);
    return this.#buffer.toString("latin1", start, end);
  }

  /** For ranges that are known not to be ASCII. */
  decoded(start: number, end: number): string {
    return end - start > LONG ? decodeUtf8(this.codes.subarray(start, end)) : decodedByHand(this.codes, start, end);
  }

  /** Returns the buffer. `codes` must not be used afterwards, because the next page overwrites it. */
  giveBack(): void {
    if (this.#buffer.length === ROOM) free = this.#buffer;
  }
}

function take(length: number): Buffer {
  if (length > ROOM) return Buffer.alloc(length);
  const taken = free ?? Buffer.alloc(ROOM);
  free = undefined;
  return taken;
}

const scratch = Buffer.alloc(2 * LONG);
const units = new Uint16Array(scratch.buffer, scratch.byteOffset, LONG);

/** Decodes bytes known to be valid UTF-8. A decoder call for each short text would take several times as long. */
function decodedByHand(codes: Uint8Array, start: number, end: number): string {
  let count = 0;
  for (let at = start; at < end; ) {
    const first = codes[at]!;
    if (first < 0x80) {
      units[count++] = first;
      at += 1;
    } else if (first < 0xe0) {
      units[count++] = ((first & 0x1f) << 6) | (codes[at + 1]! & 0x3f);
      at += 2;
    } else if (first < 0xf0) {
      units[count++] = ((first & 0x0f) << 12) | ((codes[at + 1]! & 0x3f) << 6) | (codes[at + 2]! & 0x3f);
      at += 3;
    } else {
      const low = ((codes[at + 1]! & 0x3f) << 12) | ((codes[at + 2]! & 0x3f) << 6) | (codes[at + 3]! & 0x3f);
      const point = (((first & 0x07) << 18) | low) - 0x10000;
      units[count++] = 0xd800 | (point >> 10);
      units[count++] = 0xdc00 | (point & 0x3ff);
      at += 4;
    }
  }
  return scratch.toString("utf16le", 0, 2 * count);
}
