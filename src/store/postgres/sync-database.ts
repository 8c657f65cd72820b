import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { withoutPassword } from "../address.ts";
import { StorageError } from "../store.ts";
import { translate } from "./dialect.ts";
import { ConnectionLost, errorOf, PostgresError, type Trouble } from "./errors.ts";
import { ReconnectPause } from "./reconnect-pause.ts";
import { SyncStatement } from "./sync-statement.ts";
import { leaveThread, replaceThread, shareThread } from "./sync-thread.ts";

export type Row = Record<string, unknown>;

/** What the thread is told of a connection. */
export interface Setup {
  readonly url: string;
  readonly isReadOnly: boolean;
  /** Counts the answers, and the turns of the thread. */
  readonly signal: Int32Array;
}

/** Those of one message are asked at once, and answered together. */
export interface Question {
  readonly number: number;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;
  /** Belongs to a transaction that is under way. */
  readonly isInside: boolean;
}

interface Result {
  readonly rows: Row[];
  readonly changes: number;
  readonly command: string;
}

export type Answer = { readonly number: number } & (Result | { readonly trouble: Trouble });

/** Whoever asks much before it reads an answer does not keep all of it here. */
const MOST_UNSENT = 64;

/** Whoever waits looks so often whether the thread still turns; one that has not for so many looks has died. */
const LOOK = 1000;
const MOST_SILENT_LOOKS = 30;
/** While an answer is waited for without standing still. */
const POLL = 20;

/** Statements that keep their name on the server; what is asked beyond those is parsed each time. */
const MOST_NAMES = 1000;

/** Whoever removes or rewrites what others may be about to name does so alone; all others share. */
const TOGETHER = "SELECT pg_advisory_xact_lock_shared(7042)";
const ALONE = "SELECT pg_advisory_xact_lock(7042)";

/**
 * PostgreSQL behind the interface of the SQLite driver: a statement is asked, and the thread waits for its answer. In a transaction, what nobody reads the answer
 * of is not waited for: it fails at the next that is.
 */
export class SyncDatabase {
  /** Where it is, without the password. */
  readonly place: string;
  readonly isReadOnly: boolean;
  readonly #signal = new Int32Array(new SharedArrayBuffer(8));
  readonly #port: MessagePort;
  readonly #names = new Map<string, string>();
  /** What is under way. */
  readonly #sent = new Map<number, Sent>();
  /** What goes with the next that is waited for: to wake the other thread costs more than most statements. */
  #unsent: Question[] = [];
  #asked = 0;
  #failure: Error | undefined;
  #isOpen = true;
  #isTransaction = false;
  /** While the database is away: until when nobody tries anew. */
  readonly #pause = new ReconnectPause();

  constructor(url: string, isReadOnly = false) {
    this.place = withoutPassword(url);
    this.isReadOnly = isReadOnly;
    const { port1, port2: port } = new MessageChannel();
    this.#port = port1;
    const setup: Setup = { url, isReadOnly, signal: this.#signal };
    shareThread().postMessage({ ...setup, port }, [port]);
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

  /** Statements without values. */
  exec(sql: string): void {
    if (sql.startsWith("PRAGMA")) return;
    if (sql.startsWith("BEGIN")) return void this.#begin(sql);
    if (sql !== "COMMIT" && sql !== "ROLLBACK") return void this.ask(translate(sql).text);
    const sent = this.#post(sql, [], undefined);
    this.#await(sent);
    const failure = this.#failure;
    this.#failure = undefined;
    this.#isTransaction = false;
    if (sql === "ROLLBACK") return;
    if (failure) throw failure;
    // PostgreSQL takes back what had failed, and calls that an answer.
    if (sent.result?.command !== "COMMIT") throw new PostgresError("the transaction had failed", "25P02");
  }

  /** A plain one sees everything as of one moment. */
  #begin(sql: string): void {
    if (this.#isTransaction) throw new PostgresError("a transaction is under way already", undefined);
    const lock = sql === "BEGIN IMMEDIATE" ? TOGETHER : sql === "BEGIN EXCLUSIVE" ? ALONE : undefined;
    this.#post(lock === undefined ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : `BEGIN; ${lock}`, [], undefined);
    this.#isTransaction = true;
  }

  /** Waits until no other transaction works on the links of the site. */
  holdSite(siteId: number): void {
    this.send("SELECT pg_advisory_xact_lock(7043, $1)", [siteId], "hold_site");
  }

  ask(text: string, values: readonly unknown[] = [], name?: string): Result {
    return this.#wait(this.#post(text, values, name));
  }

  /** Outside of a transaction it is waited for: nobody would hear that it failed. */
  send(text: string, values: readonly unknown[], name?: string): Sent {
    const sent = this.#post(text, values, name);
    if (!this.#isTransaction) this.#wait(sent);
    return sent;
  }

  /** The name under which the server keeps a statement. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MOST_NAMES) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** When the next call may make a new connection; until then all fail at once. */
  get nextTry(): number {
    return this.#pause.until;
  }

  /** Tries to make a new connection, without standing still meanwhile. */
  async reconnect(): Promise<void> {
    const sent = this.#pause.pass(() => this.#post("SELECT 1", [], undefined));
    this.#flush();
    try {
      for (this.#takeAnswers(); sent.isUnderWay && this.#isOpen; this.#takeAnswers()) await sleep(POLL);
    } finally {
      this.#pause.passed();
    }
    if (this.#isOpen) this.#wait(sent);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#flush();
    const sent = this.#next("");
    this.#port.postMessage({ close: sent.number });
    this.#await(sent);
    this.#port.close();
    leaveThread();
  }

  #next(text: string): Sent {
    this.#asked += 1;
    const sent = new Sent(this.#asked, text, (late) => this.#wait(late));
    this.#sent.set(sent.number, sent);
    return sent;
  }

  #post(text: string, values: readonly unknown[], name: string | undefined): Sent {
    if (!this.#isOpen) throw new PostgresError("the store is closed", undefined);
    if (this.#pause.isOn) {
      // Not always: a question whose answer nobody stands still for may be under way, to find out whether it is back.
      if (this.#isTransaction) {
        this.#forget();
        this.#failure = undefined;
      }
      throw this.#pause.cause!;
    }
    const sent = this.#next(text);
    this.#unsent.push({ number: sent.number, text, values, name, isInside: this.#isTransaction });
    if (this.#unsent.length >= MOST_UNSENT) this.#flush();
    return sent;
  }

  #flush(): void {
    if (this.#unsent.length === 0) return;
    this.#port.postMessage(this.#unsent);
    this.#unsent = [];
  }

  /** Answers come in the order of the questions: what failed before it is told first. */
  #wait(sent: Sent): Result {
    this.#await(sent);
    const failure = this.#failure;
    if (failure === undefined) return sent.result ?? raise(new PostgresError("this had failed", undefined));
    if (failure instanceof ConnectionLost) this.#forget();
    if (!this.#isTransaction) this.#failure = undefined;
    throw failure;
  }

  /** What was under way went with the connection. */
  #forget(): void {
    this.#isTransaction = false;
    for (const sent of this.#sent.values()) sent.isUnderWay = false;
    this.#sent.clear();
  }

  #await(sent: Sent): void {
    this.#flush();
    let [turns, silentLooks] = [0, 0];
    while (sent.isUnderWay) {
      const seen = Atomics.load(this.#signal, 0);
      this.#takeAnswers();
      if (!sent.isUnderWay || Atomics.wait(this.#signal, 0, seen, LOOK) !== "timed-out") continue;
      const now = Atomics.load(this.#signal, 1);
      silentLooks = now === turns ? silentLooks + 1 : 0;
      turns = now;
      if (silentLooks >= MOST_SILENT_LOOKS) this.#giveUp();
    }
  }

  /** Nobody will answer any more. How long a database may take, the thread itself knows. */
  #giveUp(): never {
    this.#isOpen = false;
    this.#forget();
    this.#port.close();
    replaceThread();
    throw new StorageError(
      `the connection to ${this.place} is lost: the thread that asks there has died`,
      "run the same command again: nothing settled is lost",
    );
  }

  #takeAnswers(): void {
    for (let got = this.#receive(); got !== undefined; got = this.#receive()) for (const answer of got) this.#take(answer);
  }

  #receive(): readonly Answer[] | undefined {
    return receiveMessageOnPort(this.#port)?.message as readonly Answer[] | undefined;
  }

  #take(answer: Answer): void {
    const sent = this.#sent.get(answer.number);
    if (!sent) return;
    this.#sent.delete(answer.number);
    sent.isUnderWay = false;
    if ("trouble" in answer) {
      const failure = errorOf(answer.trouble, this.place, sent.text);
      if (failure instanceof ConnectionLost) this.#pause.begin(failure, answer.number, this.#asked);
      this.#failure ??= failure;
    } else {
      this.#pause.end();
      sent.result = answer;
    }
  }
}

function raise(cause: Error): never {
  throw cause;
}

/** A statement under way. Whoever reads what came of it waits. */
export class Sent {
  readonly number: number;
  readonly text: string;
  readonly #wait: (sent: Sent) => Result;
  isUnderWay = true;
  result: Result | undefined;

  constructor(number: number, text: string, wait: (sent: Sent) => Result) {
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
