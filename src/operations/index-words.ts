import type { App } from "../app.ts";
import { Config } from "../config/index.ts";
import type { Reader } from "../crawl/index.ts";
import type { IndexedPage, PageToIndex } from "../store/index.ts";

export interface IndexRequest {
  /** Only pages of these sites. */
  readonly siteIds?: readonly number[] | undefined;
  readonly config?: Config | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onPages?: ((done: number, total: number) => void) | undefined;
}

/** Pages written together. */
const BATCH = 100;

/** Makes stored pages that cannot be found by their words yet so: those of earlier versions, of crawls that wanted no metadata, and of one that was killed. */
export async function indexWords(app: App, { siteIds, config = Config.parse({}), signal, onPages }: IndexRequest): Promise<number> {
  const { search } = app.store;
  const total = await search.countToIndex(siteIds);
  if (total === 0) return 0;
  const { openStoredReader } = await import("./stored-reader.ts");
  const reader = await openStoredReader(app, config);
  let done = 0;
  try {
    for (let after = 0; !signal?.aborted; ) {
      const pages = await search.toIndex(siteIds, { after, limit: BATCH });
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

async function indexed({ store, world }: App, page: PageToIndex, reader: Reader): Promise<IndexedPage> {
  const { pageId, versionId, url, contentType, bodyHash } = page;
  const bytes = await store.body(bodyHash);
  if (!bytes) return { pageId, versionId, words: undefined };
  const job = { url, contentType, bytes: Uint8Array.from(bytes), robotsTags: [], as: "page", now: world.clock.wall() } as const;
  const result = await reader.read(job);
  return { pageId, versionId, words: "reading" in result ? result.reading.words : undefined };
}
