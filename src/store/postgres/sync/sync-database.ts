import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { withoutPassword } from "../../address.ts";
import { StorageError } from "../../store.ts";
import { ConnectionLost, type ErrorInfo, errorOf, PostgresError } from "../errors.ts";
import { ReconnectPause } from "../reconnect-pause.ts";
import { translate } from "../translate-sql.ts";
import { SyncStatement } from "./sync-statement.ts";
import { acquireThread, releaseThread, replaceThread } from "./sync-thread.ts";

export type Row = Record<string, unknown>;

/** Connection settings passed to the thread. */
export interface ConnectionSetup {
  readonly url: string;
  readonly isReadOnly: boolean;
  /** Index 0 counts answers, index 1 the ticks of the thread. */
  readonly signal: Int32Array;
}

/** The questions of one message are sent together and answered together. */
export interface Query {
  readonly number: number;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;
  /** Belongs to an open transaction. */
  readonly isInTransaction: boolean;
}

interface Result {
  readonly rows: Row[];
  readonly changes: number;
  readonly command: string;
}

export type Answer = { readonly number: number } & (Result | { readonly trouble: ErrorInfo });

/** Limits the questions buffered here when many are sent before an answer is read. */
const MAX_UNSENT = 64;

/**
 * A waiting caller checks at this interval whether the thread still ticks; after `MAX_SILENT_CHECKS` checks without a tick it counts as
 * dead.
 */
const CHECK_MS = 1000;
const MAX_SILENT_CHECKS = 30;
/** Poll interval while waiting asynchronously. */
const POLL_MS = 20;

/** Prepared statements kept on the server; further ones are parsed each time. */
const MAX_PREPARED = 1000;

/** Transactions that remove or rewrite rows that others may be about to reference take the exclusive lock; all others share it. */
const SHARED_LOCK = "SELECT pg_advisory_xact_lock_shared(7042)";
const EXCLUSIVE_LOCK = "SELECT pg_advisory_xact_lock(7042)";

/**
 * PostgreSQL behind the synchronous interface of the SQLite driver: the calling thread blocks until the answer arrives. Within a
 * transaction, statements whose answer is not read are not waited for; their failure is raised by the next statement that is.
 */
export class SyncDatabase {
  /** The database address without the password. */
  readonly address: string;
  readonly isReadOnly: boolean;
  readonly #signal = new Int32Array(new SharedArrayBuffer(8));
  readonly #port: MessagePort;
  readonly #names = new Map<string, string>();
  /** Statements in flight. */
  readonly #sent = new Map<number, PendingQuery>();
  /** Sent with the next statement that is waited for: waking the other thread costs more than most statements. */
  #unsent: Query[] = [];
  #lastNumber = 0;
  #failure: Error | undefined;
  #isOpen = true;
  #isTransaction = false;
  /** While the database is away: until when no reconnect is tried. */
  readonly #pause = new ReconnectPause();

  constructor(url: string, isReadOnly = false) {
    this.address = withoutPassword(url);
    this.isReadOnly = isReadOnly;
    const { port1, port2: port } = new MessageChannel();
    this.#port = port1;
    const setup: ConnectionSetup = { url, isReadOnly, signal: this.#signal };
    acquireThread().postMessage({ ...setup, port }, [port]);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isTransaction(): boolean {
    return this.#isTransaction;
  }

  /** Functions that SQLite gets from this process are created in the database by `functions.ts`. */
  function(): void {
    return;
  }

  prepare(sql: string): SyncStatement {
    return new SyncStatement(this, translate(sql));
  }

  /** Runs a statement without values. */
  exec(sql: string): void {
    if (sql.startsWith("PRAGMA")) return;
    if (sql.startsWith("BEGIN")) return void this.#begin(sql);
    if (sql !== "COMMIT" && sql !== "ROLLBACK") return void this.query(translate(sql).text);
    const sent = this.#enqueue(sql, [], undefined);
    this.#waitFor(sent);
    const failure = this.#failure;
    this.#failure = undefined;
    this.#isTransaction = false;
    if (sql === "ROLLBACK") return;
    if (failure) throw failure;
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK instead of an error.
    if (sent.result?.command !== "COMMIT") throw new PostgresError("the transaction had failed", "25P02");
  }

  /** A plain BEGIN reads one consistent snapshot. */
  #begin(sql: string): void {
    if (this.#isTransaction) throw new PostgresError("a transaction is under way already", undefined);
    const lock = sql === "BEGIN IMMEDIATE" ? SHARED_LOCK : sql === "BEGIN EXCLUSIVE" ? EXCLUSIVE_LOCK : undefined;
    this.#enqueue(lock === undefined ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : `BEGIN; ${lock}`, [], undefined);
    this.#isTransaction = true;
  }

  /** Locks the site's links against other transactions, until the transaction ends. */
  lockSite(siteId: number): void {
    this.send("SELECT pg_advisory_xact_lock(7043, $1)", [siteId], "hold_site");
  }

  query(text: string, values: readonly unknown[] = [], name?: string): Result {
    return this.#wait(this.#enqueue(text, values, name));
  }

  /** Outside a transaction it waits, because a failure would not be noticed otherwise. */
  send(text: string, values: readonly unknown[], name?: string): PendingQuery {
    const sent = this.#enqueue(text, values, name);
    if (!this.#isTransaction) this.#wait(sent);
    return sent;
  }

  /** The name of the prepared statement on the server. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MAX_PREPARED) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** When the next call may reconnect; until then all calls fail at once. */
  get nextTry(): number {
    return this.#pause.until;
  }

  /** Reconnects without blocking the thread. */
  async reconnect(): Promise<void> {
    const sent = this.#pause.tryOnce(() => this.#enqueue("SELECT 1", [], undefined));
    this.#flush();
    try {
      for (this.#takeAnswers(); sent.isPending && this.#isOpen; this.#takeAnswers()) await sleep(POLL_MS);
    } finally {
      this.#pause.tryEnded();
    }
    if (this.#isOpen) this.#wait(sent);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#flush();
    const sent = this.#newQuery("");
    this.#port.postMessage({ close: sent.number });
    this.#waitFor(sent);
    this.#port.close();
    releaseThread();
  }

  #newQuery(text: string): PendingQuery {
    this.#lastNumber += 1;
    const sent = new PendingQuery(this.#lastNumber, text, (late) => this.#wait(late));
    this.#sent.set(sent.number, sent);
    return sent;
  }

  #enqueue(text: string, values: readonly unknown[], name: string | undefined): PendingQuery {
    if (!this.#isOpen) throw new PostgresError("the store is closed", undefined);
    if (this.#pause.isActive) {
      // Statements in flight are forgotten only in a transaction: outside one, an asynchronous reconnect attempt may be in flight.
      if (this.#isTransaction) {
        this.#dropPending();
        this.#failure = undefined;
      }
      throw this.#pause.cause!;
    }
    const sent = this.#newQuery(text);
    this.#unsent.push({ number: sent.number, text, values, name, isInTransaction: this.#isTransaction });
    if (this.#unsent.length >= MAX_UNSENT) this.#flush();
    return sent;
  }

  #flush(): void {
    if (this.#unsent.length === 0) return;
    this.#port.postMessage(this.#unsent);
    this.#unsent = [];
  }

  /** Answers arrive in the order of the questions, so the first failure is raised first. */
  #wait(sent: PendingQuery): Result {
    this.#waitFor(sent);
    const failure = this.#failure;
    if (failure === undefined) return sent.result ?? throwError(new PostgresError("this had failed", undefined));
    if (failure instanceof ConnectionLost) this.#dropPending();
    if (!this.#isTransaction) this.#failure = undefined;
    throw failure;
  }

  /** Statements in flight were lost with the connection. */
  #dropPending(): void {
    this.#isTransaction = false;
    for (const sent of this.#sent.values()) sent.isPending = false;
    this.#sent.clear();
  }

  #waitFor(sent: PendingQuery): void {
    this.#flush();
    let [ticks, silentChecks] = [0, 0];
    while (sent.isPending) {
      const seen = Atomics.load(this.#signal, 0);
      this.#takeAnswers();
      if (!sent.isPending || Atomics.wait(this.#signal, 0, seen, CHECK_MS) !== "timed-out") continue;
      const now = Atomics.load(this.#signal, 1);
      silentChecks = now === ticks ? silentChecks + 1 : 0;
      ticks = now;
      if (silentChecks >= MAX_SILENT_CHECKS) this.#giveUp();
    }
  }

  /** The thread has died, and no answer will come. Slow statements do not lead here: the thread itself watches the connection. */
  #giveUp(): never {
    this.#isOpen = false;
    this.#dropPending();
    this.#port.close();
    replaceThread();
    throw new StorageError(
      `the connection to ${this.address} is lost: the thread that asks there has died`,
      "run the same command again: nothing settled is lost",
    );
  }

  #takeAnswers(): void {
    for (let answers = this.#receive(); answers !== undefined; answers = this.#receive())
      for (const answer of answers) this.#handleAnswer(answer);
  }

  #receive(): readonly Answer[] | undefined {
    return receiveMessageOnPort(this.#port)?.message as readonly Answer[] | undefined;
  }

  #handleAnswer(answer: Answer): void {
    const sent = this.#sent.get(answer.number);
    if (!sent) return;
    this.#sent.delete(answer.number);
    sent.isPending = false;
    if ("trouble" in answer) {
      const failure = errorOf(answer.trouble, this.address, sent.text);
      if (failure instanceof ConnectionLost) this.#pause.begin(failure, answer.number, this.#lastNumber);
      this.#failure ??= failure;
    } else {
      this.#pause.end();
      sent.result = answer;
    }
  }
}

function throwError(cause: Error): never {
  throw cause;
}

/** A statement in flight. Reading its result waits. */
export class PendingQuery {
  readonly number: number;
  readonly text: string;
  readonly #wait: (sent: PendingQuery) => Result;
  isPending = true;
  result: Result | undefined;

  constructor(number: number, text: string, wait: (sent: PendingQuery) => Result) {
    this.number = number;
    this.text = text;
    this.#wait = wait;
  }

  get rows(): Row[] {
    return (this.result ?? this.#wait(this)).rows;
  }

  get changes(): number {
    return (this.result ?? this.#wait(this)).changes;
  }

  get lastInsertRowid(): number {
    return Number((this.result ?? this.#wait(this)).rows[0]?.id ?? 0);
  }
}
