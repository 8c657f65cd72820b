import { type Arm, Arms, type ArmsMemory, expectation, hope } from "./arms.ts";
import { handedOn, sharkScore } from "./shark.ts";

/** What is known of a link before it is followed. */
export interface Clue {
  /** How far its own words fit the keywords, 0–1. */
  readonly score: number;
  /** What the page that names it handed on, 0–1. */
  readonly inherited: number;
}

/** A link that may be followed: its clue, and the kinds it belongs to, the widest first. */
export interface Prospect {
  clue: Clue;
  arms: readonly Arm[];
  /** The page that named it. */
  parent: string | undefined;
}

export const NO_CLUE: Clue = { score: 0, inherited: 0 };

interface Met extends Prospect {
  readonly handedOn: number;
  /** What it brought so far, itself and through its links: 1 at most. */
  reward: number;
}

export interface FocusMemory {
  readonly tries: number;
  readonly arms: ArmsMemory;
}

/** Of what a link leads to, so much counts for the page that named it, and the square of it for the page before. */
const THROUGH = 0.5;
const GENERATIONS = 2;
/** The weight of hope beside experience. */
const CURIOSITY = 0.05;
/** Pages that may still be credited with what their links lead to. */
const MOST_MET = 20_000;

/**
 * What may a link be worth to whoever named keywords? Before anything is known: what it says of itself, and what its page handed on.
 * Then experience speaks: links of the same site, folder, template and page that said as much of themselves, and what became of them. A
 * page is worth what it says, and a part of what it led to, so that lists of targets are sought as well as targets.
 */
export class Focus {
  readonly #arms = new Arms();
  readonly #met = new Map<string, Met>();
  #tries = 0;

  prospect(clue: Clue, template: string, parent: string | undefined): Prospect {
    return { clue, parent, arms: kindsOf(clue, template, parent).map((kind) => this.#arms.of(kind)) };
  }

  /** What may be expected of it now, 0–1. */
  promise({ clue, arms }: Prospect): number {
    const expected = expectation(arms, sharkScore(clue.score, clue.inherited));
    return Math.min(1, expected + hope(arms[TEMPLATE]!.tries, this.#tries, CURIOSITY));
  }

  /** A link was followed, and the page was worth so much; undefined if that cannot be told. */
  learn(url: string, prospect: Prospect, relevance: number | undefined): void {
    const { clue, arms, parent } = prospect;
    const met: Met = { clue, arms, parent, handedOn: handedOn(relevance ?? 0, clue.inherited), reward: 0 };
    this.#met.set(url, met);
    if (this.#met.size > MOST_MET) this.#met.delete(this.#met.keys().next().value!);
    if (relevance === undefined) return;
    this.#tries += 1;
    for (const arm of arms) arm.tries += 1;
    reward(met, relevance);
    this.#credit(parent, relevance * THROUGH, GENERATIONS);
  }

  /** What a page hands on to its links. */
  handedOnBy(url: string | undefined): number {
    return (url === undefined ? undefined : this.#met.get(url))?.handedOn ?? 0;
  }

  /** What had been known of a page when it was met. */
  clueOf(url: string | undefined): Clue {
    return (url === undefined ? undefined : this.#met.get(url))?.clue ?? NO_CLUE;
  }

  #credit(url: string | undefined, worth: number, generations: number): void {
    const met = url === undefined ? undefined : this.#met.get(url);
    if (!met || worth <= 0 || generations === 0) return;
    reward(met, worth);
    this.#credit(met.parent, worth * THROUGH, generations - 1);
  }

  snapshot(): FocusMemory {
    return { tries: this.#tries, arms: this.#arms.snapshot() };
  }

  restore({ tries, arms }: FocusMemory): void {
    this.#tries = tries;
    this.#arms.restore(arms);
  }
}

function reward(met: Met, worth: number): void {
  const more = Math.min(worth, 1 - met.reward);
  met.reward += more;
  for (const arm of met.arms) arm.worth += more;
}

/** Where the template stands among the kinds. */
const TEMPLATE = 2;

/** Links that speak of the keywords are judged apart from those that do not: here the words may mislead, there they may be missing. */
function kindsOf({ score }: Clue, template: string, parent: string | undefined): string[] {
  const says = score >= 0.5 ? "+" : score > 0 ? "~" : "-";
  const folder = template.slice(0, template.lastIndexOf("/") + 1);
  return [says, `${says}${folder}*`, `${says}${template}`, `${says}<${parent ?? ""}`];
}
