const FIRST = 32 * 1024;
const LARGEST = 1024 * 1024;

/**
 * Collects a body up to its cap. Chunks are copied into segments: a body that comes in ten million chunks of one byte must not be
 * kept as ten million objects, and one that grows is not copied each time it outgrows its buffer.
 */
export class Gather {
  readonly #cap: number;
  readonly #full: Uint8Array[] = [];
  #segment: Uint8Array;
  #used = 0;
  length = 0;

  /** `hint` is the Content-Length; it cannot be trusted, so it reserves little memory. */
  constructor(cap: number, hint: number) {
    this.#cap = cap;
    this.#segment = Buffer.allocUnsafeSlow(Math.min(hint || FIRST, cap, LARGEST / 4));
  }

  /** False once the body is larger than the cap; the part that fits is kept. */
  add(chunk: Uint8Array): boolean {
    const room = this.#cap - this.length;
    let rest = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.length += rest.length;
    while (rest.length > 0) {
      if (this.#used === this.#segment.length) this.#startSegment();
      const part = rest.subarray(0, this.#segment.length - this.#used);
      this.#segment.set(part, this.#used);
      this.#used += part.length;
      rest = rest.subarray(part.length);
    }
    return chunk.length <= room;
  }

  /** The bytes, alone in their ArrayBuffer, so that it can be transferred to another thread. */
  take(): Uint8Array {
    const isExact = this.#full.length === 0 && this.#used === this.#segment.length;
    if (isExact) return new Uint8Array(this.#segment.buffer);
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const segment of this.#full) {
      bytes.set(segment, at);
      at += segment.length;
    }
    bytes.set(this.#segment.subarray(0, this.#used), at);
    return bytes;
  }

  #startSegment(): void {
    if (this.#used > 0) this.#full.push(this.#segment);
    this.#segment = Buffer.allocUnsafeSlow(Math.min(Math.max(FIRST, this.#used * 2), LARGEST));
    this.#used = 0;
  }
}
