/** A link as a scorer sees it: what a person would read of it and around it. */
export interface LinkSight {
  readonly text: string;
  readonly url: string;
  readonly title?: string | undefined;
  readonly heading?: string | undefined;
  /** The block it stands in. */
  readonly context?: string | undefined;
}

/** Words alone, or with concepts and word vectors. */
export type ScorerKind = "lexical" | "embedded";

/** Which of ours judges while the crawl goes on: a model does so afterwards. */
export const kindOf = (scorer: ScorerKind | "llm"): ScorerKind => (scorer === "lexical" ? "lexical" : "embedded");

/** Holds links against a list of keywords. Made once per list; remembers what it has seen. */
export interface Scorer {
  /** How it judges, with a version: matches made under another name are made again from the stored texts. */
  readonly name: string;
  readonly keywords: readonly string[];
  /** How far each keyword applies, 0–1, in the order of `keywords`. */
  match(link: LinkSight): readonly number[];
  /** The same for running text: a title, a heading, a paragraph. */
  matchText(text: string): readonly number[];
}
