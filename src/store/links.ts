import type { Hash64, Link } from "../records.ts";

/** What matters on a site, and how much: 0–1. */
export interface Keyword {
  readonly word: string;
  readonly weight: number;
}

/** Who holds links against which words. Matches name a word by its place in this list. */
export interface Judge {
  readonly scorer: string;
  readonly words: readonly string[];
}

/** A link to be kept as a row, and how far each word of the judge applies to it on this page; what does not apply is left out. */
export interface LinkToKeep extends Link {
  readonly matches: readonly (readonly [place: number, match: number])[];
  /** What was said of it when it was read. */
  readonly said?: readonly SaidWord[] | undefined;
}

/** A match that somebody other than the judge has found. */
export interface SaidWord {
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

/** A link with a match that is new to its site. */
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

/** A link that a word applies to. Its score is for whoever knows the weights to make. */
export interface MatchedLink {
  readonly id: number;
  /** The first run that found it on the site. */
  readonly firstRunId: number;
  readonly matches: readonly WordMatch[];
}

/** What else is known of a link: in the words of the first page that has it. */
export interface LinkFacts {
  readonly url: string;
  /** Of what it leads to, where that was fetched. */
  readonly contentType: string | undefined;
  readonly text: string;
  /** On how many pages of the site it stands. */
  readonly pages: number;
  /** Why words apply, as a model or a plugin said. */
  readonly comments: readonly string[];
}

/** What a page shows of a link. */
export interface LinkSource {
  readonly pageId: number;
  readonly page: string;
  readonly text: string;
  readonly title: string;
  readonly heading: string;
  readonly context: string;
  readonly firstRunId: number;
  /** The last run that found the page as it is. */
  readonly lastRunId: number;
}

/** A link as a scorer is to see it: in the words of the page that says most of it. */
/** A run, and the earliest before it that left work for it (itself if there is none). */
export interface RunSpan {
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

/** What a model or a plugin said of a link. A match of 0 says that the word does not apply, whatever the embedded scorer found. */
export interface SaidMatch {
  readonly linkId: number;
  readonly word: string;
  readonly match: number;
  readonly comment: string | undefined;
}

/** Words that the stored links of a site have yet to be held against, and where that stands. */
export interface ScoringToDo extends Judge {
  /** The last page that is done. */
  readonly after: number;
  /** How many are left. */
  readonly pages: number;
}

/** A stored page whose links are to be scored. */
export interface PageToScore {
  readonly pageId: number;
  readonly packed: Uint8Array;
}

/** Links that keywords apply to: part of every store. A link is one row, whichever pages and sites name it; its matches belong to a site. */
export interface Links {
  keywords(siteId: number): Promise<readonly Keyword[]>;
  /** Those of any of these sites, as the first of them that has a word lists it. */
  keywordsOfAny(siteIds: readonly number[]): Promise<readonly Keyword[]>;
  /** Puts this list in the place of the old one. What was known of a word that is no longer in it is forgotten. */
  setKeywords(siteId: number, keywords: readonly Keyword[]): Promise<void>;

  /** What is left to do before all stored links of a site were held against its keywords by this scorer. */
  toScore(siteId: number, scorer: string): Promise<ScoringToDo | undefined>;
  pagesToScore(siteId: number, after: number, limit: number): Promise<readonly PageToScore[]>;
  /** One batch, in one transaction with the place it came to; nothing if another process was there first. An empty batch ends it. */
  saveScores(siteId: number, toDo: ScoringToDo, pages: readonly { pageId: number; links: readonly LinkToKeep[] }[]): Promise<void>;

  /** Every link of the site with a keyword, by number; only those that this run or a later one was the first to find. */
  matched(siteId: number, sinceRun?: number): AsyncIterable<MatchedLink>;
  facts(siteId: number, linkId: number): Promise<LinkFacts>;
  /** The pages that have it now, the first to have it first. */
  sources(siteId: number, linkId: number, limit: number): Promise<readonly LinkSource[]>;
  /** The links of a page that keywords apply to. */
  onPage(pageId: number): Promise<readonly PageLink[]>;
  /** For the links of a page: how far words apply to them in this page's own words. */
  matchesOf(pageId: number): Promise<readonly { readonly hash: Hash64; readonly matches: readonly WordMatch[] }[]>;

  /** Links of pages that are new or changed in these runs, or of all pages, by number, of which this scorer has said nothing yet. */
  unscored(
    siteId: number,
    runs: RunSpan | undefined,
    scorer: string,
    range: { after: number; limit: number },
  ): Promise<readonly UnscoredLink[]>;
  /** Stands until the link's words change. Words that are not in the site's list are kept, too. */
  saveMatches(siteId: number, scorer: string, said: readonly SaidMatch[]): Promise<void>;
}
