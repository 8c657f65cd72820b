/** A link as a scorer sees it: the texts that a person reads in it and around it. */
export interface LinkSight {
  readonly text: string;
  readonly url: string;
  readonly title?: string | undefined;
  readonly heading?: string | undefined;
  /** The block that contains it. */
  readonly context?: string | undefined;
}

/** By words only, or also with concepts and word vectors. */
export type ScorerKind = "lexical" | "embedded";

/** The scorer used during the crawl; a model judges afterwards. */
export const kindOf = (scorer: ScorerKind | "llm"): ScorerKind => (scorer === "lexical" ? "lexical" : "embedded");

/** Matches links with a list of keywords. Created once per list, because it caches words and texts. */
export interface Scorer {
  /** Name and version of the method: matches made under another name are recalculated from the stored texts. */
  readonly name: string;
  readonly keywords: readonly string[];
  /** How far each keyword applies, 0–1, in the order of `keywords`. */
  match(link: LinkSight): readonly number[];
  /** The same for running text: a title, a heading, a paragraph. */
  matchText(text: string): readonly number[];
}
