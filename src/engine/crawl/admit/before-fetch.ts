import type { Visit } from "../../../core/records.ts";
import type { Frontier } from "../../frontier/index.ts";
import type { Hooks, RequestChange } from "../hooks.ts";

/**
 * With perHost > 1, a beforeFetch hook that takes longer than this (ms) loses its turn, because another request to the host may have left
 * meanwhile.
 */
const MAX_HOOK_MS = 1;
/** Shortest deferral (ms); without it a hook that defers by 0 would keep the crawl busy forever. */
const MIN_PAUSE_MS = 1000;

/** Limit for kept answers; the oldest is evicted, and its hook is called again. */
const MAX_KEPT_ANSWERS = 10_000;

/** Calls the beforeFetch hook before each request and keeps its answer if the turn was lost. */
export class BeforeFetch {
  readonly #hook: NonNullable<Hooks["beforeFetch"]>;
  readonly #frontier: Frontier;
  readonly #clock: { now(): number };
  readonly #maxHookTime: number;
  readonly #kept = new Map<number, RequestChange>();

  constructor(
    hook: NonNullable<Hooks["beforeFetch"]>,
    { frontier, clock, perHost }: { frontier: Frontier; clock: { now(): number }; perHost: number },
  ) {
    this.#hook = hook;
    this.#maxHookTime = perHost > 1 ? MAX_HOOK_MS : Number.POSITIVE_INFINITY;
    this.#frontier = frontier;
    this.#clock = clock;
  }

  /** Undefined if the visit has been put off and this turn is not used. */
  async requestChange(visit: Visit): Promise<RequestChange | undefined> {
    const kept = this.#kept.get(visit.id);
    if (kept) {
      this.#kept.delete(visit.id);
      return kept;
    }
    const askedAt = this.#clock.now();
    const answer = await this.#hook(visit);
    if (answer.defer !== undefined) {
      await this.#frontier.putOff(visit.turn, Math.max(MIN_PAUSE_MS, answer.defer));
      return undefined;
    }
    if (this.#clock.now() - askedAt <= this.#maxHookTime) return answer;
    // Another request to this host may have left meanwhile, so the delay would be too short.
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT_ANSWERS && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(visit.id, answer);
    await this.#frontier.putOff(visit.turn, 0);
    return undefined;
  }
}
