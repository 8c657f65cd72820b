import type { Change, Page } from "../../core/records.ts";
import { type App, openApp } from "../../engine/app.ts";
import { nearest, SetupError } from "../../engine/config/index.ts";
import { type ChangeFeed, changes as changesIn, type PageNews } from "../../features/changes/changes.ts";
import { type Explanation, explain as explainIn } from "../../features/explain/explain.ts";
import { findRun, findSite } from "../../features/pages/find.ts";
import { storedPages } from "../../features/pages/stored-pages.ts";
import { type SearchRequest, type SearchResults, search as searchIn } from "../../features/search/search.ts";
import { hasData, isPostgres, isReadOnlyFile, withoutPassword } from "../../store/index.ts";

export interface StoredRange {
  /** A site by its URL, or a part of the URL that is unique among the sites. */
  readonly site?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PagesRange extends StoredRange {
  /** Only pages that this run visited. */
  readonly run?: number | undefined;
  readonly change?: Change | readonly Change[] | undefined;
}

export interface ChangesRange extends StoredRange {
  /**
   * The run to compare the latest run with. "previous" (the default): the run before it; else a run number, or the last run before a time
   * or a duration ago, such as "7d".
   */
  readonly since?: "previous" | Date | (string & NonNullable<unknown>) | undefined;
  /** Default: new, changed, gone and unlinked pages. */
  readonly only?: readonly Change[] | undefined;
  /** Only pages and links with at least this score, 0 to 2. */
  readonly minScore?: number | undefined;
  /** Include pages that turned out to be walls, errors or shells. */
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

/** Pages that became new, changed, gone or unlinked, or as `only` selects; most important first, with diffs. */
export async function* changes(db: string, { signal, ...range }: ChangesRange = {}): AsyncGenerator<PageNews> {
  for (const news of (await changeFeed(db, range)).pages) {
    signal?.throwIfAborted();
    yield news;
  }
}

/** All changes at once: counts, pages, links, and whether the run was complete. */
export async function changeFeed(db: string, range: ChangesRange = {}): Promise<ChangeFeed> {
  refuseUnknown("changes()", range, ["site", "since", "only", "minScore", "anyVerdict", "signal"]);
  const { site, since, signal: _, ...query } = range;
  await using stored = await openStored(db);
  return await changesIn(stored.app, { site, since: moment(since), ...query });
}

/** Why a URL was visited or not, in the latest run that discovered it. */
export async function explain(url: string, given: { readonly db: string; readonly run?: number | undefined }): Promise<Explanation> {
  refuseUnknown("explain()", given, ["db", "run"]);
  const { db, run } = given;
  await using stored = await openStored(db);
  return await explainIn(stored.app, { url, run });
}

export interface SearchInput extends Omit<SearchRequest, "words" | "since" | "until" | "sort"> {
  readonly db: string;
  /** Only pages whose current version was first seen since or until a time, or a duration ago, such as "7d". */
  readonly since?: Date | string | undefined;
  readonly until?: Date | string | undefined;
  /** Best or newest first; reversed with a dash in front. */
  readonly sort?: "relevance" | "-relevance" | "date" | "-date" | undefined;
}

const SEARCH_OPTIONS = ["db", "site", "since", "until", "lang", "topic", "all", "sort", "limit", "signal", "onPages"] as const;

/**
 * Stored pages that contain all of these words; "a phrase" in quotes, -without, prefix*. Pages that are not indexed yet are indexed
 * first.
 */
export async function search(words: string, input: SearchInput): Promise<SearchResults> {
  refuseUnknown("search()", input, SEARCH_OPTIONS);
  const { db, since, until, ...more } = input;
  await using stored = await openStored(db);
  return await searchIn(stored.app, { words, since: moment(since), until: moment(until), ...more });
}

/** Throws for a mistyped name, which would silently give other results. */
function refuseUnknown<Range extends object>(call: string, range: Range, known: readonly (keyof Range & string)[]): void {
  const unknownKey = Object.keys(range).find((key) => !known.some((name) => name === key));
  if (unknownKey === undefined) return;
  const near = nearest(unknownKey, known);
  throw new SetupError(`unknown option ${unknownKey} of ${call}`, near ? `did you mean ${near}?` : `there are ${known.join(", ")}`);
}

const moment = (when: Date | string | undefined) => (when instanceof Date ? when.toISOString() : when);

/** Throws instead of creating an empty file. */
export async function openStored(db: string): Promise<AsyncDisposable & { readonly app: App }> {
  if (!(await hasData(db))) {
    const what = isPostgres(db) ? `${withoutPassword(db)} holds nothing of nuthatch yet` : `there is no data file ${db}`;
    throw new SetupError(what, "crawl something into it first: crawl(url, { db })");
  }
  const app = await openApp({ db, isReadOnly: isReadOnlyFile(db) });
  return { app, [Symbol.asyncDispose]: () => app.close() };
}
