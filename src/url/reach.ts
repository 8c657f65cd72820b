import type { Hash64 } from "../records.ts";

/** A link to another page of the same list or calendar. */
export interface Step {
  readonly at: number;
  readonly hash: Hash64;
}

/** The furthest page that was named in one direction. */
interface End extends Step {
  /** It was named where nothing more may be followed. */
  readonly isOpen: boolean;
  readonly isAsked: boolean;
}

/** Plain data, for a resumed run. */
export type ReachMemory = readonly [low: End | null, high: End | null];

/**
 * How far a list or a calendar is known to go. Whoever always takes the link that goes further than all before comes to the end of a
 * real one within a few steps; if there is still such a link where no more may be followed, its end is out of reach.
 */
export class Reach {
  #low: End | null;
  #high: End | null;

  constructor([low, high]: ReachMemory = [null, null]) {
    this.#low = low;
    this.#high = high;
  }

  get isOpenBelow(): boolean {
    return this.#low?.isOpen ?? false;
  }

  get isOpenAbove(): boolean {
    return this.#high?.isOpen ?? false;
  }

  /** Where a page leads; `isGround`: that is too far to be visited. */
  learn(steps: readonly Step[], isGround: boolean): void {
    for (const step of steps) {
      const end = { ...step, isOpen: isGround, isAsked: false };
      if (!this.#low || step.at < this.#low.at) this.#low = end;
      if (!this.#high || step.at > this.#high.at) this.#high = end;
    }
  }

  /** The ends that nobody asked for yet, to be visited next. */
  ask(): Hash64[] {
    const ends = [this.#low, this.#high].filter((end) => end && !end.isOpen && !end.isAsked) as End[];
    if (this.#low) this.#low = { ...this.#low, isAsked: true };
    if (this.#high) this.#high = { ...this.#high, isAsked: true };
    return ends.map(({ hash }) => hash);
  }

  snapshot(): ReachMemory {
    return [this.#low, this.#high];
  }
}
