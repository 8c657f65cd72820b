/** An async queue between an event listener and a `for await` loop. */
export class Channel<T> {
  /** Number of queued items above which writers have to wait for the reader. */
  #capacity: number;
  #waiting: T[] = [];
  #isEnded = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriters: (() => void)[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  put(item: T): void {
    if (this.#isEnded) return;
    this.#waiting.push(item);
    this.#wakeReader?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wakeReader?.();
    this.#wakeAllWriters();
  }

  /** Removes the limit: writers no longer wait for the reader. */
  removeLimit(): void {
    this.#capacity = Number.POSITIVE_INFINITY;
    this.#wakeAllWriters();
  }

  /** A promise while the queue is full, else undefined. */
  waitForRoom(): Promise<void> | undefined {
    if (this.#isEnded || this.#waiting.length < this.#capacity) return undefined;
    return new Promise((resolve) => this.#wakeWriters.push(resolve));
  }

  async *all(): AsyncGenerator<T> {
    for (;;) {
      const items = this.#waiting;
      this.#waiting = [];
      this.#wakeAllWriters();
      yield* items;
      if (this.#waiting.length > 0) continue;
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
  }

  #wakeAllWriters(): void {
    for (const wake of this.#wakeWriters.splice(0)) wake();
  }
}
