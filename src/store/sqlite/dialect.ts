import type { Query } from "../../analysis/search/index.ts";
import type { IndexedPage } from "../search.ts";
import type { BodyStore } from "./bodies.ts";
import type { Statements } from "./rows.ts";

export type NumberedTable = "run" | "page" | "page_version";

/** Full-text search of pages; each database has its own kind of index. */
export interface TextIndex {
  /** The query in the index's syntax. */
  match(query: Query): string;
  /** Call within a transaction. Without words the page is removed from the index. */
  save(sql: Statements, pageId: number, words: IndexedPage["words"]): void;
}

/** Ids of new rows. An id is never reused, because something may still refer to a removed row. */
export interface IdGenerator {
  /** Call within a transaction. */
  start(sql: Statements, table: NumberedTable): () => number;
  /** Called in the transaction that removes rows. */
  rememberHighest(sql: Statements, table: NumberedTable): void;
}

/** Dialect hooks: behaviour that differs per database and cannot be expressed in shared SQL. */
export interface Dialect {
  readonly words: TextIndex;
  readonly ids: IdGenerator;
  /** Set if bodies may be stored outside the database. */
  readonly bodies?: BodyStore;
  /** Locks the links of the site until the transaction ends. Not needed in a database with a single writer. */
  holdSite?(siteId: number): void;
}
