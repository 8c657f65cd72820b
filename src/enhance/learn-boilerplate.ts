import { isSiteBoilerplate } from "../extract/index.ts";
import type { Store } from "../store/index.ts";
import { templateOf } from "../url/index.ts";

/** What repeats is found in fewer pages than a large site has. */
const SAMPLE = 5000;

/** Pages that are made alike, and on how many of them each block stands. */
interface Kind {
  pages: number;
  readonly seen: Map<number, number>;
}

/** Learns from the stored pages of a site which blocks stand on many of them; answers how many blocks those are. */
export async function learnBoilerplate({ metadata }: Store, siteId: number, at: number): Promise<number> {
  const kinds = new Map<string, Kind>();
  for await (const { url, blocks } of metadata.blocks(siteId, SAMPLE)) {
    const template = templateOf(url);
    const kind = kinds.get(template) ?? { pages: 0, seen: new Map<number, number>() };
    kinds.set(template, kind);
    kind.pages += 1;
    for (const block of new Set(blocks)) kind.seen.set(block, (kind.seen.get(block) ?? 0) + 1);
  }
  const repeated = Uint32Array.from(new Set([...kinds.values()].flatMap(repeatedIn))).sort();
  await metadata.saveBoilerplate(siteId, repeated, at);
  return repeated.length;
}

const repeatedIn = ({ pages: of, seen }: Kind): number[] =>
  [...seen].filter(([, pages]) => isSiteBoilerplate({ pages, of })).map(([block]) => block);
