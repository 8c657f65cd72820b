import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { IndexedPage } from "../search.ts";
import { inTransaction, type Statements } from "./rows.ts";
import { keepWords } from "./search.ts";

/** Many pages at once cost the index a third of what they cost one by one. */
const MOST_PAGES = 256;
const MOST_CHARACTERS = 4_000_000;

/**
 * The words of pages that were settled a moment ago. They may wait, because they can be made again: a page that is settled and whose words were
 * lost with the process is found wanting, and its body is read once more.
 */
export class WaitingWords {
  readonly #db: Database;
  readonly #sql: Statements;
  #pages: IndexedPage[] = [];
  #characters = 0;

  constructor(db: Database, sql: Statements) {
    this.#db = db;
    this.#sql = sql;
  }

  /** Called when what they belong to is on disk. */
  add(pages: readonly IndexedPage[]): void {
    for (const page of pages) {
      this.#pages.push(page);
      this.#characters += page.words?.text.length ?? 0;
    }
  }

  /** Called before something is settled: what fails here must not look like a settlement that failed. */
  makeRoom(): void {
    if (this.#pages.length >= MOST_PAGES || this.#characters >= MOST_CHARACTERS) this.flush();
  }

  flush(): void {
    const pages = this.#pages;
    if (pages.length === 0) return;
    this.#pages = [];
    this.#characters = 0;
    inTransaction(this.#db, () => keepWords(this.#sql, pages));
  }
}
