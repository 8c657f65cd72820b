import type { App } from "../../engine/app.ts";

/** Hashes of main-text blocks that repeat on many pages of a site, as learned by its last crawl; undefined if there are none. */
export async function repeatedBlocksOf({ store }: App, siteId: number): Promise<ReadonlySet<number> | undefined> {
  const blocks = await store.metadata.boilerplate(siteId);
  return blocks?.length ? new Set(blocks) : undefined;
}
