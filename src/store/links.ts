import type { Hash64, Link } from "../core/records.ts";

/** A keyword of a site, and its weight: 0–1. */
export interface Keyword {
  readonly word: string;
  readonly weight: number;
}

/** A scorer and the words it scores links for. Matches refer to a word by its index in this list. */
export interface ScorerSpec {
  readonly scorer: string;
  readonly words: readonly string[];
}

/** A link to store as a row, and how far each word applies to it on this page; words that do not apply are left out. */
export interface LinkToStore extends Link {
  readonly matches: readonly (readonly [place: number, match: number])[];
  /** Matches given by a model or plugin when the page was read. */
  readonly said?: readonly GivenMatch[] | undefined;
}

/** A match given by a model or plugin instead of the scorer. */
export interface GivenMatch {
  readonly word: string;
  readonly match: number;
  readonly scorer: string;
  readonly comment: string | undefined;
}

/** A link of a page, and its matches over all pages. */
export interface PageLink {
  readonly hash: Hash64;
  readonly url: string;
  readonly matches: readonly WordMatch[];
}

/** A link with a match that is new on its site. */
export interface FoundLink {
  readonly siteId: number;
  readonly url: string;
  readonly matches: readonly (readonly [place: number, match: number])[];
}

/** How far a word applies to a link, over all pages that have it. */
export interface WordMatch {
  readonly word: string;
  readonly match: number;
}

/** A link that keywords apply to. The caller computes its score, with the weights. */
export interface MatchedLink {
  readonly id: number;
  /** The first run that found it on the site. */
  readonly firstRunId: number;
  readonly matches: readonly WordMatch[];
}

/** More about a link, from the first page that has it. */
export interface LinkFacts {
  readonly url: string;
  /** The target's content type, if it was fetched. */
  readonly contentType: string | undefined;
  readonly text: string;
  /** Number of pages of the site that have it. */
  readonly pages: number;
  /** Why keywords apply, from a model or a plugin. */
  readonly comments: readonly string[];
}

/** A link as it appears on a page. */
export interface LinkSource {
  readonly pageId: number;
  readonly page: string;
  readonly text: string;
  readonly title: string;
  readonly heading: string;
  readonly context: string;
  readonly firstRunId: number;
  /** The last run that found the page in this state. */
  readonly lastRunId: number;
}

/** A run, and the earliest run before it that left links unscored (itself if there is none). */
export interface RunRange {
  readonly run: number;
  readonly since: number;
}

export interface UnscoredLink {
  readonly linkId: number;
  readonly url: string;
  readonly text: string;
  readonly title: string;
  readonly heading: string;
  readonly context: string;
}

/** A match given by a model or plugin. A match of 0 means that the word does not apply, whatever the embedded scorer found. */
export interface GivenLinkMatch {
  readonly linkId: number;
  readonly word: string;
  readonly match: number;
  readonly comment: string | undefined;
}

/** Words for which the stored links of a site still have to be scored, with the progress. */
export interface PendingScoring extends ScorerSpec {
  /** The last page that is done. */
  readonly after: number;
  /** Number of pages left. */
  readonly pages: number;
}

/** A stored page whose links are to be scored. */
export interface PageToScore {
  readonly pageId: number;
  readonly packed: Uint8Array;
}

/**
 * Links that keywords apply to: part of every store. A link is one row, even if several pages and sites have it; its matches belong to a
 * site.
 */
export interface LinkStore {
  keywords(siteId: number): Promise<readonly Keyword[]>;
  /** The keywords of these sites; a word listed by several has the weight of the first. */
  keywordsOfAny(siteIds: readonly number[]): Promise<readonly Keyword[]>;
  /** Replaces the list. Matches of words that are no longer in it are removed. */
  setKeywords(siteId: number, keywords: readonly Keyword[]): Promise<void>;

  /** What is left until all stored links of a site are scored for its keywords by this scorer. */
  pendingScoring(siteId: number, scorer: string): Promise<PendingScoring | undefined>;
  pagesToScore(siteId: number, after: number, limit: number): Promise<readonly PageToScore[]>;
  /**
   * Stores one batch and the progress in one transaction; does nothing if another process was first. An empty batch completes the scoring.
   */
  saveScores(siteId: number, pending: PendingScoring, pages: readonly { pageId: number; links: readonly LinkToStore[] }[]): Promise<void>;

  /** Every link of the site with a match, by id; with `sinceRun` only links first found by that run or a later one. */
  matched(siteId: number, sinceRun?: number): AsyncIterable<MatchedLink>;
  facts(siteId: number, linkId: number): Promise<LinkFacts>;
  /** The pages that have it now, in the order they first had it. */
  sources(siteId: number, linkId: number, limit: number): Promise<readonly LinkSource[]>;
  /** The links of a page that keywords apply to. */
  onPage(pageId: number): Promise<readonly PageLink[]>;
  /** For the links of a page: the matches from this page's own text. */
  matchesOf(pageId: number): Promise<readonly { readonly hash: Hash64; readonly matches: readonly WordMatch[] }[]>;

  /** Links not scored by this scorer yet, by id: those of pages new or changed in these runs, or of all pages. */
  unscored(
    siteId: number,
    runs: RunRange | undefined,
    scorer: string,
    range: { after: number; limit: number },
  ): Promise<readonly UnscoredLink[]>;
  /** Valid until the link's text changes. Words outside the site's list are stored, too. */
  saveMatches(siteId: number, scorer: string, givenMatches: readonly GivenLinkMatch[]): Promise<void>;
}
