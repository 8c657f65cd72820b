import type { App } from "../app.ts";
import { nearest, SetupError } from "../config/index.ts";
import { scoreUnder } from "../score/index.ts";
import { type LinkCard, type LinkSource, linkType, type MatchedLink, type Run, type Site } from "../store/index.ts";
import { runSince } from "./since.ts";

export interface LinkQuery {
  readonly site?: Site | undefined;
  /** Only links that all of these apply to. */
  readonly keywords?: readonly string[] | undefined;
  /** Only one of them has to. */
  readonly isAny?: boolean | undefined;
  readonly minScore?: number | undefined;
  /** Only what the latest run was the first to find. */
  readonly isNew?: boolean | undefined;
  /** A run, a moment, or how long ago: only what was first found since. */
  readonly since?: string | undefined;
  /** What it leads to: pdf, html… */
  readonly types?: readonly string[] | undefined;
  /** Only links that somebody muted, which are left out otherwise. */
  readonly isMuted?: boolean | undefined;
  /** Other weights than the site's, for this once. */
  readonly weights?: Readonly<Record<string, number>> | undefined;
  readonly ratio?: number | undefined;
  /** A field of the record; with a dash in front the other way round. */
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  /** With the pages that have it. */
  readonly withSources?: boolean | undefined;
}

/** A link, and what it is worth: 0–2. */
export interface RankedLink {
  readonly url: string;
  readonly score: number;
  /** How far each keyword applies, 0–1. */
  readonly keywords: Readonly<Record<string, number>>;
  readonly text: string;
  readonly type: string;
  /** On how many pages it stands. */
  readonly pages: number;
  /** Whether the latest run was the first to find it. */
  readonly isNew: boolean;
  readonly firstRun: number;
  readonly site: string;
  /** Why, where a model or a plugin said so. */
  readonly comment: string | null;
  readonly sources?: readonly LinkSource[];
}

export const linkSorts = ["score", "url", "text", "type", "pages", "firstRun", "site"] as const;
const MOST_SOURCES = 100;

interface Candidate {
  readonly site: Site;
  readonly link: MatchedLink;
  readonly score: number;
  readonly isNew: boolean;
}

export interface RankedLinks {
  readonly links: readonly RankedLink[];
  /** Of all that were found. */
  readonly total: number;
}

/** The links that matter, the best first. Scores are made of what is stored at the moment of asking. */
export async function rankLinks(app: App, query: LinkQuery): Promise<RankedLinks> {
  const sites = query.site ? [query.site] : await app.store.sites();
  const found: Candidate[] = [];
  for (const site of sites) for (const one of await candidatesOn(app, site, query)) found.push(one);
  if (found.length === 0) await needKeywords(app, sites);
  const { sort = "-score", limit = Number.POSITIVE_INFINITY } = query;
  const by = sort.replace(/^-/, "");
  const direction = sort.startsWith("-") ? -1 : 1;
  if (by !== "score") {
    const all = await described(app, found, query);
    all.sort((a, b) => direction * compare(a[by as keyof RankedLink], b[by as keyof RankedLink]));
    return { links: all.slice(0, limit), total: all.length };
  }
  found.sort((a, b) => direction * (a.score - b.score) || a.link.id - b.link.id);
  // Only those that are shown are looked up, unless their type has to be known to count them.
  const links = await described(app, found, query, query.types ? undefined : limit);
  return { links: links.slice(0, limit), total: query.types ? links.length : found.length };
}

/** As the site was last crawled. */
const ratioOf = (latest: Run | undefined): number | undefined =>
  typeof latest?.options.scoreRatio === "number" ? latest.options.scoreRatio : undefined;

async function candidatesOn(app: App, site: Site, query: LinkQuery): Promise<Candidate[]> {
  const { store } = app;
  const [latest] = await store.runs({ siteId: site.id, limit: 1 });
  const listed = await store.links.keywords(site.id);
  const weights = { ...Object.fromEntries(listed.map(({ word, weight }) => [word, weight])), ...query.weights };
  const score = scoreUnder(weights, query.ratio ?? ratioOf(latest));
  const since = query.isNew ? (latest?.id ?? 0) : query.since === undefined ? 0 : await runSince(app, site.id, query.since);
  const wanted = (query.keywords ?? []).map(folded);
  const words = new Set(listed.map(({ word }) => folded(word)));
  const cards = await store.cards.links(site.id);
  const found: Candidate[] = [];
  const fits = (own: readonly string[]) =>
    query.isAny ? wanted.some((word) => own.includes(word)) : wanted.every((word) => own.includes(word));
  for await (const link of store.links.matched(site.id, since)) {
    if (wanted.length > 0) {
      const own = link.matches.map(({ word }) => folded(word));
      for (const word of own) words.add(word);
      if (!fits(own)) continue;
    }
    const card = cards.get(link.id);
    if ((card?.isMuted ?? false) !== (query.isMuted ?? false)) continue;
    const worth = card?.scoreOverride ?? score(link.matches);
    if (worth >= (query.minScore ?? 0)) found.push({ site, link, score: worth, isNew: link.firstRunId === latest?.id });
  }
  if (wanted.length === 0 && since === 0) found.push(...givenBesides(site, found, cards, query));
  if (query.site) refuseUnknown(query.keywords ?? [], words);
  return found;
}

/** Links that no keyword applies to, and that somebody gave a score. */
function givenBesides(site: Site, found: readonly Candidate[], cards: ReadonlyMap<number, LinkCard>, query: LinkQuery): Candidate[] {
  const known = new Set(found.map(({ link }) => link.id));
  return [...cards].flatMap(([id, { scoreOverride: score, isMuted }]) => {
    if (score === undefined || known.has(id) || isMuted !== (query.isMuted ?? false) || score < (query.minScore ?? 0)) return [];
    return [{ site, link: { id, firstRunId: 0, matches: [] }, score, isNew: false }];
  });
}

/** Whoever was told nothing to look for has nothing to show. */
async function needKeywords({ store }: App, sites: readonly Site[]): Promise<void> {
  for (const { id } of sites) if ((await store.links.keywords(id)).length > 0) return;
  throw new SetupError("there are no keywords to rank links by", "nuthatch keywords set budget, or nuthatch crawl <url> -k budget");
}

const folded = (word: string) => word.trim().toLowerCase();

function refuseUnknown(keywords: readonly string[], words: ReadonlySet<string>): void {
  const odd = keywords.find((word) => !words.has(folded(word)));
  if (odd === undefined) return;
  const near = nearest(folded(odd), [...words]);
  throw new SetupError(
    `links were not held against ${odd}`,
    near ? `did you mean ${near}?` : `nuthatch keywords set ${JSON.stringify(odd)} does that`,
  );
}

async function described(
  { store }: App,
  found: readonly Candidate[],
  query: LinkQuery,
  limit = Number.POSITIVE_INFINITY,
): Promise<RankedLink[]> {
  const links: RankedLink[] = [];
  for (const { site, link, score, isNew } of found) {
    if (links.length >= limit) break;
    const facts = await store.links.facts(site.id, link.id);
    const type = linkType(facts.contentType, facts.url);
    if (query.types && !query.types.includes(type)) continue;
    links.push({
      url: facts.url,
      score: Math.round(score * 1000) / 1000,
      keywords: Object.fromEntries(link.matches.map(({ word, match }) => [word, match])),
      text: facts.text,
      type,
      pages: facts.pages,
      isNew,
      firstRun: link.firstRunId,
      site: site.url,
      comment: facts.comments.length === 0 ? null : facts.comments.join("; "),
      ...(query.withSources && { sources: await store.links.sources(site.id, link.id, MOST_SOURCES) }),
    });
  }
  return links;
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a ?? ""), String(b ?? "")];
  return left < right ? -1 : left > right ? 1 : 0;
}
