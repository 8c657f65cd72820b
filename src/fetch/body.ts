import type { Budget } from "./budget.ts";
import { type Decoded, decodeQuick, isQuick } from "./codings.ts";
import { type Coding, Decoder } from "./decoder.ts";
import { Gather } from "./gather.ts";

/** A body larger than this waits for its share of the memory for large bodies. */
const LARGE = 1024 * 1024;
/** Coded data is larger than the decoded data by at most a few bytes per block. */
const SURPLUS = 64 * 1024;
const nothing = new Uint8Array(0);

export interface BodySetup {
  readonly codings: readonly Coding[];
  readonly cap: number;
  /** Whether the bytes up to the cap are useful if the body is larger. */
  readonly mayCut: boolean;
  /** Content-Length, or 0. */
  readonly length: number;
  readonly budget: Budget;
  /** Called when `write` may continue after it returned false. */
  readonly resume: () => void;
  /** Called once; before `end` only if the body is too large or broken. */
  readonly done: (decoded: Decoded) => void;
}

/** The content of one response as it arrives: decodes it, and enforces the cap and the memory budget. */
export class Body {
  readonly #setup: BodySetup;
  /** Coded bytes while they are few enough to be decoded at once; otherwise decoded ones. */
  #gather: Gather;
  #decoder: Decoder | undefined;
  #wireBytes = 0;
  #reserved = 0;
  #isWaiting = false;
  #isEnded = false;
  #isDecoded = false;

  constructor(setup: BodySetup) {
    this.#setup = setup;
    this.#gather = new Gather(setup.codings.length > 0 ? Number.POSITIVE_INFINITY : setup.cap, setup.length);
  }

  write(bytes: Uint8Array): boolean {
    this.#wireBytes += bytes.length;
    if (this.#setup.codings.length === 0) return this.#keep(bytes);
    if (this.#wireBytes > this.#setup.cap + SURPLUS) {
      this.#over();
      return true;
    }
    if (this.#decoder !== undefined) return this.#decoder.write(bytes);
    this.#gather.add(bytes);
    if (!isQuick(this.#gather.length)) this.#startDecoder(this.#gather.take());
    return true;
  }

  end(): void {
    this.#isEnded = true;
    if (this.#decoder === undefined) {
      const bytes = this.#gather.take();
      const decoded = decodeQuick(bytes, this.#setup.codings, this.#setup.cap);
      if (decoded !== undefined) this.#finish(decoded);
      else this.#startDecoder(bytes).end();
    } else if (this.#isDecoded) this.#finish({ kind: "whole", bytes: this.#gather.take() });
    else this.#decoder.end();
  }

  stop(): void {
    this.#decoder?.stop();
    if (this.#isWaiting) this.#setup.budget.cancel(this.#roomFound);
    if (this.#reserved > 0) this.#setup.budget.give(this.#reserved);
    this.#isWaiting = false;
    this.#reserved = 0;
  }

  /** Decoded bytes, or bytes without a coding. */
  #keep(bytes: Uint8Array): boolean {
    if (!this.#gather.add(bytes)) {
      this.#over();
      return true;
    }
    if (this.#gather.length > LARGE && this.#reserved === 0 && !this.#isWaiting) {
      this.#isWaiting = true;
      if (this.#setup.budget.take(this.#share(), this.#roomFound)) this.#hasRoom();
    }
    return !this.#isWaiting;
  }

  readonly #roomFound = (): void => {
    this.#hasRoom();
    // Called while the end of another body is processed, so reading resumes later.
    queueMicrotask(this.#decoder === undefined ? this.#setup.resume : () => this.#decoder?.resume());
  };

  #hasRoom(): void {
    this.#isWaiting = false;
    this.#reserved = this.#share();
  }

  #share(): number {
    const { codings, length, cap } = this.#setup;
    return codings.length === 0 && length > 0 ? Math.min(length, cap) : cap;
  }

  #startDecoder(head: Uint8Array): Decoder {
    this.#gather = new Gather(this.#setup.cap, 0);
    this.#decoder = new Decoder(this.#setup.codings, head, {
      chunk: (bytes) => this.#keep(bytes),
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

  #over(): void {
    this.#finish({ kind: "over", bytes: this.#setup.mayCut ? this.#gather.take() : nothing });
  }

  #finish(decoded: Decoded): void {
    this.stop();
    this.#setup.done(decoded);
  }
}
