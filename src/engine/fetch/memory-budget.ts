/**
 * Memory for large bodies, shared by all requests, so that many hosts together cannot exceed a limit that a single one could not. First
 * come, first served.
 */
export class MemoryBudget {
  #free: number;
  readonly #total: number;
  readonly #waiting = new Map<() => void, number>();

  constructor(bytes: number) {
    this.#total = bytes;
    this.#free = bytes;
  }

  /**
   * True if there is room now; otherwise `then` is called when there is. A request for more than the total is granted if nothing else is
   * in use.
   */
  reserve(bytes: number, onGranted: () => void): boolean {
    if (this.#waiting.size > 0 || !this.#fits(bytes)) {
      this.#waiting.set(onGranted, bytes);
      return false;
    }
    this.#free -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#free += bytes;
    for (const [onGranted, bytesWanted] of this.#waiting) {
      if (!this.#fits(bytesWanted)) return;
      this.#waiting.delete(onGranted);
      this.#free -= bytesWanted;
      onGranted();
    }
  }

  /** Removes a waiting request. */
  cancel(onGranted: () => void): void {
    this.#waiting.delete(onGranted);
  }

  #fits(bytes: number): boolean {
    return bytes <= this.#free || this.#free === this.#total;
  }
}
