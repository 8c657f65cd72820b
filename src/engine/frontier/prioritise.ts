import { partsOf } from "../../analysis/url/index.ts";
import { LEVELS } from "../../core/records.ts";
import type { FrontierOptions } from "./options.ts";

/** The factors of a URL's priority. Each is scaled 0–1, and 1 is always the better end. */
export interface Factors {
  /** Kind of page, guessed from the URL until the page is known: home 1, article 2/3, product 1/3, other 0. */
  readonly type: number;
  /** 1 = changed just now, halved every 30 days, 0 = unknown. */
  readonly freshness: number;
  /** 1 = the home page; falls with path depth and click depth. */
  readonly shallowness: number;
  /** 0 = mentioned once; approaches 1 as more pages link to it. */
  readonly inbound: number;
  /** 0–1, from the scorer. */
  readonly relevance: number;
}

export type PageType = "home" | "article" | "product" | "other";
const typeValues: Record<PageType, number> = { home: 1, article: 2 / 3, product: 1 / 3, other: 0 };

const articleWords = /\/(articles?|news|blog|posts?|stories|press|releases?|magazine)(\/|$)|\/(19|20)\d\d\/\d\d?\//i;
const productWords = /\/(products?|items?|shop|store|catalog(ue)?)(\/|$)/i;

const HOME_PAGE = { path: "/", query: "" };

export function guessPageType(url: string): PageType {
  const { path, query } = partsOf(url) ?? HOME_PAGE;
  if (path === "/" && query === "") return "home";
  if (articleWords.test(path)) return "article";
  if (productWords.test(path)) return "product";
  return "other";
}

/** Maps a page's declared type: `og:type` has many kinds of articles and products. */
export function pageTypeOf(word: string | undefined): PageType | undefined {
  if (word === undefined) return undefined;
  if (/^(article|blog|news)/.test(word)) return "article";
  return /^(product|og:product|book|music|video)/.test(word) ? "product" : undefined;
}

export interface Signals {
  readonly url: string;
  readonly depth: number;
  /** Age of the last known change in milliseconds. */
  readonly age: number | undefined;
  readonly mentions: number;
  readonly relevance: number;
  /** The page's actual type, once known. */
  readonly type?: PageType | undefined;
}

const DAY = 86_400_000;

export function factorsOf(s: Signals): Factors {
  const components = (partsOf(s.url) ?? HOME_PAGE).path.split("/").filter(Boolean).length;
  return {
    type: typeValues[s.type ?? guessPageType(s.url)],
    freshness: s.age === undefined ? 0 : 2 ** (-Math.max(0, s.age) / (30 * DAY)),
    shallowness: 1 / (1 + components + s.depth / 2),
    inbound: 1 - 1 / Math.max(1, s.mentions),
    relevance: s.relevance,
  };
}

/** The weighted mean of the factors, 0–1. Weights are options; a weight of 0 disables a factor. */
export function priorityOf(factors: Factors, weights: FrontierOptions["priority"]): number {
  const total = weights.type + weights.freshness + weights.shallowness + weights.inbound + weights.relevance;
  if (total === 0) return 0;
  const sum =
    factors.type * weights.type +
    factors.freshness * weights.freshness +
    factors.shallowness * weights.shallowness +
    factors.inbound * weights.inbound +
    factors.relevance * weights.relevance;
  return sum / total;
}

export interface Place {
  readonly level: number;
  readonly priority: number;
}

/**
 * The rank of a URL in the queue. `best` spreads the priority, plus an optional bonus, over the front queues. The plain orders use one
 * queue: breadth = smallest depth first, then in the order found; depth = last found first, links of one page in document order.
 */
export function placeOf(
  signals: Signals,
  order: FrontierOptions["order"],
  weights: FrontierOptions["priority"],
  mentionNumber: number,
  bonus?: (url: string, factors: Factors) => number,
): Place {
  if (order === "breadth") return { level: 0, priority: -signals.depth };
  if (order === "depth") return { level: 0, priority: mentionNumber };
  const factors = factorsOf(signals);
  const priority = priorityOf(factors, weights) + (bonus?.(signals.url, factors) ?? 0);
  return { level: levelOf(priority), priority };
}

export const levelOf = (priority: number): number => Math.max(0, Math.min(LEVELS - 1, Math.floor(LEVELS * (1 - priority))));

/** A URL that failed permanently in an earlier run is tried after everything else. */
export const sunk: Place = { level: LEVELS - 1, priority: -1e9 };
