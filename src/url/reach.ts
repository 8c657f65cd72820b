import type { Hash64 } from "../records.ts";

/** A link to another page of the same list or calendar. */
export interface Step {
  readonly at: number;
  readonly hash: Hash64;
}

/** The page in one direction from which it may go furthest. */
interface End extends Step {
  /** How much further it is than the page that named it. */
  readonly stride: number;
  /** Where as many such steps lead as may still be taken. */
  readonly outlook: number;
  /** No more may be taken, and the steps have not become shorter. */
  readonly isOpen: boolean;
  readonly isAsked: boolean;
}

/** Plain data, for a resumed run. */
export type ReachMemory = readonly [below: End | null, above: End | null];

const MOST_STEPS = 20;
/** Steps become shorter before an end: where there were hundreds to go, there are tens. Months are not all of one length. */
const AS_LONG = 0.8;

/**
 * How far a list or a calendar is known to go. Whoever takes the longest steps comes to the end of a real one soon; if there is still
 * such a step where no more may be taken, its end is out of reach.
 */
export class Reach {
  #below: End | null;
  #above: End | null;

  constructor([below, above]: ReachMemory = [null, null]) {
    // What was noted may be older than what was visited, so ends that were not reached are looked for again.
    this.#below = below?.isOpen ? below : null;
    this.#above = above?.isOpen ? above : null;
  }

  get isOpenBelow(): boolean {
    return this.#below?.isOpen ?? false;
  }

  get isOpenAbove(): boolean {
    return this.#above?.isOpen ?? false;
  }

  /** Where the page at `from` leads, and how many steps may be taken from there; less than none if it is itself too far to be visited. */
  learn(from: number, steps: readonly Step[], left: number): void {
    this.#below = further(this.#below, from, steps, left, -1);
    this.#above = further(this.#above, from, steps, left, 1);
  }

  /** The ends that nobody asked for yet, to be visited next. */
  ask(): Hash64[] {
    const ends = [this.#below, this.#above].filter((end) => end !== null && !end.isOpen && !end.isAsked) as End[];
    if (this.#below) this.#below = { ...this.#below, isAsked: true };
    if (this.#above) this.#above = { ...this.#above, isAsked: true };
    return ends.map(({ hash }) => hash);
  }

  snapshot(): ReachMemory {
    return [this.#below, this.#above];
  }
}

function further(known: End | null, from: number, steps: readonly Step[], left: number, sign: 1 | -1): End | null {
  let best = known?.at === from ? null : known;
  for (const step of steps) {
    const stride = sign * (step.at - from);
    const outlook = sign * step.at + stride * Math.min(MOST_STEPS, Math.max(0, left));
    if (stride <= 0 || (best && outlook <= best.outlook)) continue;
    best = { ...step, stride, outlook, isOpen: left < 0 && stride >= AS_LONG * (known?.stride ?? 0), isAsked: false };
  }
  return best;
}
