import {
  type Clue,
  Focus,
  type FocusMemory,
  NO_CLUE,
  openScorer,
  type Prospect,
  type Scorer,
  type ScorerKind,
  scoreUnder,
} from "../../../analysis/score/index.ts";
import { templateOf } from "../../../analysis/url/index.ts";
import type { Hash64, LinkMatches, Visit } from "../../../core/records.ts";
import type { WordMatch } from "../../../store/index.ts";
import type { LinkSet } from "../read/link-set.ts";
import { type Clues, hashText, type Mention } from "./mention.ts";

export interface EstimatorSetup {
  readonly keywords: readonly (readonly [word: string, weight: number])[];
  readonly scorer: ScorerKind;
  readonly scoreRatio: number;
}

/** The lower 53 bits of a hash as a number: a faster map key than a string, for every link of every page. */
const hashNumber = ({ hi, lo }: Hash64): number => (hi >>> 11) * 2 ** 32 + lo;

/** A queued URL, and the promise it was ranked by. */
export interface TrackedUrl {
  readonly prospect: Prospect;
  readonly hash: Hash64;
  readonly url: string;
  readonly depth: number;
  readonly isNofollow: boolean;
  readonly lastmod: number | undefined;
  estimate: number;
}

/** Limit for queued URLs whose promise is remembered; the oldest are evicted and keep their queue position. */
const MAX_TRACKED = 30_000;
/** URLs checked for a shift with each batch, and the limit for those that move. */
const MAX_CHECKED_PER_BATCH = 2000;
const MAX_MOVED_PER_BATCH = 200;
/** Smallest change of a promise that moves a URL. */
const MIN_CHANGE = 1 / 32;
const UNKNOWN_ESTIMATE = 0.5;

/** Estimates how well queued URLs fit the keywords, and finds those to re-rank when a kind of links turns out better or worse. */
export class RelevanceEstimator {
  readonly #setup: EstimatorSetup;
  readonly #score: (matches: readonly WordMatch[]) => number;
  readonly #focus = new Focus();
  readonly #tracked = new Map<number, TrackedUrl>();
  #next = this.#tracked.values();
  #scorer: Scorer | undefined;

  constructor(setup: EstimatorSetup) {
    this.#setup = setup;
    this.#score = scoreUnder(Object.fromEntries(setup.keywords), setup.scoreRatio);
  }

  /** The clues of a page's links: scores from the reader's matches, or from stored matches if the page was not read. */
  cluesOf(links: LinkSet, matches: LinkMatches | undefined, page: string | undefined): Clues {
    const inherited = this.inheritedFrom(page);
    const read = matches && this.#byLink(matches);
    return (index) => {
      const found = read ? read.get(index) : links.stored?.get(hashText(links.hash(index)));
      return { score: found ? this.#scoreOf(found) : 0, inherited };
    };
  }

  #byLink({ links, words, matches }: LinkMatches): Map<number, WordMatch[]> {
    const found = new Map<number, WordMatch[]>();
    for (const [at, link] of links.entries()) {
      const match = { word: this.#setup.keywords[words[at]!]![0], match: matches[at]! };
      const known = found.get(link);
      if (known) known.push(match);
      else found.set(link, [match]);
    }
    return found;
  }

  #scoreOf(matches: readonly WordMatch[]): number {
    return Math.min(1, this.#score(matches));
  }

  /** The score of a URL by the words in it alone. */
  #scoreOfUrl(url: string): number {
    const words = this.#setup.keywords.map(([word]) => word);
    this.#scorer ??= openScorer(words, { kind: this.#setup.scorer });
    return this.#scoreOf(this.#scorer.match({ text: "", url }).map((match, place) => ({ word: words[place]!, match })));
  }

  /** Call when a URL is about to be queued, named by this page. */
  track(mention: Mention, parent: string | undefined): void {
    const { hash, url, depth, isNofollow, lastmod } = mention;
    const prospect = this.#focus.prospect(this.#clueOf(mention, parent), templateOf(url), parent);
    this.#tracked.set(hashNumber(hash), { prospect, hash, url, depth, isNofollow, lastmod, estimate: 0 });
    if (this.#tracked.size > MAX_TRACKED) this.#tracked.delete(this.#tracked.keys().next().value!);
  }

  /** A redirect target inherits its source's clue; sitemap URLs are scored by their own words. */
  #clueOf({ clue, via, url }: Mention, parent: string | undefined): Clue {
    if (clue) return clue();
    if (via === "seed") return { score: 1, inherited: 1 };
    if (via === "redirect") return this.#focus.clueOf(parent);
    const score = via === "sitemap" ? this.#scoreOfUrl(url) : 0;
    return { score, inherited: this.inheritedFrom(parent) };
  }

  /** A repeat mention: the better clue counts. */
  addMention(hash: Hash64, clue: () => Clue, parent: string | undefined): void {
    const known = this.#tracked.get(hashNumber(hash));
    if (known) this.#focus.hearAgain(known.prospect, clue(), parent);
  }

  isTracked(hash: Hash64): boolean {
    return this.#tracked.has(hashNumber(hash));
  }

  /** The promise a URL is ranked by; remembered for `changedEstimates`. URLs queued by an earlier process have no estimate here. */
  estimateOf(hash: Hash64): number {
    const known = this.#tracked.get(hashNumber(hash));
    if (!known) return UNKNOWN_ESTIMATE;
    known.estimate = this.#focus.promise(known.prospect);
    return known.estimate;
  }

  /** Learns from a visited page; `relevance` is undefined if it could not be measured. */
  learn({ hash, url, parent }: Pick<Visit, "hash" | "url" | "parent">, relevance: number | undefined): void {
    const known = this.#tracked.get(hashNumber(hash))?.prospect ?? this.#focus.prospect(NO_CLUE, templateOf(url), parent);
    this.#tracked.delete(hashNumber(hash));
    this.#focus.learn(url, known, relevance);
  }

  /** What a visited page passes on to its links (shark-search). */
  inheritedFrom(url: string | undefined): number {
    return this.#focus.handedOnBy(url);
  }

  /** Queued URLs whose promise has changed since they were ranked. Each call checks a bounded number of them, in rotation. */
  *changedEstimates(): Iterable<TrackedUrl> {
    let moved = 0;
    for (let left = Math.min(MAX_CHECKED_PER_BATCH, this.#tracked.size); left > 0 && moved < MAX_MOVED_PER_BATCH; left--) {
      const tracked = this.#nextInRotation();
      if (!tracked || Math.abs(this.#focus.promise(tracked.prospect) - tracked.estimate) < MIN_CHANGE) continue;
      moved += 1;
      yield tracked;
    }
  }

  #nextInRotation(): TrackedUrl | undefined {
    const { done, value } = this.#next.next();
    if (!done) return value;
    this.#next = this.#tracked.values();
    return this.#next.next().value;
  }

  snapshot(): FocusMemory {
    return this.#focus.snapshot();
  }

  restore(memory: FocusMemory): void {
    this.#focus.restore(memory);
  }
}
