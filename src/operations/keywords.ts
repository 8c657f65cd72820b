import type { App } from "../app.ts";
import { nearest, SetupError } from "../config/index.ts";
import type { Keyword, Site } from "../store/index.ts";

/** A keyword of a site, and how many links it applies to. */
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
  /** Added, or given another weight. */
  readonly set?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
  /** Told how many stored pages are looked through for words that are new, and how far that is. */
  readonly onPages?: ((done: number, pages: number) => void) | undefined;
}

/** Changes a site's list. Other weights hold at once; a new word is held against the stored links, without asking the web. */
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
  // A run that is at work holds what it reads against its own list: the next one begins with what is left.
  const [latest] = await store.runs({ siteId: site.id, limit: 1 });
  if (latest && store.isAlive(latest)) return { isLater: true };
  const { scoreStored } = await import("../crawl/index.ts");
  let pages = 0;
  await scoreStored(store, site.id, {
    // As the last run did: else each would undo what the other has done.
    kind: latest?.options.scorer === "lexical" ? "lexical" : "embedded",
    onBegin: (found) => {
      pages = found;
    },
    onPages: (done) => onPages?.(done, pages),
  });
  return { isLater: false };
}
