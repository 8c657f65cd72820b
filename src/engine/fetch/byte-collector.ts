const FIRST_SEGMENT_BYTES = 32 * 1024;
const MAX_SEGMENT_BYTES = 1024 * 1024;

/**
 * Collects a body up to its cap. Chunks are copied into segments: a body that comes in ten million chunks of one byte must not be
 * kept as ten million objects, and one that grows is not copied each time it outgrows its buffer.
 */
export class ByteCollector {
  readonly #maxBytes: number;
  readonly #fullSegments: Uint8Array[] = [];
  #segment: Uint8Array;
  #usedBytes = 0;
  length = 0;

  /** `hint` is the Content-Length; it cannot be trusted, so it reserves little memory. */
  constructor(maxBytes: number, expectedLength: number) {
    this.#maxBytes = maxBytes;
    this.#segment = Buffer.allocUnsafeSlow(Math.min(expectedLength || FIRST_SEGMENT_BYTES, maxBytes, MAX_SEGMENT_BYTES / 4));
  }

  /** False once the body is larger than the cap; the part that fits is kept. */
  add(chunk: Uint8Array): boolean {
    const remaining = this.#maxBytes - this.length;
    let rest = chunk.length > remaining ? chunk.subarray(0, remaining) : chunk;
    this.length += rest.length;
    while (rest.length > 0) {
      if (this.#usedBytes === this.#segment.length) this.#startSegment();
      const part = rest.subarray(0, this.#segment.length - this.#usedBytes);
      this.#segment.set(part, this.#usedBytes);
      this.#usedBytes += part.length;
      rest = rest.subarray(part.length);
    }
    return chunk.length <= remaining;
  }

  /** The bytes, alone in their ArrayBuffer, so that it can be transferred to another thread. */
  take(): Uint8Array {
    const isExact = this.#fullSegments.length === 0 && this.#usedBytes === this.#segment.length;
    if (isExact) return new Uint8Array(this.#segment.buffer);
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const segment of this.#fullSegments) {
      bytes.set(segment, at);
      at += segment.length;
    }
    bytes.set(this.#segment.subarray(0, this.#usedBytes), at);
    return bytes;
  }

  #startSegment(): void {
    if (this.#usedBytes > 0) this.#fullSegments.push(this.#segment);
    this.#segment = Buffer.allocUnsafeSlow(Math.min(Math.max(FIRST_SEGMENT_BYTES, this.#usedBytes * 2), MAX_SEGMENT_BYTES));
    this.#usedBytes = 0;
  }
}
