import type { Translated } from "./dialect.ts";
import { speakable } from "./speakable.ts";
import type { Row, Sent, SyncDatabase } from "./sync-database.ts";

/** Rows fetched at a time by `iterate`. */
const SOME = 1000;

let cursors = 0;

/** A prepared statement with the interface of the SQLite driver. */
export class SyncStatement {
  readonly #db: SyncDatabase;
  readonly #translated: Translated;

  constructor(db: SyncDatabase, translated: Translated) {
    this.#db = db;
    this.#translated = translated;
  }

  all(...given: unknown[]): Row[] {
    const { text, isPragma } = this.#translated;
    if (isPragma) return text.endsWith("query_only") ? [{ query_only: Number(this.#db.isReadOnly) }] : [];
    return this.#db.ask(text, this.#values(given), this.#db.nameOf(text)).rows;
  }

  get(...given: unknown[]): Row | undefined {
    return this.all(...given)[0];
  }

  run(...given: unknown[]): Sent {
    const { text } = this.#translated;
    return this.#db.send(text, this.#values(given), this.#db.nameOf(text));
  }

  /** Reads one consistent snapshot through a cursor, with at most `SOME` rows in memory. */
  *iterate(...given: unknown[]): Generator<Row> {
    cursors += 1;
    const name = `rows_${cursors}`;
    const hold = this.#db.isTransaction ? "" : "WITH HOLD";
    this.#db.ask(`DECLARE ${name} NO SCROLL CURSOR ${hold} FOR ${this.#translated.text}`, this.#values(given));
    let isThere = false;
    try {
      for (let isMore = true; isMore; ) {
        isThere = false;
        const { rows } = this.#db.ask(`FETCH ${SOME} FROM ${name}`);
        isThere = true;
        isMore = rows.length === SOME;
        yield* rows;
      }
    } finally {
      if (isThere && this.#db.isOpen) this.#db.send(`CLOSE ${name}`, []);
    }
  }

  #values(given: unknown[]): unknown[] {
    const byName = given.length === 1 && isNamed(given[0]) ? given[0] : undefined;
    return this.#translated.values.map((at) => plain(byName ? byName[at] : given[at as number]));
  }
}

const isNamed = (value: unknown): value is Row => typeof value === "object" && value !== null && !ArrayBuffer.isView(value);

function plain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  return typeof value === "string" ? speakable(value) : (value ?? null);
}
