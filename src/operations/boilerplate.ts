import type { App } from "../app.ts";

/** Whether a block of main text stands on many pages of a site, as far as its last crawl has learned; undefined where none does. */
export async function repeatedOn({ store }: App, siteId: number): Promise<((hash: number) => boolean) | undefined> {
  const blocks = await store.metadata.boilerplate(siteId);
  if (!blocks?.length) return undefined;
  const repeated = new Set(blocks);
  return (hash) => repeated.has(hash);
}
