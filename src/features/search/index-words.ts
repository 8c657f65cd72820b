import { words } from "../../analysis/search/index.ts";
import type { App } from "../../engine/app.ts";
import { Config } from "../../engine/config/index.ts";
import type { Reader } from "../../engine/crawl/index.ts";
import type { IndexedPage, PageToIndex } from "../../store/index.ts";

export interface IndexRequest {
  /** Only pages of these sites. */
  readonly siteIds?: readonly number[] | undefined;
  readonly config?: Config | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onPages?: ((done: number, total: number) => void) | undefined;
}

/** Pages per transaction. */
const BATCH_SIZE = 100;

/** Indexes stored pages that are not in the search index yet: from earlier versions, from crawls without metadata, or after a crash. */
export async function indexWords(app: App, { siteIds, config = Config.parse({}), signal, onPages }: IndexRequest): Promise<number> {
  const { search } = app.store;
  const total = await search.countPagesToIndex(siteIds);
  if (total === 0) return 0;
  const { openStoredReader } = await import("../pages/stored-reader.ts");
  const reader = await openStoredReader(app, config);
  let done = 0;
  try {
    for (let after = 0; !signal?.aborted; ) {
      const pages = await search.pagesToIndex(siteIds, { after, limit: BATCH_SIZE });
      if (pages.length === 0) break;
      await search.index(await Promise.all(pages.map((page) => indexed(app, page, reader))));
      after = pages.at(-1)!.pageId;
      done += pages.length;
      onPages?.(done, Math.max(done, total));
    }
  } finally {
    await reader.close();
  }
  return done;
}

/** Indexes one page again after a person edited it. */
export async function indexPage(app: App, pageId: number): Promise<void> {
  const { search } = app.store;
  await search.forget(pageId);
  const [page] = await search.pagesToIndex(undefined, { after: pageId - 1, limit: 1 });
  if (page?.pageId !== pageId) return;
  const { openStoredReader } = await import("../pages/stored-reader.ts");
  const reader = await openStoredReader(app, Config.parse({}));
  try {
    await search.index([await indexed(app, page, reader)]);
  } finally {
    await reader.close();
  }
}

async function indexed({ store, world }: App, page: PageToIndex, reader: Reader): Promise<IndexedPage> {
  const { pageId, versionId, url, contentType, bodyHash } = page;
  const bytes = bodyHash === undefined ? undefined : await store.body(bodyHash);
  if (!bytes) return { pageId, versionId, words: await storedWords(store, pageId) };
  const job = { url, contentType, bytes: Uint8Array.from(bytes), robotsTags: [], as: "page", now: world.clock.wall() } as const;
  const result = await reader.read(job);
  return { pageId, versionId, words: "reading" in result ? result.reading.words : undefined };
}

/** The stored words of a page whose body is not stored. */
async function storedWords(store: App["store"], pageId: number): Promise<IndexedPage["words"]> {
  const preview = (await store.metadata.evidence(pageId))?.preview;
  const title = (await store.page({ id: pageId }))?.metadata.title?.value;
  return preview === undefined && title === undefined ? undefined : { title: words(title ?? ""), text: words(preview ?? "") };
}
