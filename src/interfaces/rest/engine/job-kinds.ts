/** Work of long jobs, one function for each kind. */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { seedsBy } from "../../../core/seed.ts";
import type { App } from "../../../engine/app.ts";
import { type ContextNews, contextLayer, makeContext } from "../../../features/context/context.ts";
import { enhance } from "../../../features/enrich/enhance.ts";
import { fetchAndStore } from "../../../features/fetch-page/fetch-and-store.ts";
import { fetchOnePage } from "../../../features/fetch-page/fetch-page.ts";
import type { PageForm } from "../../../features/fetch-page/page-forms.ts";
import { bestOf, endOf, type MappedUrl, mapSite } from "../../../features/map/map.ts";
import type { Job, JobKind } from "../../../store/index.ts";
import { openDataThread } from "../backends.ts";
import { exportPath } from "../export-files.ts";
import { pageJson, withoutTexts } from "../json/page-json.ts";
import { type RunOptions, withoutUndefined } from "../json/run-options.ts";
import { fetchProblem, Problem } from "../problem.ts";
import type { ServerLog } from "../server-log.ts";

export interface JobTools {
  readonly app: App;
  readonly db: string;
  readonly options: RunOptions;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number | null) => void;
  readonly log: ServerLog;
}

type Result = Readonly<Record<string, unknown>>;
type JobFunction = (job: Job, tools: JobTools) => Promise<Result>;

interface EnhancementInput {
  readonly urls?: readonly string[];
  readonly pageIds?: readonly number[];
  readonly siteId?: number;
  readonly onlyMissing?: boolean;
  readonly force?: boolean;
  readonly batchSize?: number;
}

const enhancement: JobFunction = async ({ input }, { app, options, signal, progress, log }) => {
  const { urls, pageIds, siteId, onlyMissing, force, batchSize } = input as EnhancementInput;
  let done = 0;
  const { processed, enhanced, results } = await enhance(app, {
    config: options.configFor(urls ?? [], [], {}),
    urls: urls && seedsBy("api", urls),
    pageIds,
    site: siteId === undefined ? undefined : String(siteId),
    missing: onlyMissing,
    force,
    batchSize,
    signal,
    onRead: log.sources,
    onFailed: log.failed,
    onPage: (_, total) => {
      done += 1;
      progress(done, total);
    },
  });
  return { processed, enhanced, results };
};

interface ScrapeInput {
  readonly urls: readonly string[];
  readonly formats: readonly PageForm[];
  readonly part: "main" | "whole";
  readonly maxAge?: number;
  readonly render?: string;
}

const PARALLEL_FETCHES = 3;
/** A job result is stored as one value: beyond this size, pages are kept without their texts. */
const MAX_RESULT_LENGTH = 32 * 1024 * 1024;

const scrape: JobFunction = async ({ input }, { app, options, signal, progress }) => {
  const { urls, formats, render, ...how } = input as unknown as ScrapeInput;
  const results: (ReturnType<typeof pageJson> | undefined)[] = urls.map(() => undefined);
  let [next, done, remaining] = [0, 0, MAX_RESULT_LENGTH];
  const fetchNext = async () => {
    for (let place = next++; place < urls.length && !signal.aborted; place = next++) {
      const config = options.configFor([urls[place]!], [], withoutUndefined({ render }));
      const page = pageJson(await fetchOnePage(app, { ...how, url: urls[place]!, namedBy: "api", config, forms: formats, signal }));
      remaining -= JSON.stringify(page).length;
      results[place] = remaining > 0 ? page : withoutTexts(page);
      done += 1;
      progress(done, urls.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_FETCHES }, fetchNext));
  return { results };
};

interface MapInput {
  readonly url: string;
  readonly depth: number;
  readonly limit: number;
  readonly query?: string;
  readonly includeExternal: boolean;
}

const map: JobFunction = async ({ input }, { app, options, signal, progress }) => {
  const { url, depth, limit, query, includeExternal } = input as unknown as MapInput;
  const maxUrls = query === undefined ? limit : MAX_MAPPED_URLS;
  const found = mapSite(app, {
    url,
    namedBy: "api",
    config: options.configFor([url], [], {}),
    depth,
    limit: maxUrls,
    includeExternal,
    wantsWords: query !== undefined,
    signal,
  });
  const urls: MappedUrl[] = [];
  for (let next = await found.next(); ; next = await found.next()) {
    if (next.done) return { url, urls: bestOf(urls, next.value, query, limit), ...endOf(next.value) };
    urls.push(next.value);
    progress(urls.length, null);
  }
};

const MAX_MAPPED_URLS = 100_000;

/** On a thread of its own, because reading a whole data file would block the crawls. */
const exportFile: JobFunction = async (job, { db, signal, progress }) => {
  const path = exportPath(db, job);
  mkdirSync(dirname(path), { recursive: true });
  const dataThread = openDataThread(
    db,
    // Copying the SQLite file needs a connection that can write.
    job.input.format === "sqlite" ? "writer" : "reader",
    () => undefined,
    () => true,
  );
  try {
    const { body } = await dataThread().call("writeExport", { ...job.input, path }, signal);
    progress(1, 1);
    return JSON.parse(body ?? "{}") as Result;
  } finally {
    await dataThread.end();
  }
};

interface ContextInput {
  readonly url: string;
  readonly maxLinks?: number;
  readonly minScore?: number;
  readonly followLinks: boolean;
  readonly maxTokens?: number;
  readonly options: Readonly<Record<string, unknown>>;
}

const context: JobFunction = async ({ input }, { app, options, signal, progress }) => {
  const { url, maxLinks = 5, minScore = 0.4, followLinks, maxTokens, options: given } = input as unknown as ContextInput;
  const config = options.configFor([url], [], given, contextLayer);
  let done = 0;
  const onNews = ({ type }: ContextNews) => {
    if (type === "page" || type === "failed") progress(++done, followLinks ? maxLinks + 1 : 1);
  };
  const made = await makeContext(app, { url, namedBy: "api", config, follow: followLinks, maxLinks, minScore, maxTokens, onNews, signal });
  if ("reason" in made) throw new Problem(fetchProblem(made.reason), `${made.url}: ${made.rule || made.reason}`);
  const { id, uid, madeAt, changes, pack } = made;
  return { contextId: id, uid, url: made.url, madeAt, changes, pages: 1 + pack.linked.length };
};

interface RefetchInput {
  readonly siteId: number;
  readonly url: string;
  /** Set if the page is stored. */
  readonly pageId?: number;
}

const refetch: JobFunction = async ({ input }, { app, options, signal, progress, log }) => {
  const { siteId, url, pageId } = input as unknown as RefetchInput;
  const config = options.configFor([url], [(await app.store.userData.site(siteId))?.options ?? {}], {});
  const found = await fetchAndStore(app, { siteId, url, namedBy: "api", pageId, config, emit: log.event, signal });
  if ("reason" in found) throw new Problem(fetchProblem(found.reason), `${url}: ${found.rule || found.reason}`);
  progress(1, 1);
  return { ...found };
};

export const jobFunctions: Readonly<Record<JobKind, JobFunction>> = {
  enhancement,
  scrape,
  map,
  export: exportFile,
  context,
  look: refetch,
};
