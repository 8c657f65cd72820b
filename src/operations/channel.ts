/** An async queue between an event listener and a `for await` loop. */
export class Channel<T> {
  /** Number of queued items above which writers have to wait for the reader. */
  #ahead: number;
  #waiting: T[] = [];
  #isEnded = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriters: (() => void)[] = [];

  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  put(item: T): void {
    if (this.#isEnded) return;
    this.#waiting.push(item);
    this.#wakeReader?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wakeReader?.();
    this.#letWrite();
  }

  /** Removes the limit: writers no longer wait for the reader. */
  lift(): void {
    this.#ahead = Number.POSITIVE_INFINITY;
    this.#letWrite();
  }

  /** A promise while the queue is full, else undefined. */
  hasRoom(): Promise<void> | undefined {
    if (this.#isEnded || this.#waiting.length < this.#ahead) return undefined;
    return new Promise((resolve) => this.#wakeWriters.push(resolve));
  }

  async *all(): AsyncGenerator<T> {
    for (;;) {
      const items = this.#waiting;
      this.#waiting = [];
      this.#letWrite();
      yield* items;
      if (this.#waiting.length > 0) continue;
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  #letWrite(): void {
    for (const wake of this.#wakeWriters.splice(0)) wake();
  }
}
