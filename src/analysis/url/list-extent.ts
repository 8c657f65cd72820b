import type { Hash64 } from "../../core/records.ts";

/** A link to another page of the same list or calendar. */
export interface Step {
  readonly at: number;
  readonly hash: Hash64;
}

/** The furthest page in one direction, measured by its outlook. */
interface ListEnd extends Step {
  /** The position reached after the allowed number of further steps of this length. */
  readonly projectedPosition: number;
  /** True if no more steps are allowed and the steps have not become shorter. */
  readonly isEndless: boolean;
  readonly isRequested: boolean;
}

/** Plain data for a resumed run: whether the end is out of reach, below and above. */
export type ListExtentMemory = readonly [isOpenBelow: boolean, isOpenAbove: boolean];

const MAX_STEPS = 20;
const MAX_STEP_LENGTHS = 64;
/** A stride seen this often is the pager's own; the distance to the last page differs from page to page. */
const MIN_STEP_COUNT = 3;
/** Steps become shorter near an end: with hundreds of pages left they go by tens. Months differ in length, so not exactly 1. */
const MIN_STEP_RATIO = 0.8;

/**
 * How far a list or calendar is known to go. Following the longest steps reaches the end of a real one soon; if such a step still exists
 * where no more are allowed, the end is out of reach.
 */
export class ListExtent {
  readonly #below: Direction;
  readonly #above: Direction;

  /** The stored state may be older than the visits, so ends that were not reached before are searched for again. */
  constructor([isEndlessBelow, isEndlessAbove]: ListExtentMemory = [false, false]) {
    this.#below = new Direction(-1, isEndlessBelow);
    this.#above = new Direction(1, isEndlessAbove);
  }

  get isEndlessBelow(): boolean {
    return this.#below.isEndless;
  }

  get isEndlessAbove(): boolean {
    return this.#above.isEndless;
  }

  /**
   * Records where the page at `from` leads, and how many more steps are allowed from there; negative if the page itself is already too
   * far.
   */
  learn(from: number, steps: readonly Step[], stepsLeft: number): void {
    this.#below.learn(from, steps, stepsLeft);
    this.#above.learn(from, steps, stepsLeft);
  }

  /** The ends not yet requested, to be visited next. */
  takeUnvisited(): Hash64[] {
    return [...this.#below.takeUnvisited(), ...this.#above.takeUnvisited()];
  }

  snapshot(): ListExtentMemory {
    return [this.isEndlessBelow, this.isEndlessAbove];
  }
}

class Direction {
  readonly #sign: 1 | -1;
  readonly #wasEndless: boolean;
  readonly #stepLengths = new Map<number, number>();
  #end: ListEnd | undefined;
  /** The furthest page without a link further on. */
  #last = Number.NEGATIVE_INFINITY;

  constructor(sign: 1 | -1, wasEndless: boolean) {
    this.#sign = sign;
    this.#wasEndless = wasEndless;
  }

  get isEndless(): boolean {
    return this.#wasEndless || (this.#end?.isEndless ?? false);
  }

  learn(from: number, steps: readonly Step[], stepsLeft: number): void {
    if (this.#end?.at === from) this.#end = undefined;
    const onward = steps.filter(({ at }) => this.#sign * (at - from) > 0);
    if (onward.length === 0) this.#last = Math.max(this.#last, this.#sign * from);
    for (const step of onward) this.#considerStep(step, this.#sign * (step.at - from), stepsLeft);
  }

  #considerStep(step: Step, stepLength: number, stepsLeft: number): void {
    if (this.#stepLengths.size < MAX_STEP_LENGTHS || this.#stepLengths.has(stepLength))
      this.#stepLengths.set(stepLength, (this.#stepLengths.get(stepLength) ?? 0) + 1);
    const projectedPosition = this.#sign * step.at + stepLength * Math.min(MAX_STEPS, Math.max(0, stepsLeft));
    if (this.#sign * step.at <= this.#last || (this.#end && projectedPosition <= this.#end.projectedPosition)) return;
    this.#end = {
      ...step,
      projectedPosition,
      isEndless: stepsLeft < 0 && stepLength >= MIN_STEP_RATIO * this.#usualStepLength(),
      isRequested: false,
    };
  }

  takeUnvisited(): Hash64[] {
    if (!this.#end || this.#end.isEndless || this.#end.isRequested) return [];
    this.#end = { ...this.#end, isRequested: true };
    return [this.#end.hash];
  }

  #usualStepLength(): number {
    let longest = 0;
    for (const [stepLength, count] of this.#stepLengths) if (count >= MIN_STEP_COUNT && stepLength > longest) longest = stepLength;
    return longest;
  }
}
