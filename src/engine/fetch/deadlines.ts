/** Interval of the checks in milliseconds: a request may exceed its timeout by this much. */
const CHECK_INTERVAL_MS = 50;

/** Requests with the same timeout. One interval timer checks all: a timer for each would cost more than reading a short response. */
export class Deadlines {
  readonly #timeout: number;
  /** In order of start, which is also the order of their deadlines. */
  readonly #pending = new Map<() => void, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  add(onTimeout: () => void): void {
    this.#pending.set(onTimeout, performance.now() + this.#timeout);
    this.#timer ??= setInterval(() => this.#check(), Math.min(CHECK_INTERVAL_MS, this.#timeout)).unref();
  }

  delete(onTimeout: () => void): void {
    this.#pending.delete(onTimeout);
  }

  #check(): void {
    const now = performance.now();
    for (const [onTimeout, deadline] of this.#pending) {
      if (deadline > now) break;
      this.#pending.delete(onTimeout);
      onTimeout();
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
