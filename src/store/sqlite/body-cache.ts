/** Cache of the most recently read bodies, unpacked, limited by bytes. */
export class BodyCache {
  readonly #bodies = new Map<string, Uint8Array>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = 16 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  get(hash: string, load: () => Uint8Array | undefined): Uint8Array | undefined {
    const known = this.#bodies.get(hash);
    this.#bodies.delete(hash);
    const body = known ?? load();
    if (body === undefined || body.length > this.#maxBytes / 4) return body;
    this.#bodies.set(hash, body);
    if (!known) this.#bytes += body.length;
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#bodies.delete(oldest);
      this.#bytes -= length;
    }
    return body;
  }
}
