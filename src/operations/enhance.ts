import type { App } from "../app.ts";
import { type Config, SetupError } from "../config/index.ts";
import type { Reader } from "../crawl/index.ts";
import { type EnhancedPage, type FillTools, fill, type ReadAgain, readStored } from "../enhance/index.ts";
import type { PageMetadata } from "../records.ts";
import type { Seed } from "../seed.ts";
import type { PagesToFill, PageToFill } from "../store/index.ts";
import { EXTRACTOR_VERSION } from "../version.ts";
import { findSite, pageByUrl } from "./find.ts";
import { openStoredReader } from "./stored-reader.ts";

export type { EnhancedPage } from "../enhance/index.ts";

export interface EnhanceRequest {
  readonly config: Config;
  /** Only these stored pages. */
  readonly pageIds?: readonly number[] | undefined;
  /** Only the stored pages of these addresses; one that is not stored is answered as failed. */
  readonly urls?: readonly Seed[] | undefined;
  /** Only pages of this site, by its number, URL or a part of it. */
  readonly site?: string | undefined;
  /** Only pages without metadata, with an older extractor's, or marked to be done again. The default, unless pages are named or `force` is said. */
  readonly missing?: boolean | undefined;
  /** At most this many pages. */
  readonly limit?: number | undefined;
  /** Pages written together: 1 to 100. */
  readonly batchSize?: number | undefined;
  /** Ask for the pages again instead of reading their stored bodies, and overwrite what is known. */
  readonly force?: boolean | undefined;
  /** With `force` and a limit: the pages whose metadata is the oldest, instead of those that were stored first. */
  readonly oldestFirst?: boolean | undefined;
  /** Milliseconds between two requests, on top of the pace of their hosts. */
  readonly delay?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told what was read of a page, before that is merged with what is known. */
  readonly onRead?: ((url: string, metadata: PageMetadata) => void) | undefined;
  /** Told why nothing was read of a page. */
  readonly onFailed?: ((url: string, reason: string) => void) | undefined;
  /** Told of each page once it is written, and of how many there will be. */
  readonly onPage?: ((page: EnhancedPage, total: number) => void) | undefined;
}

export interface Enhancement {
  readonly processed: number;
  readonly enhanced: number;
  readonly results: readonly EnhancedPage[];
}

export const BATCH = 10;
export const LARGEST_BATCH = 100;
export const DELAY = 500;

/** Fills in the metadata of stored pages, in batches that are each written together. What is known is overwritten if forced, or if a page is marked to be done again. */
export async function enhance(app: App, request: EnhanceRequest): Promise<Enhancement> {
  const plan = await planOf(app, request);
  const total = plan.unknown.length + Math.min(plan.limit, await app.store.metadata.countToFill(plan.which));
  const results: EnhancedPage[] = [];
  for await (const page of carryOut(app, request, plan)) {
    results.push(page);
    if (page.reason !== undefined) request.onFailed?.(page.url || `page ${page.id}`, page.reason);
    request.onPage?.(page, total);
  }
  return { processed: results.length, enhanced: results.filter(({ status }) => status === "enhanced").length, results };
}

/** The same one page after the other, for who has no use for all of them at once. */
export async function* enhancing(app: App, request: EnhanceRequest): AsyncGenerator<EnhancedPage> {
  yield* carryOut(app, request, await planOf(app, request));
}

interface Plan {
  readonly which: PagesToFill;
  /** Addresses that are not stored. */
  readonly unknown: readonly string[];
  readonly limit: number;
  readonly batchSize: number;
}

async function* carryOut(app: App, request: EnhanceRequest, plan: Plan): AsyncGenerator<EnhancedPage> {
  const { force = false, signal } = request;
  for (const url of plan.unknown) yield { id: null, url, status: "failed", fieldsAdded: [], reason: "it is not stored" };
  const done = new Set<number>();
  const tools = lazyTools(app, request.config);
  try {
    const again = force ? await refetching(app, request) : undefined;
    for await (const pages of batches(app, plan)) {
      if (signal?.aborted) return;
      const opened = await tools.open();
      const read = again ? await again(pages, opened) : await Promise.all(pages.map((page) => readStored(page, opened)));
      if (signal?.aborted) return;
      const asked = pages.map((page, place) => ({ ...page, read: read[place]! }));
      for (const { url, read } of asked) if ("metadata" in read) request.onRead?.(url, read.metadata.values);
      yield* await fill(asked, opened, force);
      if (plan.which.pageIds) for (const { pageId } of pages) done.add(pageId);
    }
  } finally {
    await tools.close();
  }
  if (plan.which.pageIds && done.size < plan.limit) yield* await passedOver(app, plan.which, done);
}

/** Whoever names a page hears of it. */
async function passedOver({ store }: App, { pageIds = [], before }: PagesToFill, done: ReadonlySet<number>): Promise<EnhancedPage[]> {
  const others = await Promise.all(pageIds.filter((id) => !done.has(id)).map(async (id) => ({ id, page: await store.page({ id }) })));
  return others.map(({ id, page }) => {
    if (!page) return { id, url: "", status: "failed", fieldsAdded: [], reason: "it is not stored" };
    if (before !== undefined && page.verdict !== null) return { id, url: page.url, status: "unchanged", fieldsAdded: [] };
    return { id, url: page.url, status: "failed", fieldsAdded: [], reason: page.change === "gone" ? "it is gone" : "it is no HTML page" };
  });
}

/** Marks stored pages so that their metadata is made again; answers how many. */
export async function resetMetadata(app: App, request: Pick<EnhanceRequest, "pageIds" | "urls" | "site">): Promise<number> {
  const { pageIds } = await namedPages(app, request);
  const siteId = request.site === undefined ? undefined : (await findSite(app, request.site)).id;
  return app.store.metadata.reset({ siteId, pageIds });
}

async function planOf(app: App, request: EnhanceRequest): Promise<Plan> {
  const { batchSize = BATCH, limit = Number.POSITIVE_INFINITY } = request;
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > LARGEST_BATCH)
    throw new SetupError(`a batch of ${batchSize} pages cannot be`, `from 1 to ${LARGEST_BATCH}`);
  const { pageIds, unknown } = await namedPages(app, request);
  const { site, force = false, missing = !force && pageIds === undefined } = request;
  const siteIds = site === undefined ? undefined : [(await findSite(app, site)).id];
  // A page that somebody names is told why it cannot be done; others are passed over.
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
    const pages = await store.metadata.toFill(which, { after, limit: Math.min(batchSize, left) });
    if (pages.length === 0) return;
    yield pages;
    // Their order is another by now.
    if (which.oldestFirst) return;
    after = pages.at(-1)!.pageId;
    left -= pages.length;
  }
}

/** Threads that read are started when there is something to read. */
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

type Refetch = (pages: readonly PageToFill[], tools: FillTools) => Promise<readonly ReadAgain[]>;

async function refetching(app: App, { config, urls = [], delay = DELAY, signal }: EnhanceRequest): Promise<Refetch> {
  const [{ refetch }, { Spacing }] = await Promise.all([import("./refetch.ts"), import("../frontier/index.ts")]);
  const spacing = new Spacing(delay, app.world.clock);
  return (pages, tools) => refetch(app, pages, { config, named: urls, spacing, signal, tools });
}
