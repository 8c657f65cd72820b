import { repeatedBlocks } from "../extract/index.ts";
import type { Store } from "../store/index.ts";
import { templateOf } from "../url/index.ts";

/** What repeats is found in fewer pages than a large site has. */
const SAMPLE = 5000;

/** Learns from the stored pages of a site which blocks stand on many of them; answers how many blocks those are. */
export async function learnBoilerplate({ metadata }: Store, siteId: number, at: number): Promise<number> {
  const pages: { template: string; blocks: Uint32Array }[] = [];
  for await (const { url, blocks } of metadata.blocks(siteId, SAMPLE))
    for (const template of kindsOf(url)) pages.push({ template, blocks });
  const repeated = repeatedBlocks(pages);
  await metadata.saveBoilerplate(siteId, repeated, at);
  return repeated.length;
}

/** What a page has in common it has with its folder, or with the whole site. */
const kindsOf = (url: string) => ["", templateOf(url.replace(/[?#].*$/, "").replace(/[^/]+$/, ""))];
