import type { Query } from "../../search/index.ts";
import type { IndexedPage } from "../search.ts";
import type { BodyShelf } from "./bodies.ts";
import type { Statements } from "./rows.ts";

export type Numbered = "run" | "page" | "page_version";

/** Full-text search of pages; each database has its own kind of index. */
export interface WordIndex {
  /** The query in the index's syntax. */
  match(query: Query): string;
  /** Call within a transaction. Without words the page is removed from the index. */
  keep(sql: Statements, pageId: number, words: IndexedPage["words"]): void;
}

/** Ids of new rows. An id is never reused, because something may still refer to a removed row. */
export interface Numbering {
  /** Call within a transaction. */
  begin(sql: Statements, table: Numbered): () => number;
  /** Called in the transaction that removes rows. */
  remember(sql: Statements, table: Numbered): void;
}

/** Dialect hooks: behaviour that differs per database and cannot be expressed in shared SQL. */
export interface Ways {
  readonly words: WordIndex;
  readonly numbers: Numbering;
  /** Set if bodies may be stored outside the database. */
  readonly bodies?: BodyShelf;
  /** Locks the links of the site until the transaction ends. Not needed in a database with a single writer. */
  holdSite?(siteId: number): void;
}
