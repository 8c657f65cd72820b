import type { LinkSight, Scorer } from "./scorer.ts";

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The word itself or its plural. */
export function openScorer(keywords: readonly string[]): Scorer {
  const lists = keywords.map(wordsOf);
  const matchText = (text: string): readonly number[] => {
    const words = new Set(wordsOf(text));
    return lists.map((list) => (list.length > 0 && list.every((word) => words.has(word) || words.has(`${word}s`)) ? 1 : 0));
  };
  return {
    name: "lexical.1",
    keywords,
    matchText,
    match: ({ text, url, title = "" }: LinkSight) => matchText(`${text} ${url} ${title}`),
  };
}
