/**
 * A page as the scanner goes through it: its UTF-8 bytes, and a string with one letter for each of them. Tags are ASCII, and no byte of
 * another letter looks like one that is, so only what is taken out of the page has to be decoded. Nine pages in ten have some letter beyond
 * Latin-1: as a whole they would be strings of two bytes a letter, dearer to make, to slice and to search.
 *
 * The string is made a window at a time: from 128 kB on V8 gives each string memory of its own, fresh from the system, at twenty times the price.
 */
import { isAscii } from "node:buffer";
import { decodeUtf8 } from "./encoding.ts";

/** Room for most documents; a longer one gets its own, so that one large page is not remembered for ever. */
const ROOM = 512 * 1024;
/** Past the end stand noughts, as far as anybody looks ahead. */
const AHEAD = 4;
/** Up to here a look at each letter costs less than a call. */
const SHORT = 100;
/** From here on Node decodes sooner than we do. */
const LONG = 4096;

const WINDOW = 64 * 1024;

let free: Buffer | undefined;

export class HtmlSource {
  readonly length: number;
  /** Past the end there are noughts. */
  readonly codes: Uint8Array;
  readonly #buffer: Buffer;
  readonly #isAscii: boolean;
  /** The letters from `windowStart` on. */
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

  /** Moves the window on to where the letter is. */
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

  /** Of what is known not to be ASCII. */
  decoded(start: number, end: number): string {
    return end - start > LONG ? decodeUtf8(this.codes.subarray(start, end)) : decodedByHand(this.codes, start, end);
  }

  /** Nobody may look at the codes any more: the next page is written over them. */
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

/** The bytes are known to be UTF-8. A call for each stretch of text would take several times as long. */
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
