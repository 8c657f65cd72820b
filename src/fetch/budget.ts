/** Memory for large bodies, shared by all requests, so that many hosts together cannot fill what one alone may not. First come, first served. */
export class Budget {
  #left: number;
  readonly #whole: number;
  readonly #waiting = new Map<() => void, number>();

  constructor(bytes: number) {
    this.#whole = bytes;
    this.#left = bytes;
  }

  /** True if there is room now; else `then` is called when there is. More than the whole is given to one who is alone. */
  take(bytes: number, then: () => void): boolean {
    if (this.#waiting.size > 0 || !this.#fits(bytes)) {
      this.#waiting.set(then, bytes);
      return false;
    }
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
    for (const [then, wanted] of this.#waiting) {
      if (!this.#fits(wanted)) return;
      this.#waiting.delete(then);
      this.#left -= wanted;
      then();
    }
  }

  /** For one who no longer waits. */
  cancel(then: () => void): void {
    this.#waiting.delete(then);
  }

  #fits(bytes: number): boolean {
    return bytes <= this.#left || this.#left === this.#whole;
  }
}
