import { type ScoredLink, type SeenLink, scoreLinks, selectLinks } from "../../analysis/context/index.ts";
import { mayVisit, parseRobots, productTokenOf, type RobotsRules } from "../../analysis/robots/index.ts";
import { kindOf, openScorer, scoreUnder } from "../../analysis/score/index.ts";
import { compileScope, keyOf, keyOptionsOf, originOf } from "../../analysis/url/index.ts";
import type { Link, Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import { unpackLinks } from "../../engine/crawl/index.ts";

/** A candidate link for a context. */
export interface RankedLink {
  readonly url: string;
  readonly key: string;
  readonly anchor: string;
  readonly relevance: number;
}

/** A page whose links are ranked, and its own relevance. */
export interface RankedPage {
  readonly page: Page;
  readonly relevance: number;
}

export interface RankOptions {
  readonly config: Config;
  readonly rootUrl: string;
  readonly minScore: number;
}

/** Links that a person can click, and URLs in texts. */
const FOLLOWED = new Set<Link["kind"]>(["a", "area", "text"]);

/** Links that reach the minimum score, best first, one per page. The score is the page's relevance times the link's own score. */
export async function rankLinks(app: App, pages: readonly RankedPage[], { config, rootUrl, minScore }: RankOptions): Promise<RankedLink[]> {
  const inScope = compileScope([rootUrl], config);
  const match = matcherOf(config);
  const scored: ScoredLink[] = [];
  for (const { page, relevance } of pages) {
    const links = (await linksOf(app, page, config)).filter(({ kind, url }) => FOLLOWED.has(kind) && inScope(url).ok);
    for (const link of scoreLinks(links, { rootUrl, match })) scored.push({ ...link, score: roundScore(relevance * link.score) });
  }
  const selected = selectLinks(scored, rootUrl, { maxLinks: Number.POSITIVE_INFINITY, minScore });
  return selected.map(({ url, text, score }) => ({ url, key: keyOf(url, keyOptionsOf(config)), anchor: text, relevance: score }));
}

async function linksOf({ store }: App, page: Page, { respectRobots }: Config): Promise<Link[]> {
  const stored = await store.packedLinks(page.id);
  return !stored || (stored.nofollow && respectRobots) ? [] : unpackLinks(stored.links(), store.hashSeed);
}

/** How well the given keywords match a link, 0–1. */
function matcherOf({ keywords, scorer, scoreRatio }: Config): ((link: SeenLink) => number) | undefined {
  const words = Object.keys(keywords);
  if (words.length === 0) return undefined;
  const linkScorer = openScorer(words, { kind: kindOf(scorer) });
  const score = scoreUnder(keywords, scoreRatio);
  return ({ url, text, title, heading, block }) => {
    const matches = linkScorer.match({ url, text, title, heading, context: block });
    return Math.min(1, score(words.map((word, at) => ({ word, match: matches[at]! }))));
  };
}

const DAY = 24 * 3_600_000;

/** Returns the rule by which a stored robots.txt closes a URL; undefined if none does or the file is not stored. Parses each file once. */
export function openRobots(app: App, { respectRobots, userAgent = "nuthatch" }: Config): (url: string) => Promise<string | undefined> {
  const read = new Map<string, { readonly fetchedAt: number; readonly rules: RobotsRules }>();
  return async (url) => {
    const origin = originOf(url);
    const stored = respectRobots ? await app.store.robots(origin) : undefined;
    if (stored?.kind !== "rules" || app.world.clock.wall() - stored.fetchedAt >= DAY) return undefined;
    let known = read.get(origin);
    if (known?.fetchedAt !== stored.fetchedAt) {
      known = { fetchedAt: stored.fetchedAt, rules: parseRobots(Buffer.from(stored.text, "latin1"), productTokenOf(userAgent)) };
      read.set(origin, known);
    }
    const { allowed, rule } = mayVisit(known.rules, url);
    return allowed ? undefined : (rule ?? "Disallow");
  };
}

const roundScore = (score: number) => Math.round(1000 * score) / 1000;
