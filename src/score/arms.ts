/** A kind of links: how many were followed, and what came of them. */
export interface Arm {
  tries: number;
  /** Sum of the rewards, each 0–1. */
  worth: number;
}

/** Plain data, so that a resumed run goes on knowing. */
export type ArmsMemory = readonly (readonly [name: string, tries: number, worth: number])[];

/** What the next wider kind says counts like so many tries. */
const DOUBT = 3;
const MOST_ARMS = 20_000;
const MOST_KEPT = 600;

/** The kinds of links met so far, by name. Of too many, the untried are forgotten first and then the oldest. */
export class Arms {
  readonly #arms = new Map<string, Arm>();
  #page: { readonly url: string | undefined; readonly arm: Arm } | undefined;

  /** The links of a page: asked for by each of them in turn. */
  ofPage(url: string | undefined): Arm {
    if (!this.#page || this.#page.url !== url) this.#page = { url, arm: this.of(`<${url ?? ""}`) };
    return this.#page.arm;
  }

  of(name: string): Arm {
    let arm = this.#arms.get(name);
    if (arm) return arm;
    if (this.#arms.size >= MOST_ARMS) this.#forget();
    arm = { tries: 0, worth: 0 };
    this.#arms.set(name, arm);
    return arm;
  }

  #forget(): void {
    this.#page = undefined;
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
    for (const [name, tries, worth] of memory) Object.assign(this.of(name), { tries, worth });
  }
}

/** What a kind brings on average, the more believed the oftener it was tried; `prior` is what a wider kind says. */
export const meanOf = ({ tries, worth }: Arm, prior: number): number => (worth + DOUBT * prior) / (tries + DOUBT);

/** How much better an arm may be than it seems (UCB1), in units of its reward: the seldom tried may be much better. */
export const upperBound = (tries: number, allTries: number): number => Math.sqrt((2 * Math.log(1 + allTries)) / (1 + tries));
