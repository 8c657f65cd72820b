import type { ConnectionLost } from "./errors.ts";

const FIRST = 250;
const LONGEST = 10_000;

/**
 * After a connection was lost, the next call tries a new one at once. While that fails, whoever asks is told so without a try until a pause is over, each longer than
 * the one before. No pause is as long as another's: many processes that lost one database do not come back to it at the same moment.
 */
export class ReconnectPause {
  cause: ConnectionLost | undefined;
  #until = 0;
  #next = 0;
  #covered = 0;
  #isPassing = false;

  /** The moment, of the monotonic clock, from which a call may try. */
  get until(): number {
    return this.#until;
  }

  get isOn(): boolean {
    return this.cause !== undefined && !this.#isPassing && performance.now() < this.#until;
  }

  /** Question `number` of those `asked` so far has failed: all that were under way fail with it, and that is one failure. */
  begin(cause: ConnectionLost, number: number, asked: number): void {
    if (number <= this.#covered) return;
    this.#covered = asked;
    const now = performance.now();
    this.cause = cause;
    this.#until = now + this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(LONGEST, Math.max(FIRST, 2 * this.#next));
  }

  end(): void {
    this.cause = undefined;
    this.#until = 0;
    this.#next = 0;
  }

  /** One try; until it has ended, nobody else makes one. */
  pass<T>(tryIt: () => T): T {
    this.#isPassing = true;
    try {
      return tryIt();
    } finally {
      this.#isPassing = false;
      if (this.cause !== undefined) this.#until = Number.POSITIVE_INFINITY;
    }
  }

  passed(): void {
    if (this.#until === Number.POSITIVE_INFINITY) this.#until = 0;
  }
}
