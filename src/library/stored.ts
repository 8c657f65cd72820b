import { type App, openApp } from "../app.ts";
import { nearest, SetupError } from "../config/index.ts";
import { type ChangeFeed, changes as changesIn, type PageNews } from "../operations/changes.ts";
import { type Explanation, explain as explainIn } from "../operations/explain.ts";
import { findRun, findSite } from "../operations/find.ts";
import { type SearchRequest, type SearchResults, search as searchIn } from "../operations/search.ts";
import { storedPages } from "../operations/stored-pages.ts";
import type { Change, Page } from "../records.ts";
import { holdsData, isOnlyReadable, isPostgres, withoutPassword } from "../store/index.ts";

export interface StoredRange {
  /** A site by its URL, or a part of it that only one site has. */
  readonly site?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PagesRange extends StoredRange {
  /** Only pages that this run met. */
  readonly run?: number | undefined;
  readonly change?: Change | readonly Change[] | undefined;
}

export interface ChangesRange extends StoredRange {
  /** What the latest run is compared with. "previous" (the default): the run before it; or the number of a run; or the last run before a moment, or a time such as "7d". */
  readonly since?: "previous" | Date | (string & NonNullable<unknown>) | undefined;
  /** Default: new, changed, gone and unlinked pages. */
  readonly only?: readonly Change[] | undefined;
  /** Only pages and links that reach this score, 0 to 2. */
  readonly minScore?: number | undefined;
  /** Also pages that turned out to be walls, errors or shells. */
  readonly anyVerdict?: boolean | undefined;
}

/** The pages of a data file, as they were last seen. */
export async function* pages(db: string, range: PagesRange = {}): AsyncGenerator<Page> {
  refuseUnknown("pages()", range, ["site", "run", "change", "signal"]);
  const { site, run, change, signal } = range;
  await using stored = await openStored(db);
  const { app } = stored;
  const siteId = site === undefined ? undefined : (await findSite(app, site)).id;
  const runId = run === undefined ? undefined : (await findRun(app, String(run))).id;
  const changes = typeof change === "string" ? [change] : change;
  for await (const page of storedPages(app, { siteId, runId, change: changes })) {
    signal?.throwIfAborted();
    yield page;
  }
}

/** What became new, changed, gone or unlinked, or what `only` names; the most important first, with what is different. */
export async function* changes(db: string, { signal, ...range }: ChangesRange = {}): AsyncGenerator<PageNews> {
  for (const news of (await changeFeed(db, range)).pages) {
    signal?.throwIfAborted();
    yield news;
  }
}

/** All of it at once: counts, pages, links, and whether the run saw everything. */
export async function changeFeed(db: string, range: ChangesRange = {}): Promise<ChangeFeed> {
  refuseUnknown("changes()", range, ["site", "since", "only", "minScore", "anyVerdict", "signal"]);
  const { site, since, signal: _, ...query } = range;
  await using stored = await openStored(db);
  return await changesIn(stored.app, { site, since: moment(since), ...query });
}

/** Why a URL was visited, or not, in the latest run that heard of it. */
export async function explain(url: string, given: { readonly db: string; readonly run?: number | undefined }): Promise<Explanation> {
  refuseUnknown("explain()", given, ["db", "run"]);
  const { db, run } = given;
  await using stored = await openStored(db);
  return await explainIn(stored.app, { url, run });
}

export interface SearchInput extends Omit<SearchRequest, "words" | "since" | "until" | "sort"> {
  readonly db: string;
  /** Only pages whose version was first seen since, or until: a moment, or a time such as "7d". */
  readonly since?: Date | string | undefined;
  readonly until?: Date | string | undefined;
  /** The best first, or the newest; with a dash in front the other way round. */
  readonly sort?: "relevance" | "-relevance" | "date" | "-date" | undefined;
}

const SEARCH = ["db", "site", "since", "until", "lang", "topic", "all", "sort", "limit", "signal", "onPages"] as const;

/** Stored pages that hold all of these words; "a phrase" in quotes, -without, begin*. Pages that no crawl has made ready for it are read first. */
export async function search(words: string, input: SearchInput): Promise<SearchResults> {
  refuseUnknown("search()", input, SEARCH);
  const { db, since, until, ...more } = input;
  await using stored = await openStored(db);
  return await searchIn(stored.app, { words, since: moment(since), until: moment(until), ...more });
}

/** A mistyped name would silently give other results. */
function refuseUnknown<Range extends object>(call: string, range: Range, known: readonly (keyof Range & string)[]): void {
  const odd = Object.keys(range).find((key) => !known.some((name) => name === key));
  if (odd === undefined) return;
  const near = nearest(odd, known);
  throw new SetupError(`unknown option ${odd} of ${call}`, near ? `did you mean ${near}?` : `there are ${known.join(", ")}`);
}

const moment = (when: Date | string | undefined) => (when instanceof Date ? when.toISOString() : when);

/** Who only reads never makes an empty file. */
export async function openStored(db: string): Promise<AsyncDisposable & { readonly app: App }> {
  if (!(await holdsData(db))) {
    const what = isPostgres(db) ? `${withoutPassword(db)} holds nothing of nuthatch yet` : `there is no data file ${db}`;
    throw new SetupError(what, "crawl something into it first: crawl(url, { db })");
  }
  const app = await openApp({ db, isReadOnly: isOnlyReadable(db) });
  return { app, [Symbol.asyncDispose]: () => app.close() };
}
