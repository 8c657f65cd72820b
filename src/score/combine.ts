/** The weight of a keyword that a scorer names and nobody listed. */
export const UNLISTED = 0.25;

export interface Weighed {
  /** How far the keyword applies to the link, 0–1. */
  readonly match: number;
  /** How much the keyword matters, 0–1. */
  readonly weight: number;
}

/**
 * One score of many matches: the weightiest counts whole, the next half, the next a quarter… A link that fits one keyword well stays
 * ahead of one that fits many badly, and no number of keywords takes it to 2.
 */
export function scoreOf(matches: Iterable<Weighed>, ratio = 0.5): number {
  const worths = Array.from(matches, ({ match, weight }) => match * weight).sort((a, b) => b - a);
  let [score, share] = [0, 1];
  for (const worth of worths) {
    score += worth * share;
    share *= ratio;
  }
  return score;
}

/** A link from here on is what people crawl for. */
export const HIGH = 0.8;

/** What links are worth under these weights, at the moment of asking. */
export function scoreUnder(
  weights: Readonly<Record<string, number>>,
  ratio?: number,
): (matches: readonly { readonly word: string; readonly match: number }[]) => number {
  const listed = new Map(Object.entries(weights));
  const weigh = (word: string) => listed.get(word) ?? UNLISTED;
  return (matches) => {
    // Most links have one keyword, and there may be a hundred thousand of them.
    const [only] = matches;
    if (only && matches.length === 1) return only.match * weigh(only.word);
    return scoreOf(
      matches.map(({ word, match }) => ({ match, weight: weigh(word) })),
      ratio,
    );
  };
}
