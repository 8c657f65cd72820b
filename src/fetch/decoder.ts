import * as zlib from "node:zlib";

export type Coding = "gzip" | "deflate" | "br" | "zstd";

/** Node has zstd from 22.15 on; the types are those of Node 20. */
interface ZstdOfZlib {
  readonly createZstdDecompress?: (options: zlib.ZlibOptions) => zlib.Gunzip;
  readonly zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer;
}
export const zstd: ZstdOfZlib = zlib as ZstdOfZlib;

/** Who takes what a decoder makes. `chunk` answers false to ask for a pause; `end` or `broken` comes once, unless stopped. */
export interface Taker {
  chunk(bytes: Uint8Array): boolean;
  end(): void;
  broken(detail: string): void;
}

/** Undoes codings while the bytes arrive, holding no more than a chunk for each of them. */
export class Decoder {
  readonly #stages: readonly (zlib.Gunzip | zlib.BrotliDecompress | zlib.Inflate | zlib.InflateRaw)[];
  #isDone = false;

  /** `head` must be long enough to tell one deflate from the other: two bytes. */
  constructor(codings: readonly Coding[], head: Uint8Array, taker: Taker) {
    this.#stages = codings.toReversed().map((coding, place) => openStage(coding, place > 0 || hasZlibHeader(head)));
    for (const stage of this.#stages) stage.on("error", (error: Error) => this.#finish(() => taker.broken(error.message)));
    for (let i = 1; i < this.#stages.length; i++) this.#stages[i - 1]!.pipe(this.#stages[i]!);
    const last = this.#stages.at(-1)!;
    last
      .on("data", (chunk: Uint8Array) => {
        if (!this.#isDone && !taker.chunk(chunk)) last.pause();
      })
      .on("end", () => this.#finish(() => taker.end()));
    this.write(head);
  }

  /** Takes a copy: zlib reads it on another thread after the call, when its owner may have overwritten it. False asks for a pause until `drained`. */
  write(chunk: Uint8Array): boolean {
    return this.#isDone || this.#stages[0]!.write(Buffer.from(chunk));
  }

  drained(then: () => void): void {
    this.#stages[0]!.once("drain", then);
  }

  /** After a pause that the taker asked for. */
  resume(): void {
    this.#stages.at(-1)!.resume();
  }

  end(): void {
    if (!this.#isDone) this.#stages[0]!.end();
  }

  stop(): void {
    this.#isDone = true;
    for (const stage of this.#stages) stage.destroy();
  }

  #finish(tell: () => void): void {
    if (this.#isDone) return;
    this.stop();
    tell();
  }
}

function openStage(coding: Coding, isZlib: boolean) {
  const options = { chunkSize: 64 * 1024 };
  if (coding === "gzip") return zlib.createGunzip(options);
  if (coding === "br") return zlib.createBrotliDecompress(options);
  if (coding === "zstd") return zstd.createZstdDecompress!(options);
  return isZlib ? zlib.createInflate(options) : zlib.createInflateRaw(options);
}

/** RFC 1950 §2.2. Servers send "deflate" with and without this header (RFC 9110 §8.4.1.2). */
export function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
