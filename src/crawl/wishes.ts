import type { Frontier } from "../frontier/index.ts";
import type { Visit } from "../records.ts";
import type { Hooks, Wish } from "./hooks.ts";

/**
 * With perHost > 1, a beforeFetch hook that takes longer than this (ms) loses its turn, because another request to the host may have left
 * meanwhile.
 */
const PROMPT = 1;
/** Shortest deferral (ms); without it a hook that defers by 0 would keep the crawl busy forever. */
const LEAST_PAUSE = 1000;

/** Limit for kept answers; the oldest is evicted, and its hook is called again. */
const MOST_KEPT = 10_000;

/** Calls the beforeFetch hook before each request and keeps its answer if the turn was lost. */
export class Wishes {
  readonly #ask: NonNullable<Hooks["beforeFetch"]>;
  readonly #frontier: Frontier;
  readonly #clock: { now(): number };
  readonly #patience: number;
  readonly #kept = new Map<number, Wish>();

  constructor(
    ask: NonNullable<Hooks["beforeFetch"]>,
    { frontier, clock, perHost }: { frontier: Frontier; clock: { now(): number }; perHost: number },
  ) {
    this.#ask = ask;
    this.#patience = perHost > 1 ? PROMPT : Number.POSITIVE_INFINITY;
    this.#frontier = frontier;
    this.#clock = clock;
  }

  /** Undefined if the visit has been put off and this turn is not used. */
  async of(visit: Visit): Promise<Wish | undefined> {
    const kept = this.#kept.get(visit.id);
    if (kept) {
      this.#kept.delete(visit.id);
      return kept;
    }
    const askedAt = this.#clock.now();
    const wish = await this.#ask(visit);
    if (wish.defer !== undefined) {
      await this.#frontier.putOff(visit.turn, Math.max(LEAST_PAUSE, wish.defer));
      return undefined;
    }
    if (this.#clock.now() - askedAt <= this.#patience) return wish;
    // Another request to this host may have left meanwhile, so the delay would be too short.
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(visit.id, wish);
    await this.#frontier.putOff(visit.turn, 0);
    return undefined;
  }
}
