import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { type Translated, translate } from "./dialect.ts";

// Threads run what was built, wherever this file is run from.
const workerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/src/store/postgres/sync-worker.js" : "./sync-worker.js",
  import.meta.url,
);

type Row = Record<string, unknown>;
type Answer =
  | { readonly rows: Row[]; readonly changes: number }
  | { readonly error: string; readonly code?: string; readonly position?: string };

export class PostgresError extends Error {
  readonly code: string | undefined;
  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/**
 * PostgreSQL behind the interface of the SQLite driver: a statement is asked, and the thread waits for its answer. For everything that is looked at or
 * changed now and then; what a crawl does all the time does not wait (`settle.ts`, `backlog.ts`).
 */
export class SyncDatabase {
  readonly #worker: Worker;
  readonly #signal = new Int32Array(new SharedArrayBuffer(4));
  readonly #answers = new MessageChannel();
  #isOpen = true;
  #isTransaction = false;

  constructor(url: string) {
    const workerData = { url, signal: this.#signal, answers: this.#answers.port2 };
    this.#worker = new Worker(workerUrl, { workerData, transferList: [this.#answers.port2] });
    this.#worker.unref();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isTransaction(): boolean {
    return this.#isTransaction;
  }

  /** Those of SQLite's that are made in this process are made in the database by `functions.ts`. */
  function(): void {
    return;
  }

  prepare(sql: string): SyncStatement {
    return new SyncStatement(this, translate(sql));
  }

  /** Several statements at once, without values. What begins a transaction here excludes other writers, as in SQLite. */
  exec(sql: string): void {
    if (/^PRAGMA/.test(sql)) return;
    if (/^BEGIN/.test(sql)) {
      this.ask("BEGIN; SELECT pg_advisory_xact_lock(7042)", []);
      this.#isTransaction = true;
      return;
    }
    try {
      this.ask(sql, []);
    } finally {
      if (/^(COMMIT|ROLLBACK)/.test(sql)) this.#isTransaction = false;
    }
  }

  ask(text: string, values: readonly unknown[], name?: string): { rows: Row[]; changes: number } {
    Atomics.store(this.#signal, 0, 0);
    this.#worker.postMessage({ text, values, name });
    const answer = this.#wait();
    if ("error" in answer) throw new PostgresError(`${answer.error} (${text.slice(0, 2000)})`, answer.code);
    return answer;
  }

  close(): void {
    this.#isOpen = false;
    Atomics.store(this.#signal, 0, 0);
    this.#worker.postMessage("close");
    this.#wait();
    this.#answers.port1.close();
  }

  #wait(): Answer {
    Atomics.wait(this.#signal, 0, 0);
    return receiveMessageOnPort(this.#answers.port1)!.message as Answer;
  }
}

let named = 0;

export class SyncStatement {
  readonly #db: SyncDatabase;
  readonly #translated: Translated;
  readonly #name: string;

  constructor(db: SyncDatabase, translated: Translated) {
    this.#db = db;
    this.#translated = translated;
    named += 1;
    this.#name = `s${named}`;
  }

  all(...given: unknown[]): Row[] {
    return this.#ask(given).rows;
  }

  get(...given: unknown[]): Row | undefined {
    return this.#ask(given).rows[0];
  }

  run(...given: unknown[]): { changes: number; lastInsertRowid: number } {
    const { rows, changes } = this.#ask(given);
    return { changes, lastInsertRowid: Number(rows[0]?.id ?? 0) };
  }

  *iterate(...given: unknown[]): Generator<Row> {
    yield* this.#ask(given).rows;
  }

  #ask(given: unknown[]): { rows: Row[]; changes: number } {
    if (this.#translated.text.startsWith("PRAGMA")) return { rows: [], changes: 0 };
    const byName = given.length === 1 && isNamed(given[0]) ? given[0] : undefined;
    const values = this.#translated.values.map((at) => plain(byName ? byName[at] : given[at as number]));
    return this.#db.ask(this.#translated.text, values, this.#name);
  }
}

const isNamed = (value: unknown): value is Row => typeof value === "object" && value !== null && !ArrayBuffer.isView(value);

/** PostgreSQL's texts hold no NUL. */
function plain(value: unknown): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "") : value;
  if (typeof value === "bigint") return value.toString();
  return value ?? null;
}
