import type { ConnectionLost } from "./errors.ts";

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

/**
 * After a connection is lost, the next call reconnects at once. While that fails, calls fail without a try until a pause is over; each
 * pause is longer than the one before. Pauses are randomised, so that many processes that lost one database do not reconnect at the same
 * moment.
 */
export class ReconnectPause {
  cause: ConnectionLost | undefined;
  #until = 0;
  #next = 0;
  #failedUpTo = 0;
  #isTrying = false;

  /** The time, on the monotonic clock, from which a call may reconnect. */
  get until(): number {
    return this.#until;
  }

  get isActive(): boolean {
    return this.cause !== undefined && !this.#isTrying && performance.now() < this.#until;
  }

  /** Statement `number` of the `asked` sent so far has failed. All statements in flight fail with it, and count as one failure. */
  begin(cause: ConnectionLost, number: number, sentCount: number): void {
    if (number <= this.#failedUpTo) return;
    this.#failedUpTo = sentCount;
    const now = performance.now();
    this.cause = cause;
    this.#until = now + this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * this.#next));
  }

  end(): void {
    this.cause = undefined;
    this.#until = 0;
    this.#next = 0;
  }

  /** One reconnect attempt; until it ends, no other call makes one. */
  tryOnce<T>(attempt: () => T): T {
    this.#isTrying = true;
    try {
      return attempt();
    } finally {
      this.#isTrying = false;
      if (this.cause !== undefined) this.#until = Number.POSITIVE_INFINITY;
    }
  }

  tryEnded(): void {
    if (this.#until === Number.POSITIVE_INFINITY) this.#until = 0;
  }
}
