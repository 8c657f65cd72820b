/** The weight of a keyword that is not in the list of weights. */
export const UNLISTED = 0.25;

export interface Weighed {
  /** How far the keyword applies to the link, 0–1. */
  readonly match: number;
  /** How much the keyword matters, 0–1. */
  readonly weight: number;
}

/**
 * One score of many matches: the highest counts fully, the next half, the next a quarter… A link that matches one keyword well stays ahead
 * of one that matches many badly, and no number of keywords reaches 2.
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

/** From this score on a link counts as a find of high value. */
export const HIGH = 0.8;

/** Scores links under the given weights, at query time. */
export function scoreUnder(
  weights: Readonly<Record<string, number>>,
  ratio?: number,
): (matches: readonly { readonly word: string; readonly match: number }[]) => number {
  const listed = new Map(Object.entries(weights));
  const weightOf = (word: string) => listed.get(word) ?? UNLISTED;
  return (matches) => {
    // Fast path: most links have one keyword, and there may be a hundred thousand links.
    const [only] = matches;
    if (only && matches.length === 1) return only.match * weightOf(only.word);
    return scoreOf(
      matches.map(({ word, match }) => ({ match, weight: weightOf(word) })),
      ratio,
    );
  };
}
