import type { App } from "../../engine/app.ts";
import type { Config } from "../../engine/config/index.ts";
import { type Reader, readSetupOf, sourceMemories } from "../../engine/crawl/index.ts";

/** Threads that read stored bodies for metadata and search words, without links. */
export async function openStoredReader({ store, world }: App, config: Config): Promise<Reader> {
  const plain: Config = { ...config, enhance: true, keywords: {}, save: [], embeddedLinks: "off" };
  const siteIds = (await store.sites()).map(({ id }) => id);
  const setup = readSetupOf(plain, store, await sourceMemories(store, siteIds));
  return world.openReader({ ...setup, wantsWords: true }, config);
}
