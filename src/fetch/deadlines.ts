/** Interval of the checks in milliseconds: a request may exceed its timeout by this much. */
const GRAIN = 50;

/** Requests with the same timeout. One interval timer checks all: a timer for each would cost more than reading a short response. */
export class Deadlines {
  readonly #timeout: number;
  /** In order of start, which is also the order of their deadlines. */
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
