import type { PageMetadata } from "../../core/records.ts";
import type { Seed } from "../../core/seed.ts";
import { EXTRACTOR_VERSION } from "../../core/version.ts";
import type { App } from "../../engine/app.ts";
import { type Config, SetupError } from "../../engine/config/index.ts";
import type { Reader } from "../../engine/crawl/index.ts";
import { type EnhancedPage, type FillTools, fill, type RereadResult, readStored } from "../../engine/enhance/index.ts";
import type { PagesToFill, PageToFill } from "../../store/index.ts";
import { findSite, pageByUrl } from "../pages/find.ts";
import { openStoredReader } from "../pages/stored-reader.ts";

export type { EnhancedPage } from "../../engine/enhance/index.ts";

export interface EnhanceRequest {
  readonly config: Config;
  /** Only these stored pages. */
  readonly pageIds?: readonly number[] | undefined;
  /** Only the stored pages at these URLs; a URL that is not stored is reported as failed. */
  readonly urls?: readonly Seed[] | undefined;
  /** Only pages of this site, by number, URL or a part of it. */
  readonly site?: string | undefined;
  /** Only pages without metadata, with metadata of an older extractor, or marked. Default unless pages are named or `force` is set. */
  readonly missing?: boolean | undefined;
  /** At most this many pages. */
  readonly limit?: number | undefined;
  /** Pages per transaction: 1 to 100. */
  readonly batchSize?: number | undefined;
  /** Fetch the pages again instead of reading their stored bodies, and overwrite existing values. */
  readonly force?: boolean | undefined;
  /** With `force` and a limit: the pages with the oldest metadata instead of those stored first. */
  readonly oldestFirst?: boolean | undefined;
  /** Milliseconds between two requests, in addition to the politeness delay of their hosts. */
  readonly delay?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the values read from a page, before they are merged with stored ones. */
  readonly onRead?: ((url: string, metadata: PageMetadata) => void) | undefined;
  /** Called with the reason why a page could not be read. */
  readonly onFailed?: ((url: string, reason: string) => void) | undefined;
  /** Called when a page is stored, with the total number of pages. */
  readonly onPage?: ((page: EnhancedPage, total: number) => void) | undefined;
}

export interface Enhancement {
  readonly processed: number;
  readonly enhanced: number;
  readonly results: readonly EnhancedPage[];
}

export const DEFAULT_BATCH = 10;
export const MAX_BATCH = 100;
export const DEFAULT_DELAY_MS = 500;

/**
 * Fills in the metadata of stored pages, one transaction per batch. Existing values are overwritten only if forced or if the page is
 * marked.
 */
export async function enhance(app: App, request: EnhanceRequest): Promise<Enhancement> {
  const plan = await planOf(app, request);
  const total = plan.unknown.length + Math.min(plan.limit, await app.store.metadata.countPagesToFill(plan.which));
  const results: EnhancedPage[] = [];
  for await (const page of execute(app, request, plan)) {
    results.push(page);
    if (page.reason !== undefined) request.onFailed?.(page.url || `page ${page.id}`, page.reason);
    request.onPage?.(page, total);
  }
  return { processed: results.length, enhanced: results.filter(({ status }) => status === "enhanced").length, results };
}

/** The same as a stream, one page at a time. */
export async function* enhanceEach(app: App, request: EnhanceRequest): AsyncGenerator<EnhancedPage> {
  yield* execute(app, request, await planOf(app, request));
}

interface Plan {
  readonly which: PagesToFill;
  /** URLs that are not stored. */
  readonly unknown: readonly string[];
  readonly limit: number;
  readonly batchSize: number;
}

async function* execute(app: App, request: EnhanceRequest, plan: Plan): AsyncGenerator<EnhancedPage> {
  const { force = false, signal } = request;
  for (const url of plan.unknown) yield { id: null, url, status: "failed", fieldsAdded: [], reason: "it is not stored" };
  const done = new Set<number>();
  const tools = lazyTools(app, request.config);
  try {
    const refetchPages = force ? await createRefetch(app, request) : undefined;
    for await (const pages of batches(app, plan)) {
      if (signal?.aborted) return;
      const opened = await tools.open();
      const read = refetchPages ? await refetchPages(pages, opened) : await Promise.all(pages.map((page) => readStored(page, opened)));
      if (signal?.aborted) return;
      const withResults = pages.map((page, place) => ({ ...page, read: read[place]! }));
      for (const { url, read } of withResults) if ("metadata" in read) request.onRead?.(url, read.metadata.values);
      yield* await fill(withResults, opened, force);
      if (plan.which.pageIds) for (const { pageId } of pages) done.add(pageId);
    }
  } finally {
    await tools.close();
  }
  if (plan.which.pageIds && done.size < plan.limit) yield* await unprocessed(app, plan.which, done);
}

/** Results for pages named by the caller that were not processed. */
async function unprocessed({ store }: App, { pageIds = [], before }: PagesToFill, done: ReadonlySet<number>): Promise<EnhancedPage[]> {
  const others = await Promise.all(pageIds.filter((id) => !done.has(id)).map(async (id) => ({ id, page: await store.page({ id }) })));
  return others.map(({ id, page }) => {
    if (!page) return { id, url: "", status: "failed", fieldsAdded: [], reason: "it is not stored" };
    if (before !== undefined && page.verdict !== null) return { id, url: page.url, status: "unchanged", fieldsAdded: [] };
    return { id, url: page.url, status: "failed", fieldsAdded: [], reason: page.change === "gone" ? "it is gone" : "it is no HTML page" };
  });
}

/** Marks stored pages so that their metadata is made again; returns their number. */
export async function resetMetadata(app: App, request: Pick<EnhanceRequest, "pageIds" | "urls" | "site">): Promise<number> {
  const { pageIds } = await namedPages(app, request);
  const siteId = request.site === undefined ? undefined : (await findSite(app, request.site)).id;
  return app.store.metadata.reset({ siteId, pageIds });
}

async function planOf(app: App, request: EnhanceRequest): Promise<Plan> {
  const { batchSize = DEFAULT_BATCH, limit = Number.POSITIVE_INFINITY } = request;
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > MAX_BATCH)
    throw new SetupError(`a batch of ${batchSize} pages cannot be`, `from 1 to ${MAX_BATCH}`);
  const { pageIds, unknown } = await namedPages(app, request);
  const { site, force = false, missing = !force && pageIds === undefined } = request;
  const siteIds = site === undefined ? undefined : [(await findSite(app, site)).id];
  // A named page that cannot be processed is reported with its reason; others are skipped silently.
  const hasBody = !force && pageIds === undefined;
  const before = missing ? EXTRACTOR_VERSION : undefined;
  return { which: { siteIds, pageIds, before, hasBody, oldestFirst: request.oldestFirst }, unknown, limit, batchSize };
}

async function namedPages(
  app: App,
  { pageIds, urls }: Pick<EnhanceRequest, "pageIds" | "urls">,
): Promise<{ pageIds: readonly number[] | undefined; unknown: readonly string[] }> {
  if (!urls) return { pageIds, unknown: [] };
  const found = new Set(pageIds);
  const unknown: string[] = [];
  for (const { url } of urls) {
    const page = await pageByUrl(app, url);
    if (page) found.add(page.id);
    else unknown.push(url);
  }
  return { pageIds: [...found], unknown };
}

async function* batches({ store }: App, { which, batchSize, limit }: Plan): AsyncGenerator<readonly PageToFill[]> {
  for (let after = 0, left = limit; left > 0; ) {
    const pages = await store.metadata.pagesToFill(which, { after, limit: Math.min(batchSize, left) });
    if (pages.length === 0) return;
    yield pages;
    // The batch has changed the order, and a second one would start over.
    if (which.oldestFirst) return;
    after = pages.at(-1)!.pageId;
    left -= pages.length;
  }
}

/** Starts the reader threads only when the first page is read. */
function lazyTools(app: App, config: Config): { open(): Promise<FillTools>; close(): Promise<void> } {
  let opened: Promise<Reader> | undefined;
  return {
    open: async () => {
      opened ??= openStoredReader(app, config);
      return { store: app.store, reader: await opened, clock: app.world.clock };
    },
    close: async () => (await opened)?.close(),
  };
}

type Refetch = (pages: readonly PageToFill[], tools: FillTools) => Promise<readonly RereadResult[]>;

async function createRefetch(app: App, { config, urls = [], delay = DEFAULT_DELAY_MS, signal }: EnhanceRequest): Promise<Refetch> {
  const [{ refetch }, { Spacing }] = await Promise.all([import("./refetch.ts"), import("../../engine/frontier/index.ts")]);
  const spacing = new Spacing(delay, app.world.clock);
  return (pages, tools) => refetch(app, pages, { config, named: urls, spacing, signal, tools });
}
