import type { App } from "../app.ts";

/** Blocks of main text that stand on many pages of a site, as far as its last crawl has learned; undefined where there are none. */
export async function repeatedOn({ store }: App, siteId: number): Promise<ReadonlySet<number> | undefined> {
  const blocks = await store.metadata.boilerplate(siteId);
  return blocks?.length ? new Set(blocks) : undefined;
}
