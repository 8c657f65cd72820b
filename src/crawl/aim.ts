import type { Hash64, LinkMatches, Visit } from "../records.ts";
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
} from "../score/index.ts";
import type { WordMatch } from "../store/index.ts";
import { templateOf } from "../url/index.ts";
import type { LinkSet } from "./link-set.ts";
import { type Clues, keyText, type Mention } from "./mention.ts";

export interface AimSetup {
  readonly keywords: readonly (readonly [word: string, weight: number])[];
  readonly scorer: ScorerKind;
  readonly scoreRatio: number;
}

/** The lower 53 bits of a hash as a number: a faster map key than a string, for every link of every page. */
const keyOf = ({ hi, lo }: Hash64): number => (hi >>> 11) * 2 ** 32 + lo;

/** A queued URL, and the promise it was ranked by. */
export interface Awaited {
  readonly prospect: Prospect;
  readonly hash: Hash64;
  readonly url: string;
  readonly depth: number;
  readonly isUnloved: boolean;
  readonly lastmod: number | undefined;
  promised: number;
}

/** Limit for queued URLs whose promise is remembered; the oldest are evicted and keep their queue position. */
const MOST_AWAITED = 30_000;
/** URLs checked for a shift with each batch, and the limit for those that move. */
const LOOKED_AT = 2000;
const MOST_MOVED = 200;
/** Smallest change of a promise that moves a URL. */
const SHIFT = 1 / 32;
const UNKNOWN = 0.5;

/** Estimates how well queued URLs fit the keywords, and finds those to re-rank when a kind of links turns out better or worse. */
export class Aim {
  readonly #setup: AimSetup;
  readonly #score: (matches: readonly WordMatch[]) => number;
  readonly #focus = new Focus();
  readonly #awaited = new Map<number, Awaited>();
  #next = this.#awaited.values();
  #scorer: Scorer | undefined;

  constructor(setup: AimSetup) {
    this.#setup = setup;
    this.#score = scoreUnder(Object.fromEntries(setup.keywords), setup.scoreRatio);
  }

  /** The clues of a page's links: scores from the reader's matches, or from stored matches if the page was not read. */
  cluesOf(links: LinkSet, matches: LinkMatches | undefined, page: string | undefined): Clues {
    const inherited = this.handedOnBy(page);
    const read = matches && this.#byLink(matches);
    return (index) => {
      const found = read ? read.get(index) : links.stored?.get(keyText(links.hash(index)));
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
  expect(mention: Mention, parent: string | undefined): void {
    const { hash, url, depth, isUnloved, lastmod } = mention;
    const prospect = this.#focus.prospect(this.#clueOf(mention, parent), templateOf(url), parent);
    this.#awaited.set(keyOf(hash), { prospect, hash, url, depth, isUnloved, lastmod, promised: 0 });
    if (this.#awaited.size > MOST_AWAITED) this.#awaited.delete(this.#awaited.keys().next().value!);
  }

  /** A redirect target inherits its source's clue; sitemap URLs are scored by their own words. */
  #clueOf({ clue, via, url }: Mention, parent: string | undefined): Clue {
    if (clue) return clue();
    if (via === "seed") return { score: 1, inherited: 1 };
    if (via === "redirect") return this.#focus.clueOf(parent);
    const score = via === "sitemap" ? this.#scoreOfUrl(url) : 0;
    return { score, inherited: this.handedOnBy(parent) };
  }

  /** A repeat mention: the better clue counts. */
  hearAgain(hash: Hash64, clue: () => Clue, parent: string | undefined): void {
    const known = this.#awaited.get(keyOf(hash));
    if (known) this.#focus.hearAgain(known.prospect, clue(), parent);
  }

  isAwaited(hash: Hash64): boolean {
    return this.#awaited.has(keyOf(hash));
  }

  /** The promise a URL is ranked by; remembered for `shifted`. URLs queued by an earlier process have no estimate here. */
  promiseOf(hash: Hash64): number {
    const known = this.#awaited.get(keyOf(hash));
    if (!known) return UNKNOWN;
    known.promised = this.#focus.promise(known.prospect);
    return known.promised;
  }

  /** Learns from a visited page; `relevance` is undefined if it could not be measured. */
  meet({ hash, url, parent }: Pick<Visit, "hash" | "url" | "parent">, relevance: number | undefined): void {
    const known = this.#awaited.get(keyOf(hash))?.prospect ?? this.#focus.prospect(NO_CLUE, templateOf(url), parent);
    this.#awaited.delete(keyOf(hash));
    this.#focus.learn(url, known, relevance);
  }

  /** What a visited page passes on to its links (shark-search). */
  handedOnBy(url: string | undefined): number {
    return this.#focus.handedOnBy(url);
  }

  /** Queued URLs whose promise has changed since they were ranked. Each call checks a bounded number of them, in rotation. */
  *shifted(): Iterable<Awaited> {
    let moved = 0;
    for (let looked = Math.min(LOOKED_AT, this.#awaited.size); looked > 0 && moved < MOST_MOVED; looked--) {
      const awaited = this.#turn();
      if (!awaited || Math.abs(this.#focus.promise(awaited.prospect) - awaited.promised) < SHIFT) continue;
      moved += 1;
      yield awaited;
    }
  }

  #turn(): Awaited | undefined {
    const { done, value } = this.#next.next();
    if (!done) return value;
    this.#next = this.#awaited.values();
    return this.#next.next().value;
  }

  snapshot(): FocusMemory {
    return this.#focus.snapshot();
  }

  restore(memory: FocusMemory): void {
    this.#focus.restore(memory);
  }
}
