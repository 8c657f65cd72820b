import { type Query, readQuery, type Snippet, snippetOf } from "../../analysis/search/index.ts";
import type { App } from "../../engine/app.ts";
import { SetupError } from "../../engine/config/index.ts";
import type { FoundPage } from "../../store/index.ts";
import { momentOf } from "../changes/since.ts";
import { findSite } from "../pages/find.ts";
import { pageTexts } from "../read-page/page-text.ts";
import { indexWords } from "./index-words.ts";

export interface SearchRequest {
  /** All of these words; "a phrase" in quotes, -without, prefix*. */
  readonly words: string;
  /** Only pages of this site, by number, URL or a part of it. */
  readonly site?: string | undefined;
  /** Only pages whose current version was first seen since or until this: a date, or a duration ago. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly lang?: string | undefined;
  readonly topic?: string | undefined;
  /** Include duplicates, walls, errors, shells and noindex pages. */
  readonly all?: boolean | undefined;
  /** `relevance` or `date`, best or newest first; reversed with a dash in front. */
  readonly sort?: string | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Progress of indexing pages that are not indexed yet. */
  readonly onPages?: ((done: number, total: number) => void) | undefined;
}

export interface SearchResult {
  readonly id: number;
  readonly url: string;
  readonly title: string | null;
  /** Higher is better; comparable only within this query. */
  readonly score: number;
  /** The passage of the main text with the most query words. */
  readonly snippet: Snippet;
  /** When this version of the page was first seen. */
  readonly firstSeenAt: string;
  readonly lang: string | null;
  readonly site: string;
}

export interface SearchResults {
  /** Number of all matches. */
  readonly total: number;
  /** Further matches that `all` would include: copies, walls, errors, shells and noindex pages. */
  readonly leftOut: number;
  readonly results: readonly SearchResult[];
}

const DEFAULT_LIMIT = 10;

/** Searches the stored pages. Makes no requests. */
export async function search(app: App, request: SearchRequest): Promise<SearchResults> {
  const query = queryOf(request.words);
  const { sort, limit = DEFAULT_LIMIT, lang, topic, all: isForAll, signal, onPages } = request;
  const since = parseMomentOption("since", request.since);
  const until = parseMomentOption("until", request.until);
  const siteId = request.site === undefined ? undefined : (await findSite(app, request.site)).id;
  await indexWords(app, { siteIds: siteId === undefined ? undefined : [siteId], signal, onPages });
  signal?.throwIfAborted();
  const wanted = { query, siteId, since, until, lang, topic, sort };
  const { pages, total } = await app.store.search.find({ ...wanted, isForAll, limit });
  const leftOut = isForAll ? 0 : (await app.store.search.find({ ...wanted, isForAll: true, limit: 1 })).total - total;
  const sites = new Map((await app.store.sites()).map(({ id, url }) => [id, url]));
  const textOf = pageTexts(app, "text");
  const results: SearchResult[] = [];
  for (const found of pages) {
    signal?.throwIfAborted();
    results.push(resultOf(found, query, await shownText(app, found, textOf), sites));
  }
  return { total, leftOut, results };
}

export function queryOf(words: string): Query {
  const query = readQuery(words);
  if (!query) throw new SetupError("that is too much to look for at once", "a few words are enough");
  if (query.wanted.length > 0) return query;
  if (query.unwanted.length > 0)
    throw new SetupError("there is nothing to look for, only something to leave out", "name a word that is wanted, too");
  throw new SetupError("there is no word to look for", 'for example: budget, or "town council" -draft');
}

/** A date as `until` includes the whole day. */
function parseMomentOption(name: "since" | "until", text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = momentOf(text);
  if (moment === undefined) throw new SetupError(`--${name}: ${text} is no moment`, "write a date (2026-05-04), or how long ago (7d)");
  return name === "until" && /^\d{4}-\d\d-\d\d$/.test(text) ? moment + DAY : moment;
}

const DAY = 86_400_000;

/** The main text without a leading title, which is shown anyway; without a stored body, its stored beginning. */
async function shownText(app: App, { page }: FoundPage, textOf: ReturnType<typeof pageTexts>): Promise<string> {
  const text = (await textOf(page))?.written ?? (await app.store.metadata.evidence(page.id))?.preview ?? "";
  const title = page.metadata.title?.value;
  return title !== undefined && text.startsWith(`${title}\n`) ? text.slice(title.length).trimStart() : text;
}

const resultOf = (
  { page, score, firstSeenAt }: FoundPage,
  query: Query,
  text: string,
  sites: ReadonlyMap<number, string>,
): SearchResult => ({
  id: page.id,
  url: page.url,
  title: page.metadata.title?.value ?? null,
  score,
  snippet: snippetOf(text, query),
  firstSeenAt: new Date(firstSeenAt).toISOString(),
  lang: page.metadata.lang?.value ?? null,
  site: sites.get(page.siteId) ?? "",
});
