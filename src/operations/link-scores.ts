import type { App } from "../app.ts";
import type { Hash64 } from "../records.ts";
import { scoreOf, UNLISTED } from "../score/index.ts";

/** The best score of some links of a site; 0 where there are no keywords. */
export type LinkScorer = (siteId: number, hashes: readonly Hash64[]) => Promise<number>;

export async function scorerFor(app: App, siteIds: readonly number[]): Promise<LinkScorer> {
  const weights = new Map<number, ReadonlyMap<string, number>>();
  for (const siteId of siteIds)
    weights.set(siteId, new Map((await app.store.links.keywords(siteId)).map(({ word, weight }) => [word, weight])));
  return async (siteId, hashes) => {
    const words = weights.get(siteId);
    if (!words || words.size === 0) return 0;
    let best = 0;
    for (const hash of hashes) {
      const matches = await app.store.history.matches(siteId, hash);
      best = Math.max(best, scoreOf(matches.map(({ word, match }) => ({ match, weight: words.get(word) ?? UNLISTED }))));
    }
    return best;
  };
}
