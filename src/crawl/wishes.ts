import type { Frontier } from "../frontier/index.ts";
import type { Visit } from "../records.ts";
import type { Hooks, Wish } from "./hooks.ts";

/** A turn is for now, where others of its host can go out meanwhile: who takes longer to say how it is to be used waits for the next. */
const PROMPT = 1;
/** Nobody is put off for less, or a wish could keep us busy for ever. */
const LEAST_PAUSE = 1000;

/** So many wishes are kept for turns to come; of the one that was made first is asked again. */
const MOST_KEPT = 10_000;

/** What is wished for each request, asked before it is made. */
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

  /** Undefined if the visit is not to be made with this turn: it has been put off. */
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
    // Others of this host may have gone out meanwhile, so the distance to them would be too short.
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(visit.id, wish);
    await this.#frontier.putOff(visit.turn, 0);
    return undefined;
  }
}
