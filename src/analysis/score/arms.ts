/** A kind of links (bandit arm): how often it was followed, and with what reward. */
export interface Arm {
  tries: number;
  /** Sum of the rewards, each 0–1. */
  worth: number;
}

/** Plain data for a resumed run. */
export type ArmsMemory = readonly (readonly [name: string, tries: number, worth: number])[];

/** The prior, the mean of the next wider kind, counts as this many tries. */
const PRIOR_TRIES = 3;
const MAX_ARMS = 20_000;
const MAX_STORED_ARMS = 600;

/** The kinds of links met so far, by name. Beyond the limit, untried ones are evicted first, then the oldest. */
export class Arms {
  readonly #arms = new Map<string, Arm>();
  #page: { readonly url: string | undefined; readonly arm: Arm } | undefined;

  /** The arm of a page's links; cached, because each of its links asks for it in turn. */
  ofPage(url: string | undefined): Arm {
    if (!this.#page || this.#page.url !== url) this.#page = { url, arm: this.of(`<${url ?? ""}`) };
    return this.#page.arm;
  }

  of(name: string): Arm {
    let arm = this.#arms.get(name);
    if (arm) return arm;
    if (this.#arms.size >= MAX_ARMS) this.#evict();
    arm = { tries: 0, worth: 0 };
    this.#arms.set(name, arm);
    return arm;
  }

  #evict(): void {
    this.#page = undefined;
    for (const [name, { tries }] of this.#arms) if (tries === 0) this.#arms.delete(name);
    let excess = this.#arms.size - (3 * MAX_ARMS) / 4;
    for (const name of this.#arms.keys()) {
      if (excess-- <= 0) break;
      this.#arms.delete(name);
    }
  }

  /** The arms tried most often. */
  snapshot(): ArmsMemory {
    return [...this.#arms]
      .filter(([, { tries }]) => tries > 0)
      .sort(([, a], [, b]) => b.tries - a.tries)
      .slice(0, MAX_STORED_ARMS)
      .map(([name, { tries, worth }]) => [name, tries, Math.round(worth * 1000) / 1000]);
  }

  restore(memory: ArmsMemory): void {
    for (const [name, tries, worth] of memory) Object.assign(this.of(name), { tries, worth });
  }
}

/** The mean reward of a kind, shrunk towards `prior` (the mean of a wider kind); the more tries, the less. */
export const meanOf = ({ tries, worth }: Arm, prior: number): number => (worth + PRIOR_TRIES * prior) / (tries + PRIOR_TRIES);

/** The exploration bonus (UCB1), in units of the reward: seldom tried arms may be much better than they seem. */
export const upperBound = (tries: number, allTries: number): number => Math.sqrt((2 * Math.log(1 + allTries)) / (1 + tries));
