import { openScorer, type Scorer, type ScorerKind, scoreOf, UNLISTED } from "../../analysis/score/index.ts";
import type { Hash64 } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";

/** The best score of some links of a site; 0 without keywords. */
export type LinkScorer = (siteId: number, hashes: readonly Hash64[]) => Promise<number>;

/** The score of a changed page: the best match per keyword among the links to it and its own words. */
export type PageScorer = (siteId: number, hash: Hash64, texts: readonly string[]) => Promise<number>;

export async function pageScorerFor(app: App, siteIds: readonly number[], kind: ScorerKind): Promise<PageScorer> {
  const keywords = new Map<
    number,
    { readonly weights: ReadonlyMap<string, number>; readonly scorers: readonly [literal: Scorer, meant: Scorer] }
  >();
  for (const siteId of siteIds) {
    const weights = new Map((await app.store.links.keywords(siteId)).map(({ word, weight }) => [word, weight]));
    const words = [...weights.keys()];
    if (words.length > 0) keywords.set(siteId, { weights, scorers: [openScorer(words, { kind: "lexical" }), openScorer(words, { kind })] });
  }
  return async (siteId, hash, texts) => {
    const known = keywords.get(siteId);
    if (!known) return 0;
    const best = new Map<string, number>();
    const addMatch = (word: string, match: number) => best.set(word, Math.max(match, best.get(word) ?? 0));
    for (const { word, match } of await app.store.history.matches(siteId, hash)) addMatch(word, match);
    for (const text of texts.filter((each) => each !== "")) {
      const [literal, semantic] = known.scorers;
      // A literal occurrence is a full match, wherever it is in the text.
      const named = literal.match({ text, url: "" });
      for (const [place, match] of semantic.matchText(text).entries()) addMatch(semantic.keywords[place]!, Math.max(match, named[place]!));
    }
    return scoreOf([...best].map(([word, match]) => ({ match, weight: known.weights.get(word) ?? UNLISTED })));
  };
}

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
