import { type Arm, Arms, type ArmsMemory, meanOf, upperBound } from "./arms.ts";
import { Estimate, type Evidence } from "./estimate.ts";
import { handedOn } from "./shark.ts";

/** What is known about a link before it is followed. */
export interface Clue {
  /** How well its own words match the keywords, 0–1. */
  readonly score: number;
  /** What the page that names it passed on, 0–1. */
  readonly inherited: number;
}

/** A link that may be followed: its best clue so far, and the arms it belongs to. */
export interface Prospect {
  clue: Clue;
  mentions: number;
  /** Sum of what the pages that name it passed on. */
  handed: number;
  readonly folder: Arm;
  readonly template: Arm;
  /** The links of the page that named it. */
  siblings: Arm;
  parent: string | undefined;
}

interface Met {
  /** A reference instead of copied fields: very many of these are created, and all must have the same shape to be fast. */
  readonly prospect: Prospect;
  readonly evidence: Evidence;
  readonly handedOn: number;
  /** Its reward so far, from itself and through its links; at most 1. */
  reward: number;
}

/** Plain data for a resumed run. */
export interface FocusMemory {
  readonly weights: Evidence;
  readonly arms: ArmsMemory;
}

export const NO_CLUE: Clue = { score: 0, inherited: 0 };

/** Share of a reward that is credited to the page that named the link; its square to the page before that. */
const THROUGH = 0.5;
const GENERATIONS = 2;
/** Weights of the exploration bonus: for folders and templates, and for the links of one page, of which there are very many. */
const CURIOSITY = 0.08;
const CURIOSITY_OF_PAGES = 0.02;
/** Pages that can still be credited for what their links lead to. */
const MOST_MET = 20_000;
/** An inherited clue is at most half of a page's relevance; this scales it to 0–1. */
const FULL_INHERITANCE = 2;

/**
 * Estimates the value of a link under the keywords. Evidence: its own words, what the pages that name it pass on, and the results of other
 * links of its folder, its template and its page; the weights of these are learned too. A page is worth its own relevance and a part of
 * what it led to, so that lists of targets are sought as well as targets. Kinds that were seldom tried get an exploration bonus.
 */
export class Focus {
  readonly #arms = new Arms();
  readonly #all = this.#arms.of("");
  readonly #estimate = new Estimate();
  readonly #met = new Map<string, Met>();
  /** Reused buffer: thousands of promises are recalculated with each batch. */
  readonly #scratch: number[] = [];

  prospect(clue: Clue, template: string, parent: string | undefined): Prospect {
    const folder = template.slice(0, template.lastIndexOf("/") + 1);
    return {
      clue,
      mentions: 1,
      handed: clue.inherited,
      folder: this.#arms.of(`*${folder}`),
      template: this.#arms.of(`=${template}`),
      siblings: this.#arms.ofPage(parent),
      parent,
    };
  }

  /** Another page names it: the better clue counts, and the page whose links did better so far. */
  hearAgain(known: Prospect, clue: Clue, parent: string | undefined): void {
    known.mentions += 1;
    known.handed += clue.inherited;
    const { score, inherited } = known.clue;
    if (clue.score > score || clue.inherited > inherited)
      known.clue = { score: Math.max(score, clue.score), inherited: Math.max(inherited, clue.inherited) };
    const siblings = this.#arms.ofPage(parent);
    if (meanOf(siblings, this.#usual) <= meanOf(known.siblings, this.#usual)) return;
    known.siblings = siblings;
    known.parent = parent;
  }

  /** The expected value now, with the exploration bonus, 0–1. */
  promise(prospect: Prospect): number {
    const { folder, template, siblings } = prospect;
    const ofKind = upperBound((folder.tries + template.tries) / 2, this.#all.tries);
    const hope = CURIOSITY * ofKind + CURIOSITY_OF_PAGES * upperBound(siblings.tries, this.#all.tries);
    return Math.min(1, this.#estimate.of(this.#evidence(prospect, this.#scratch)) + hope);
  }

  /** The average value of a page of this run. */
  get #usual(): number {
    return meanOf(this.#all, 0);
  }

  #evidence({ clue, handed, mentions, folder, template, siblings }: Prospect, into: number[] = []): Evidence {
    const usual = this.#usual;
    const ofFolder = meanOf(folder, usual);
    into[0] = 1;
    into[1] = clue.score;
    into[2] = FULL_INHERITANCE * clue.inherited;
    into[3] = (FULL_INHERITANCE * handed) / mentions;
    into[4] = ofFolder;
    into[5] = meanOf(template, ofFolder);
    into[6] = meanOf(siblings, usual);
    return into;
  }

  /** Learns from a followed link; `relevance` is undefined if it could not be measured. */
  learn(url: string, prospect: Prospect, relevance: number | undefined): void {
    const evidence = this.#evidence(prospect);
    const met: Met = { prospect, evidence, handedOn: handedOn(relevance ?? 0, prospect.clue.inherited), reward: 0 };
    this.#met.set(url, met);
    if (this.#met.size > MOST_MET) this.#met.delete(this.#met.keys().next().value!);
    if (relevance === undefined) return;
    this.#estimate.correct(evidence, -this.#estimate.of(evidence));
    for (const arm of this.#armsOf(prospect)) arm.tries += 1;
    this.#reward(met, relevance);
    this.#credit(prospect.parent, relevance * THROUGH, GENERATIONS);
  }

  #armsOf = ({ folder, template, siblings }: Prospect): Arm[] => [this.#all, folder, template, siblings];

  #reward(met: Met, worth: number): void {
    const more = Math.min(worth, 1 - met.reward);
    met.reward += more;
    this.#estimate.correct(met.evidence, more);
    for (const arm of this.#armsOf(met.prospect)) arm.worth += more;
  }

  #credit(url: string | undefined, worth: number, generations: number): void {
    const met = this.#metAt(url);
    if (!met || worth <= 0 || generations === 0) return;
    this.#reward(met, worth);
    this.#credit(met.prospect.parent, worth * THROUGH, generations - 1);
  }

  #metAt(url: string | undefined): Met | undefined {
    return url === undefined ? undefined : this.#met.get(url);
  }

  /** What a page passes on to its links. */
  handedOnBy(url: string | undefined): number {
    return this.#metAt(url)?.handedOn ?? 0;
  }

  /** The clue of a page at the time of its visit. */
  clueOf(url: string | undefined): Clue {
    return this.#metAt(url)?.prospect.clue ?? NO_CLUE;
  }

  snapshot(): FocusMemory {
    return { weights: this.#estimate.snapshot(), arms: this.#arms.snapshot() };
  }

  restore({ weights, arms }: FocusMemory): void {
    this.#estimate.restore(weights);
    this.#arms.restore(arms);
  }
}
