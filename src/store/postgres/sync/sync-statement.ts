import { toStorableText } from "../storable-text.ts";
import type { Translated } from "../translate-sql.ts";
import type { PendingQuery, Row, SyncDatabase } from "./sync-database.ts";

/** Rows fetched at a time by `iterate`. */
const FETCH_SIZE = 1000;

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
    return this.#db.query(text, this.#values(given), this.#db.nameOf(text)).rows;
  }

  get(...given: unknown[]): Row | undefined {
    return this.all(...given)[0];
  }

  run(...given: unknown[]): PendingQuery {
    const { text } = this.#translated;
    return this.#db.send(text, this.#values(given), this.#db.nameOf(text));
  }

  /** Reads one consistent snapshot through a cursor, with at most `SOME` rows in memory. */
  *iterate(...given: unknown[]): Generator<Row> {
    cursors += 1;
    const name = `rows_${cursors}`;
    const hold = this.#db.isTransaction ? "" : "WITH HOLD";
    this.#db.query(`DECLARE ${name} NO SCROLL CURSOR ${hold} FOR ${this.#translated.text}`, this.#values(given));
    let hasCursor = false;
    try {
      for (let isMore = true; isMore; ) {
        hasCursor = false;
        const { rows } = this.#db.query(`FETCH ${FETCH_SIZE} FROM ${name}`);
        hasCursor = true;
        isMore = rows.length === FETCH_SIZE;
        yield* rows;
      }
    } finally {
      if (hasCursor && this.#db.isOpen) this.#db.send(`CLOSE ${name}`, []);
    }
  }

  #values(given: unknown[]): unknown[] {
    const namedValues = given.length === 1 && isNamed(given[0]) ? given[0] : undefined;
    return this.#translated.values.map((at) => toParameter(namedValues ? namedValues[at] : given[at as number]));
  }
}

const isNamed = (value: unknown): value is Row => typeof value === "object" && value !== null && !ArrayBuffer.isView(value);

function toParameter(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  return typeof value === "string" ? toStorableText(value) : (value ?? null);
}
