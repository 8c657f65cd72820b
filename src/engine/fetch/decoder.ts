import * as zlib from "node:zlib";

export type Coding = "gzip" | "deflate" | "br" | "zstd";

/** Node has zstd since 22.15; the types are those of Node 20. */
interface ZstdFunctions {
  readonly createZstdDecompress?: (options: zlib.ZlibOptions) => zlib.Gunzip;
  readonly zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer;
}
export const zstd: ZstdFunctions = zlib as ZstdFunctions;

/** Receives the output of a decoder. `chunk` returns false to ask for a pause; `end` or `broken` is called once, unless stopped. */
export interface DecoderOutput {
  /** Called when `write` may continue after it returned false. */
  drain?(): void;
  chunk(bytes: Uint8Array): boolean;
  end(): void;
  broken(detail: string): void;
}

type Stage = zlib.Gunzip | zlib.BrotliDecompress | zlib.Inflate | zlib.InflateRaw;

/** Decodes a stream of bytes, with at most one chunk in memory per coding. */
export class Decoder {
  readonly #stages: Stage[] = [];
  readonly #output: DecoderOutput;
  #isDone = false;

  /** `head` needs two bytes, to distinguish the two kinds of deflate. */
  constructor(codings: readonly Coding[], head: Uint8Array, output: DecoderOutput) {
    this.#output = output;
    this.#open(codings.toReversed(), head).on("drain", () => output.drain?.());
    this.write(head);
  }

  /** Opens the stage of the first coding and connects the others after it. `head`: the first bytes of its input. */
  #open([coding, ...inner]: readonly Coding[], head: Uint8Array): Stage {
    const stage = openStage(coding!, head);
    this.#stages.push(stage);
    stage.on("error", (error: Error) => this.#finish(() => this.#output.broken(error.message)));
    if (inner.length === 0) this.#deliver(stage);
    else if (inner[0] === "deflate") withFirstBytes(stage, (first) => stage.pipe(this.#open(inner, first)));
    else stage.pipe(this.#open(inner, head));
    return stage;
  }

  #deliver(last: Stage): void {
    last
      .on("data", (chunk: Uint8Array) => {
        if (!this.#isDone && !this.#output.chunk(chunk)) last.pause();
      })
      .on("end", () => this.#finish(() => this.#output.end()));
  }

  /**
   * Copies the chunk: zlib reads it on another thread after the call, when the caller may have overwritten it. False asks for a pause
   * until `drain`.
   */
  write(chunk: Uint8Array): boolean {
    return this.#isDone || this.#stages[0]!.write(Buffer.from(chunk));
  }

  /** Continues after a pause that the output asked for. */
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

  #finish(notify: () => void): void {
    if (this.#isDone) return;
    this.stop();
    notify();
  }
}

function openStage(coding: Coding, head: Uint8Array): Stage {
  const options = { chunkSize: 64 * 1024 };
  if (coding === "gzip") return zlib.createGunzip(options);
  if (coding === "br") return zlib.createBrotliDecompress(options);
  if (coding === "zstd") return zstd.createZstdDecompress!(options);
  return hasZlibHeader(head) ? zlib.createInflate(options) : zlib.createInflateRaw(options);
}

/** Calls back with the first bytes of a stream without consuming them: at least two, unless it ends before. */
function withFirstBytes(stage: Stage, callback: (first: Uint8Array) => void): void {
  let first = Buffer.alloc(0);
  const readMore = (): void => {
    const chunk: Buffer | null = stage.read();
    if (chunk !== null) first = Buffer.concat([first, chunk]);
    if (first.length < 2 && chunk !== null) return;
    stage.off("readable", readMore);
    if (first.length > 0) stage.unshift(first);
    callback(first);
  };
  stage.on("readable", readMore);
}

/** RFC 1950 §2.2. Servers send "deflate" with and without this header (RFC 9110 §8.4.1.2). */
export function hasZlibHeader(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
