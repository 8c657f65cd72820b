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

interface VisitedLink {
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
const CREDIT_SHARE = 0.5;
const MAX_GENERATIONS = 2;
/** Weights of the exploration bonus: for folders and templates, and for the links of one page, of which there are very many. */
const EXPLORATION = 0.08;
const PAGE_EXPLORATION = 0.02;
/** Pages that can still be credited for what their links lead to. */
const MAX_VISITED = 20_000;
/** An inherited clue is at most half of a page's relevance; this scales it to 0–1. */
const INHERITANCE_SCALE = 2;

/**
 * Estimates the value of a link under the keywords. Evidence: its own words, what the pages that name it pass on, and the results of other
 * links of its folder, its template and its page; the weights of these are learned too. A page is worth its own relevance and a part of
 * what it led to, so that lists of targets are sought as well as targets. Kinds that were seldom tried get an exploration bonus.
 */
export class Focus {
  readonly #arms = new Arms();
  readonly #all = this.#arms.of("");
  readonly #estimate = new Estimate();
  readonly #visited = new Map<string, VisitedLink>();
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
    if (meanOf(siblings, this.#averageValue) <= meanOf(known.siblings, this.#averageValue)) return;
    known.siblings = siblings;
    known.parent = parent;
  }

  /** The expected value now, with the exploration bonus, 0–1. */
  promise(prospect: Prospect): number {
    const { folder, template, siblings } = prospect;
    const kindBonus = upperBound((folder.tries + template.tries) / 2, this.#all.tries);
    const bonus = EXPLORATION * kindBonus + PAGE_EXPLORATION * upperBound(siblings.tries, this.#all.tries);
    return Math.min(1, this.#estimate.of(this.#evidence(prospect, this.#scratch)) + bonus);
  }

  /** The average value of a page of this run. */
  get #averageValue(): number {
    return meanOf(this.#all, 0);
  }

  #evidence({ clue, handed, mentions, folder, template, siblings }: Prospect, output: number[] = []): Evidence {
    const averageValue = this.#averageValue;
    const ofFolder = meanOf(folder, averageValue);
    output[0] = 1;
    output[1] = clue.score;
    output[2] = INHERITANCE_SCALE * clue.inherited;
    output[3] = (INHERITANCE_SCALE * handed) / mentions;
    output[4] = ofFolder;
    output[5] = meanOf(template, ofFolder);
    output[6] = meanOf(siblings, averageValue);
    return output;
  }

  /** Learns from a followed link; `relevance` is undefined if it could not be measured. */
  learn(url: string, prospect: Prospect, relevance: number | undefined): void {
    const evidence = this.#evidence(prospect);
    const visited: VisitedLink = { prospect, evidence, handedOn: handedOn(relevance ?? 0, prospect.clue.inherited), reward: 0 };
    this.#visited.set(url, visited);
    if (this.#visited.size > MAX_VISITED) this.#visited.delete(this.#visited.keys().next().value!);
    if (relevance === undefined) return;
    this.#estimate.correct(evidence, -this.#estimate.of(evidence));
    for (const arm of this.#armsOf(prospect)) arm.tries += 1;
    this.#reward(visited, relevance);
    this.#credit(prospect.parent, relevance * CREDIT_SHARE, MAX_GENERATIONS);
  }

  #armsOf = ({ folder, template, siblings }: Prospect): Arm[] => [this.#all, folder, template, siblings];

  #reward(visited: VisitedLink, worth: number): void {
    const more = Math.min(worth, 1 - visited.reward);
    visited.reward += more;
    this.#estimate.correct(visited.evidence, more);
    for (const arm of this.#armsOf(visited.prospect)) arm.worth += more;
  }

  #credit(url: string | undefined, worth: number, generations: number): void {
    const visited = this.#visitedAt(url);
    if (!visited || worth <= 0 || generations === 0) return;
    this.#reward(visited, worth);
    this.#credit(visited.prospect.parent, worth * CREDIT_SHARE, generations - 1);
  }

  #visitedAt(url: string | undefined): VisitedLink | undefined {
    return url === undefined ? undefined : this.#visited.get(url);
  }

  /** What a page passes on to its links. */
  handedOnBy(url: string | undefined): number {
    return this.#visitedAt(url)?.handedOn ?? 0;
  }

  /** The clue of a page at the time of its visit. */
  clueOf(url: string | undefined): Clue {
    return this.#visitedAt(url)?.prospect.clue ?? NO_CLUE;
  }

  snapshot(): FocusMemory {
    return { weights: this.#estimate.snapshot(), arms: this.#arms.snapshot() };
  }

  restore({ weights, arms }: FocusMemory): void {
    this.#estimate.restore(weights);
    this.#arms.restore(arms);
  }
}
