import type { Weights } from "./keyword-panel.tsx";

/** Sorted, the first counts whole, the second half, the third a quarter: the same formula as in the crawler. */
export function contributions(
  keywords: Readonly<Record<string, number>>,
  weights: Weights,
): { word: string; match: number; weight: number; worth: number }[] {
  const parts = Object.entries(keywords)
    .map(([word, match]) => ({ word, match, weight: weights.get(word) ?? 0, worth: match * (weights.get(word) ?? 0) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || a.word.localeCompare(b.word));
  return parts.map((part, at) => ({ ...part, worth: part.worth / 2 ** at }));
}
