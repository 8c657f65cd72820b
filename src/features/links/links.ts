import { scoreUnder } from "../../analysis/score/index.ts";
import type { App } from "../../engine/app.ts";
import { nearest, SetupError } from "../../engine/config/index.ts";
import { type LinkEdits, type LinkSource, linkType, type MatchedLink, type Run, type Site } from "../../store/index.ts";
import { runSince } from "../changes/since.ts";

export interface LinkQuery {
  readonly site?: Site | undefined;
  /** Only links that match all of these. */
  readonly keywords?: readonly string[] | undefined;
  /** One matching keyword is enough. */
  readonly isAny?: boolean | undefined;
  readonly minScore?: number | undefined;
  /** Only links first found by the latest run. */
  readonly isNew?: boolean | undefined;
  /** Only links first found since a run, a time, or a duration ago. */
  readonly since?: string | undefined;
  /** Type of the target: pdf, html… */
  readonly types?: readonly string[] | undefined;
  /** Only muted links, which are otherwise left out. */
  readonly isMuted?: boolean | undefined;
  /** Weights to use instead of the site's. */
  readonly weights?: Readonly<Record<string, number>> | undefined;
  readonly ratio?: number | undefined;
  /** A field of the record; descending with a dash in front. */
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  /** Include the pages that contain the link. */
  readonly withSources?: boolean | undefined;
}

/** A link and its score: 0–2. */
export interface RankedLink {
  readonly url: string;
  readonly score: number;
  /** How well each keyword matches, 0–1. */
  readonly keywords: Readonly<Record<string, number>>;
  readonly text: string;
  readonly type: string;
  /** Number of pages that contain it. */
  readonly pages: number;
  /** Whether the latest run was the first to find it. */
  readonly isNew: boolean;
  readonly firstRun: number;
  readonly site: string;
  /** The reason for the score, if a model or a plugin gave one. */
  readonly comment: string | null;
  readonly sources?: readonly LinkSource[];
}

export const linkSorts = ["score", "url", "text", "type", "pages", "firstRun", "site"] as const;
const MAX_SOURCES = 100;

interface Candidate {
  readonly site: Site;
  readonly link: MatchedLink;
  readonly score: number;
  readonly isNew: boolean;
}

export interface RankedLinks {
  readonly links: readonly RankedLink[];
  /** Number of all matches. */
  readonly total: number;
}

/** The best links, by score. Scores are computed on request from stored matches. */
export async function rankLinks(app: App, query: LinkQuery): Promise<RankedLinks> {
  const sites = query.site ? [query.site] : await app.store.sites();
  const found: Candidate[] = [];
  for (const site of sites) for (const one of await candidatesOn(app, site, query)) found.push(one);
  if (found.length === 0)
    await requireKeywords(
      app,
      sites.map(({ id }) => id),
    );
  const { sort = "-score", limit = Number.POSITIVE_INFINITY } = query;
  const by = sort.replace(/^-/, "");
  const direction = sort.startsWith("-") ? -1 : 1;
  if (by !== "score") {
    const all = await described(app, found, query);
    all.sort((a, b) => direction * compare(a[by as keyof RankedLink], b[by as keyof RankedLink]));
    return { links: all.slice(0, limit), total: all.length };
  }
  found.sort((a, b) => direction * (a.score - b.score) || a.link.id - b.link.id);
  // Look up only the links that are shown, unless a filter by type needs them all.
  const links = await described(app, found, query, query.types ? undefined : limit);
  return { links: links.slice(0, limit), total: query.types ? links.length : found.length };
}

/** The ratio of the site's latest crawl. */
const ratioOf = (latest: Run | undefined): number | undefined =>
  typeof latest?.options.scoreRatio === "number" ? latest.options.scoreRatio : undefined;

async function candidatesOn(app: App, site: Site, query: LinkQuery): Promise<Candidate[]> {
  const { store } = app;
  const [latest] = await store.runs({ siteId: site.id, limit: 1 });
  const listed = await store.links.keywords(site.id);
  const weights = { ...Object.fromEntries(listed.map(({ word, weight }) => [word, weight])), ...query.weights };
  const score = scoreUnder(weights, query.ratio ?? ratioOf(latest));
  const since = query.isNew ? (latest?.id ?? 0) : query.since === undefined ? 0 : await runSince(app, site.id, query.since);
  const wanted = (query.keywords ?? []).map(normalized);
  const words = new Set(listed.map(({ word }) => normalized(word)));
  const editsById = await store.userData.links(site.id);
  const found: Candidate[] = [];
  const isMatch = (own: readonly string[]) =>
    query.isAny ? wanted.some((word) => own.includes(word)) : wanted.every((word) => own.includes(word));
  for await (const link of store.links.matched(site.id, since)) {
    if (wanted.length > 0) {
      const own = link.matches.map(({ word }) => normalized(word));
      for (const word of own) words.add(word);
      if (!isMatch(own)) continue;
    }
    const edits = editsById.get(link.id);
    if ((edits?.isMuted ?? false) !== (query.isMuted ?? false)) continue;
    const finalScore = edits?.scoreOverride ?? score(link.matches);
    if (finalScore >= (query.minScore ?? 0)) found.push({ site, link, score: finalScore, isNew: link.firstRunId === latest?.id });
  }
  if (wanted.length === 0 && since === 0) found.push(...linksWithGivenScore(site, found, editsById, query));
  if (query.site) refuseUnknown(query.keywords ?? [], words);
  return found;
}

/** Links without a keyword match that a person gave a score. */
function linksWithGivenScore(
  site: Site,
  found: readonly Candidate[],
  editsById: ReadonlyMap<number, LinkEdits>,
  query: LinkQuery,
): Candidate[] {
  const known = new Set(found.map(({ link }) => link.id));
  return [...editsById].flatMap(([id, { scoreOverride: score, isMuted }]) => {
    if (score === undefined || known.has(id) || isMuted !== (query.isMuted ?? false) || score < (query.minScore ?? 0)) return [];
    return [{ site, link: { id, firstRunId: 0, matches: [] }, score, isNew: false }];
  });
}

/** Throws if no site has keywords. */
export async function requireKeywords({ store }: App, siteIds: readonly number[]): Promise<void> {
  for (const id of siteIds) if ((await store.links.keywords(id)).length > 0) return;
  throw new SetupError("there are no keywords to rank links by", "nuthatch keywords set budget, or nuthatch crawl <url> -k budget");
}

const normalized = (word: string) => word.trim().toLowerCase();

function refuseUnknown(keywords: readonly string[], words: ReadonlySet<string>): void {
  const unknownWord = keywords.find((word) => !words.has(normalized(word)));
  if (unknownWord === undefined) return;
  const near = nearest(normalized(unknownWord), [...words]);
  throw new SetupError(
    `links were not held against ${unknownWord}`,
    near ? `did you mean ${near}?` : `nuthatch keywords set ${JSON.stringify(unknownWord)} does that`,
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
      ...(query.withSources && { sources: await store.links.sources(site.id, link.id, MAX_SOURCES) }),
    });
  }
  return links;
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a ?? ""), String(b ?? "")];
  return left < right ? -1 : left > right ? 1 : 0;
}
