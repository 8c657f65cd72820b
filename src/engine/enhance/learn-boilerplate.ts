import { repeatedBlocks } from "../../analysis/extract/index.ts";
import { templateOf } from "../../analysis/url/index.ts";
import type { Store } from "../../store/index.ts";

/** Number of pages examined; enough to find what repeats even on a large site. */
const MAX_PAGES = 5000;

/** Learns which blocks repeat on many pages of a site; returns their number. */
export async function learnBoilerplate({ metadata }: Store, siteId: number, at: number): Promise<number> {
  const pages: { template: string; blocks: Uint32Array }[] = [];
  for await (const { url, blocks } of metadata.blocks(siteId, MAX_PAGES))
    for (const template of templatesOf(url)) pages.push({ template, blocks });
  const repeated = repeatedBlocks(pages);
  await metadata.saveBoilerplate(siteId, repeated, at);
  return repeated.length;
}

/** Each page counts for the whole site and for its folder, because blocks repeat in either. */
function templatesOf(url: string): string[] {
  const path = url.split(/[?#]/, 1)[0]!;
  return ["", templateOf(path.slice(0, path.lastIndexOf("/") + 1))];
}
