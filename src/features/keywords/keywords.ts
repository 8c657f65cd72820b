import type { App } from "../../engine/app.ts";
import { nearest, SetupError } from "../../engine/config/index.ts";
import type { Keyword, Site } from "../../store/index.ts";

/** A keyword of a site, and the number of links it matches. */
export interface KeywordReport extends Keyword {
  readonly site: string;
  readonly links: number;
}

export async function keywordReports({ store }: App, sites: readonly Site[]): Promise<KeywordReport[]> {
  const reports: KeywordReport[] = [];
  for (const { id, url } of sites) {
    const listed = await store.links.keywords(id);
    const links = new Map<string, number>();
    if (listed.length > 0)
      for await (const { matches } of store.links.matched(id)) for (const { word } of matches) links.set(word, (links.get(word) ?? 0) + 1);
    reports.push(...listed.map(({ word, weight }) => ({ site: url, word, weight, links: links.get(word) ?? 0 })));
  }
  return reports;
}

export interface KeywordChange {
  /** Keywords to add, or new weights. */
  readonly set?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
  /** Progress of scoring the stored pages for new keywords. */
  readonly onPages?: ((done: number, pages: number) => void) | undefined;
}

/** Changes a site's keywords. Weights apply at once; a new keyword is scored against the stored links, without requests. */
export async function changeKeywords(
  app: App,
  site: Site,
  { set = {}, remove = [], onPages }: KeywordChange,
): Promise<{ isLater: boolean }> {
  const { store } = app;
  const listed = await store.links.keywords(site.id);
  const missing = remove.find((word) => !listed.some((known) => known.word === word));
  if (missing !== undefined) {
    const near = nearest(
      missing,
      listed.map(({ word }) => word),
    );
    throw new SetupError(`${missing} is no keyword of ${site.url}`, near ? `did you mean ${near}?` : "nuthatch keywords lists them");
  }
  const kept = listed.filter(({ word }) => !remove.includes(word) && !Object.hasOwn(set, word));
  await store.links.setKeywords(site.id, [...kept, ...Object.entries(set).map(([word, weight]) => ({ word, weight }))]);
  // A running crawl scores with its own list: the next one completes what is missing.
  const [latest] = await store.runs({ siteId: site.id, limit: 1 });
  if (latest && store.isAlive(latest)) return { isLater: true };
  const { scoreStored } = await import("../../engine/crawl/index.ts");
  let pages = 0;
  await scoreStored(store, site.id, {
    // The scorer of the last run: otherwise each would overwrite the other's scores.
    kind: latest?.options.scorer === "lexical" ? "lexical" : "embedded",
    onBegin: (found) => {
      pages = found;
    },
    onPages: (done) => onPages?.(done, pages),
  });
  return { isLater: false };
}
