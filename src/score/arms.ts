/** A kind of links: how many were followed, and what came of them. */
export interface Arm {
  tries: number;
  /** Sum of the rewards, each 0–1. */
  worth: number;
}

/** Plain data, so that a resumed run goes on knowing. */
export type ArmsMemory = readonly (readonly [name: string, tries: number, worth: number])[];

/** What the next wider kind says counts like so many tries. */
const DOUBT = 2;
const MOST_ARMS = 20_000;
const MOST_KEPT = 600;

/** The kinds of links met so far, by name. What was not looked at for longest is forgotten first. */
export class Arms {
  readonly #arms = new Map<string, Arm>();

  of(name: string): Arm {
    let arm = this.#arms.get(name);
    if (arm) return arm;
    if (this.#arms.size >= MOST_ARMS) this.#forget();
    arm = { tries: 0, worth: 0 };
    this.#arms.set(name, arm);
    return arm;
  }

  /** The untried go first; of the others the oldest quarter. */
  #forget(): void {
    for (const [name, { tries }] of this.#arms) if (tries === 0) this.#arms.delete(name);
    let surplus = this.#arms.size - (3 * MOST_ARMS) / 4;
    for (const name of this.#arms.keys()) {
      if (surplus-- <= 0) break;
      this.#arms.delete(name);
    }
  }

  /** Those that were tried most. */
  snapshot(): ArmsMemory {
    return [...this.#arms]
      .filter(([, { tries }]) => tries > 0)
      .sort(([, a], [, b]) => b.tries - a.tries)
      .slice(0, MOST_KEPT)
      .map(([name, { tries, worth }]) => [name, tries, Math.round(worth * 1000) / 1000]);
  }

  restore(memory: ArmsMemory): void {
    for (const [name, tries, worth] of memory) this.#arms.set(name, { tries, worth });
  }
}

/** What the arms of a link expect of it, from the widest kind to the narrowest: each believes itself the more the oftener it was tried. */
export function expectation(arms: readonly Arm[], prior: number): number {
  let expected = prior;
  for (const { tries, worth } of arms) expected = (worth + DOUBT * expected) / (tries + DOUBT);
  return expected;
}

/** The upper end of what may be hoped for (UCB1): less is known of an arm that was seldom tried. */
export const hope = (tries: number, allTries: number, weight: number): number =>
  weight * Math.sqrt((2 * Math.log(1 + allTries)) / (1 + tries));
