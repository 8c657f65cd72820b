import type { Hash64 } from "../records.ts";

/** A link to another page of the same list or calendar. */
export interface Step {
  readonly at: number;
  readonly hash: Hash64;
}

/** The furthest page in one direction, measured by its outlook. */
interface End extends Step {
  /** The position reached after the allowed number of further steps of this length. */
  readonly outlook: number;
  /** True if no more steps are allowed and the steps have not become shorter. */
  readonly isOpen: boolean;
  readonly isAsked: boolean;
}

/** Plain data for a resumed run: whether the end is out of reach, below and above. */
export type ReachMemory = readonly [isOpenBelow: boolean, isOpenAbove: boolean];

const MOST_STEPS = 20;
const MOST_STRIDES = 64;
/** A stride seen this often is the pager's own; the distance to the last page differs from page to page. */
const USUAL = 3;
/** Steps become shorter near an end: with hundreds of pages left they go by tens. Months differ in length, so not exactly 1. */
const AS_LONG = 0.8;

/**
 * How far a list or calendar is known to go. Following the longest steps reaches the end of a real one soon; if such a step still exists
 * where no more are allowed, the end is out of reach.
 */
export class Reach {
  readonly #below: Direction;
  readonly #above: Direction;

  /** The stored state may be older than the visits, so ends that were not reached before are searched for again. */
  constructor([isOpenBelow, isOpenAbove]: ReachMemory = [false, false]) {
    this.#below = new Direction(-1, isOpenBelow);
    this.#above = new Direction(1, isOpenAbove);
  }

  get isOpenBelow(): boolean {
    return this.#below.isOpen;
  }

  get isOpenAbove(): boolean {
    return this.#above.isOpen;
  }

  /**
   * Records where the page at `from` leads, and how many more steps are allowed from there; negative if the page itself is already too
   * far.
   */
  learn(from: number, steps: readonly Step[], left: number): void {
    this.#below.learn(from, steps, left);
    this.#above.learn(from, steps, left);
  }

  /** The ends not yet requested, to be visited next. */
  ask(): Hash64[] {
    return [...this.#below.ask(), ...this.#above.ask()];
  }

  snapshot(): ReachMemory {
    return [this.isOpenBelow, this.isOpenAbove];
  }
}

class Direction {
  readonly #sign: 1 | -1;
  readonly #wasOpen: boolean;
  readonly #strides = new Map<number, number>();
  #end: End | undefined;
  /** The furthest page without a link further on. */
  #last = Number.NEGATIVE_INFINITY;

  constructor(sign: 1 | -1, wasOpen: boolean) {
    this.#sign = sign;
    this.#wasOpen = wasOpen;
  }

  get isOpen(): boolean {
    return this.#wasOpen || (this.#end?.isOpen ?? false);
  }

  learn(from: number, steps: readonly Step[], left: number): void {
    if (this.#end?.at === from) this.#end = undefined;
    const onward = steps.filter(({ at }) => this.#sign * (at - from) > 0);
    if (onward.length === 0) this.#last = Math.max(this.#last, this.#sign * from);
    for (const step of onward) this.#take(step, this.#sign * (step.at - from), left);
  }

  #take(step: Step, stride: number, left: number): void {
    if (this.#strides.size < MOST_STRIDES || this.#strides.has(stride)) this.#strides.set(stride, (this.#strides.get(stride) ?? 0) + 1);
    const outlook = this.#sign * step.at + stride * Math.min(MOST_STEPS, Math.max(0, left));
    if (this.#sign * step.at <= this.#last || (this.#end && outlook <= this.#end.outlook)) return;
    this.#end = { ...step, outlook, isOpen: left < 0 && stride >= AS_LONG * this.#usualStride(), isAsked: false };
  }

  ask(): Hash64[] {
    if (!this.#end || this.#end.isOpen || this.#end.isAsked) return [];
    this.#end = { ...this.#end, isAsked: true };
    return [this.#end.hash];
  }

  #usualStride(): number {
    let longest = 0;
    for (const [stride, count] of this.#strides) if (count >= USUAL && stride > longest) longest = stride;
    return longest;
  }
}
