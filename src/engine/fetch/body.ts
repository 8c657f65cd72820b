import { ByteCollector } from "./byte-collector.ts";
import { canDecodeSync, type Decoded, decodeSync } from "./codings.ts";
import { type Coding, Decoder } from "./decoder.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** A body larger than this waits for its share of the memory for large bodies. */
const LARGE_BODY_BYTES = 1024 * 1024;
/** Coded data is larger than the decoded data by at most a few bytes per block. */
const MAX_CODING_OVERHEAD = 64 * 1024;
const noBytes = new Uint8Array(0);

export interface BodySetup {
  readonly codings: readonly Coding[];
  readonly maxBytes: number;
  /** Whether the bytes up to the cap are useful if the body is larger. */
  readonly mayCut: boolean;
  /** Content-Length, or 0. */
  readonly length: number;
  readonly budget: MemoryBudget;
  /** Called when `write` may continue after it returned false. */
  readonly resume: () => void;
  /** Called once; before `end` only if the body is too large or broken. */
  readonly onDone: (decoded: Decoded) => void;
}

/** The content of one response as it arrives: decodes it, and enforces the cap and the memory budget. */
export class Body {
  readonly #setup: BodySetup;
  /** Coded bytes while they are few enough to be decoded at once; otherwise decoded ones. */
  #collector: ByteCollector;
  #decoder: Decoder | undefined;
  #wireBytes = 0;
  #reserved = 0;
  #isWaitingForMemory = false;
  #isEnded = false;
  #isDecoded = false;

  constructor(setup: BodySetup) {
    this.#setup = setup;
    this.#collector = new ByteCollector(setup.codings.length > 0 ? Number.POSITIVE_INFINITY : setup.maxBytes, setup.length);
  }

  write(bytes: Uint8Array): boolean {
    this.#wireBytes += bytes.length;
    if (this.#setup.codings.length === 0) return this.#store(bytes);
    if (this.#wireBytes > this.#setup.maxBytes + MAX_CODING_OVERHEAD) {
      this.#finishTooLarge();
      return true;
    }
    if (this.#decoder !== undefined) return this.#decoder.write(bytes);
    this.#collector.add(bytes);
    if (!canDecodeSync(this.#collector.length)) this.#startDecoder(this.#collector.take());
    return true;
  }

  end(): void {
    this.#isEnded = true;
    if (this.#decoder === undefined) {
      const bytes = this.#collector.take();
      const decoded = decodeSync(bytes, this.#setup.codings, this.#setup.maxBytes);
      if (decoded !== undefined) this.#finish(decoded);
      else this.#startDecoder(bytes).end();
    } else if (this.#isDecoded) this.#finish({ kind: "whole", bytes: this.#collector.take() });
    else this.#decoder.end();
  }

  stop(): void {
    this.#decoder?.stop();
    if (this.#isWaitingForMemory) this.#setup.budget.cancel(this.#onMemoryGranted);
    if (this.#reserved > 0) this.#setup.budget.release(this.#reserved);
    this.#isWaitingForMemory = false;
    this.#reserved = 0;
  }

  /** Decoded bytes, or bytes without a coding. */
  #store(bytes: Uint8Array): boolean {
    if (!this.#collector.add(bytes)) {
      this.#finishTooLarge();
      return true;
    }
    if (this.#collector.length > LARGE_BODY_BYTES && this.#reserved === 0 && !this.#isWaitingForMemory) {
      this.#isWaitingForMemory = true;
      if (this.#setup.budget.reserve(this.#neededMemory(), this.#onMemoryGranted)) this.#markReserved();
    }
    return !this.#isWaitingForMemory;
  }

  readonly #onMemoryGranted = (): void => {
    this.#markReserved();
    // Called while the end of another body is processed, so reading resumes later.
    queueMicrotask(this.#decoder === undefined ? this.#setup.resume : () => this.#decoder?.resume());
  };

  #markReserved(): void {
    this.#isWaitingForMemory = false;
    this.#reserved = this.#neededMemory();
  }

  #neededMemory(): number {
    const { codings, length, maxBytes } = this.#setup;
    return codings.length === 0 && length > 0 ? Math.min(length, maxBytes) : maxBytes;
  }

  #startDecoder(head: Uint8Array): Decoder {
    this.#collector = new ByteCollector(this.#setup.maxBytes, 0);
    this.#decoder = new Decoder(this.#setup.codings, head, {
      chunk: (bytes) => this.#store(bytes),
      drain: this.#setup.resume,
      // Some codings end before the message does: the rest must still arrive, or the message was cut short.
      end: () => {
        this.#isDecoded = true;
        if (this.#isEnded) this.end();
        else this.#setup.resume();
      },
      broken: (detail) => this.#finish({ kind: "broken", detail }),
    });
    return this.#decoder;
  }

  #finishTooLarge(): void {
    this.#finish({ kind: "over", bytes: this.#setup.mayCut ? this.#collector.take() : noBytes });
  }

  #finish(decoded: Decoded): void {
    this.stop();
    this.#setup.onDone(decoded);
  }
}
