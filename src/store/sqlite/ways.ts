import type { Query } from "../../search/index.ts";
import type { IndexedPage } from "../search.ts";
import type { BodyShelf } from "./bodies.ts";
import type { Statements } from "./rows.ts";

export type Numbered = "run" | "page" | "page_version";

/** Finding pages by their words: each database has an index of its own kind. */
export interface WordIndex {
  /** What is looked for, as the index wants it said. */
  match(query: Query): string;
  /** Within a transaction. Without words the page is not found by any. */
  keep(sql: Statements, pageId: number, words: IndexedPage["words"]): void;
}

/** Numbers of new rows. One that was given is never given again: what was removed may still be named somewhere. */
export interface Numbering {
  /** Within a transaction. */
  begin(sql: Statements, table: Numbered): () => number;
  /** Called in the transaction that removes rows. */
  remember(sql: Statements, table: Numbered): void;
}

/** What is done in other ways, not only in other words, where another database than SQLite is behind the store. */
export interface Ways {
  readonly words: WordIndex;
  readonly numbers: Numbering;
  /** Where bodies may lie elsewhere than in the database. */
  readonly bodies?: BodyShelf;
  /** Until the end of the transaction nobody else works on the links of the site. Where only one writes at a time there is nothing to do. */
  holdSite?(siteId: number): void;
}
