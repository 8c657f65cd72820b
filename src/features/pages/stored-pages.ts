import { scoreUnder, topLinks } from "../../analysis/score/index.ts";
import type { Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import type { PageFilter, Store, WordMatch } from "../../store/index.ts";

export { topLinks };

type Scoring = (siteId: number, matches: readonly WordMatch[]) => number;

/** Computes link scores under the keywords of each site; undefined if no site has keywords. */
export async function scoringOf(store: Store): Promise<Scoring | undefined> {
  const scores = new Map<number, ReturnType<typeof scoreUnder>>();
  for (const { id } of await store.sites()) {
    const keywords = await store.links.keywords(id);
    if (keywords.length > 0) scores.set(id, scoreUnder(Object.fromEntries(keywords.map(({ word, weight }) => [word, weight]))));
  }
  if (scores.size === 0) return undefined;
  const none = scoreUnder({});
  return (siteId, matches) => Math.round((scores.get(siteId) ?? none)(matches) * 1000) / 1000;
}

/** Stored pages, with their best links if there are keywords. */
export async function* storedPages({ store }: App, filter: PageFilter): AsyncGenerator<Page> {
  const scoring = await scoringOf(store);
  for await (const page of store.pages(filter)) {
    if (!scoring) yield page;
    else yield { ...page, topLinks: topLinks(await store.links.onPage(page.id), (matches) => scoring(page.siteId, matches)) };
  }
}
