/**
 * Memory for large bodies, shared by all requests, so that many hosts together cannot exceed a limit that a single one could not. First
 * come, first served.
 */
export class Budget {
  #left: number;
  readonly #whole: number;
  readonly #waiting = new Map<() => void, number>();

  constructor(bytes: number) {
    this.#whole = bytes;
    this.#left = bytes;
  }

  /**
   * True if there is room now; otherwise `then` is called when there is. A request for more than the total is granted if nothing else is
   * in use.
   */
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

  /** Removes a waiting request. */
  cancel(then: () => void): void {
    this.#waiting.delete(then);
  }

  #fits(bytes: number): boolean {
    return bytes <= this.#left || this.#left === this.#whole;
  }
}
