/** How finely time is looked at: a request may take so much longer than it was given. */
const GRAIN = 50;

/** Requests that all have the same time to come to an end. One clock looks after them: a timer for each would cost more than to read a short answer. */
export class Deadlines {
  readonly #timeout: number;
  /** In the order they began, which is that of their ends. */
  readonly #open = new Map<() => void, number>();
  #clock: NodeJS.Timeout | undefined;

  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  add(isOver: () => void): void {
    this.#open.set(isOver, performance.now() + this.#timeout);
    this.#clock ??= setInterval(() => this.#look(), Math.min(GRAIN, this.#timeout)).unref();
  }

  delete(isOver: () => void): void {
    this.#open.delete(isOver);
  }

  #look(): void {
    const now = performance.now();
    for (const [isOver, end] of this.#open) {
      if (end > now) break;
      this.#open.delete(isOver);
      isOver();
    }
    if (this.#open.size > 0) return;
    clearInterval(this.#clock);
    this.#clock = undefined;
  }
}
