import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { IndexedPage } from "../../search.ts";
import { inTransaction, type Statements } from "../rows.ts";
import { indexPages } from "../search.ts";

/** Indexing many pages at once costs a third of indexing them one by one. */
const MAX_PAGES = 256;
const MAX_CHARACTERS = 4_000_000;

/**
 * Words of recently settled pages, waiting to be indexed. They can be lost with the process, because they can be made again: a settled
 * page without words in the index is detected, and its body is read again.
 */
export class IndexQueue {
  readonly #db: Database;
  readonly #sql: Statements;
  #pages: IndexedPage[] = [];
  #characters = 0;

  constructor(db: Database, sql: Statements) {
    this.#db = db;
    this.#sql = sql;
  }

  /** Called after the pages are committed. */
  add(pages: readonly IndexedPage[]): void {
    for (const page of pages) {
      this.#pages.push(page);
      this.#characters += page.words?.text.length ?? 0;
    }
  }

  /** Called before settling, so that an error here does not look like a failed settlement. */
  flushIfFull(): void {
    if (this.#pages.length >= MAX_PAGES || this.#characters >= MAX_CHARACTERS) this.flush();
  }

  flush(): void {
    const pages = this.#pages;
    if (pages.length === 0) return;
    this.#pages = [];
    this.#characters = 0;
    inTransaction(this.#db, () => indexPages(this.#sql, pages));
  }
}
