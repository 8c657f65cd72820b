import type { HtmlElement } from "../parse/index.ts";
import type { MetaField } from "../records.ts";
import type { PageView } from "./page-view.ts";
import { nothing } from "./weigh.ts";

/** The part of a page it is about. */
export interface MainText {
  readonly field: MetaField<string>;
  /** Its blocks in order: what they say, and whether they stand on many pages is asked by their text. */
  readonly blocks: readonly string[];
  /** The same as a tree without everything else, for Markdown. */
  readonly root: HtmlElement;
}

export function mainTextOf(page: PageView, _cascade: "weighed" | "classic"): MainText {
  return { field: { ...nothing, candidates: [] }, blocks: [], root: page.root };
}
