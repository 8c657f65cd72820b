/**
 * The thread behind `sync-database.ts`: queries PostgreSQL and passes the answers to the blocked thread. One for all stores of a process.
 */
import type { Socket } from "node:net";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { Client, ClientConfig } from "pg";
import { CHECK_MS, ConnectionMonitor, closeNow, withTimeout } from "../connection-monitor.ts";
import type { Answer, ConnectionSetup, Query } from "./sync-database.ts";

/**
 * A session idle in a transaction ends after 60 s. Statement and lock timeouts, which some servers set by default, are disabled, because
 * some statements take long.
 */
const SESSION = "SET jit = off; SET idle_in_transaction_session_timeout = '60s'; SET statement_timeout = 0; SET lock_timeout = 0";
const CONNECT_TIMEOUT = 5000;
const KEEPALIVE = 10_000;
/** Closing does not wait longer for a server that does not answer. */
const CLOSE_TIMEOUT = 2000;

const asText = (text: string) => text;
const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => (text === "t" ? 1 : 0)],
  // Copied, so that a body does not keep the larger read buffer in memory.
  [17, (text) => new Uint8Array(Buffer.from(text.slice(2), "hex"))],
  [20, Number],
  [1700, Number],
  [114, asText],
  [3802, asText],
]);

/** PostgreSQL's and the system's codes for a lost connection or a server shutdown. */
const LOST_CODES = /^(08...|57P0[1-5]|25P0[34]|E[A-Z]+)$/;
/** Codes of a server that temporarily cannot write: a failover to another primary, or no space for now. */
const TEMPORARY_CODES = /^(25006|53[1-4]00|57014|55P03)$/;
const CONNECTION_ENDED = { message: "the connection ended", code: "08006", isLost: true, isFirst: false };

/** Questions that arrived together, and their answers so far. */
interface Group {
  readonly answers: Answer[];
  left: number;
}

class Connection {
  readonly #setup: ConnectionSetup;
  readonly #port: MessagePort;
  #client: Promise<Client> | undefined;
  #connected: Client | undefined;
  #monitor: ConnectionMonitor | undefined;
  #wasConnected = false;
  /** After a connection broke in a transaction, the transaction's other statements must not run on a new one. */
  #isBroken = false;
  #queue = Promise.resolve();
  /** Unanswered questions, with the group they are answered with. */
  readonly #unanswered = new Map<number, Group>();

  constructor(setup: ConnectionSetup, port: MessagePort) {
    this.#setup = setup;
    this.#port = port;
    port.on("message", (message: readonly Query[] | { readonly close: number }) => {
      const numbers = "close" in message ? [message.close] : message.map(({ number }) => number);
      const group: Group = { answers: [], left: numbers.length };
      for (const number of numbers) this.#unanswered.set(number, group);
      this.#queue = this.#queue.then(() => ("close" in message ? this.#close(message.close) : this.#runQueries(message)));
    });
  }

  async #runQueries(questions: readonly Query[]): Promise<void> {
    const { isInTransaction: isInside } = questions[0]!;
    if (!isInside) this.#isBroken = false;
    try {
      if (this.#isBroken) throw new Error(CONNECTION_ENDED.message);
      this.#client ??= this.#connect();
      this.#send(await this.#client, questions);
    } catch (cause) {
      for (const { number } of questions) this.#fail(number, cause, undefined);
    }
  }

  /** Sends all in one write; each statement is queued without waiting for the answer to the one before. */
  #send(client: Client, questions: readonly Query[]): void {
    const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    stream.cork();
    try {
      for (const { number, text, values, name } of questions) {
        client.query({ text, values: [...values], ...(name !== undefined && { name }) }, (cause: Error | null, result) => {
          if (cause) return this.#fail(number, cause, client);
          const last = Array.isArray(result) ? (result as (typeof result)[]).at(-1) : result;
          this.#answer({ number, rows: last?.rows ?? [], changes: last?.rowCount ?? 0, command: last?.command ?? "" });
        });
      }
    } finally {
      stream.uncork();
    }
  }

  async #connect(): Promise<Client> {
    const { default: pg } = await import("pg");
    const { url, isReadOnly } = this.#setup;
    const getTypeParser = ((oid: number) => parsers.get(oid) ?? pg.types.getTypeParser(oid)) as typeof pg.types.getTypeParser;
    const config = {
      connectionString: url,
      application_name: "nuthatch",
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEPALIVE,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
    };
    const client = new pg.Client({ ...config, pipeline: true, types: { getTypeParser } } as ClientConfig);
    client.on("error", () => this.#dropConnection(client));
    client.on("end", () => this.#dropConnection(client));
    await client.connect();
    client.on("notification", () => parentPort!.postMessage("called"));
    const sessionMode = isReadOnly ? "SET default_transaction_read_only = on" : "LISTEN nuthatch";
    const started = await withTimeout(CONNECT_TIMEOUT, client.query(`${SESSION}; ${sessionMode}; SELECT pg_backend_pid() AS pid`)).catch(
      (cause: unknown) => {
        closeNow(client);
        throw cause;
      },
    );
    const [{ pid }] = (started as unknown as { readonly rows: readonly [{ readonly pid: number }] }[]).at(-1)!.rows;
    this.#monitor = new ConnectionMonitor({ client, pid, newClient: () => new pg.Client(config as ClientConfig) });
    this.#connected = client;
    this.#wasConnected = true;
    return client;
  }

  /** A replaced connection may still emit events. */
  #dropConnection(client: Client | undefined): void {
    if (client !== this.#connected) return;
    this.#connected = undefined;
    this.#monitor = undefined;
    this.#client = undefined;
    this.#isBroken = true;
  }

  /** Called once a second. A statement may take any time, but a connection without any traffic is dropped. */
  check(): void {
    Atomics.add(this.#setup.signal, 1, 1);
    const monitor = this.#monitor;
    if (!monitor) return;
    if (this.#unanswered.size === 0) monitor.reset();
    else
      void monitor.check().then((isDead) => {
        if (!isDead || monitor !== this.#monitor) return;
        const { client, seconds } = monitor;
        this.giveUp(`it has not answered for ${seconds} s`);
        closeNow(client);
      });
  }

  #fail(number: number, cause: unknown, client: Client | undefined): void {
    const { message, code } = cause as Error & { code?: string };
    const isTemporary = !this.#setup.isReadOnly && TEMPORARY_CODES.test(code ?? "");
    const isLost = !client || isTemporary || LOST_CODES.test(code ?? "") || /Connection terminated|not queryable/.test(message);
    const isFirst = !this.#wasConnected;
    if (isLost) this.#dropConnection(client);
    if (isTemporary && client) closeNow(client);
    this.#answer({ number, trouble: { message: message === "" ? (code ?? "no answer") : message, code, isLost, isFirst } });
  }

  /** Fails all open questions, so that no caller waits for ever. */
  giveUp(message: string): void {
    this.#dropConnection(this.#connected);
    for (const number of [...this.#unanswered.keys()]) this.#answer({ number, trouble: { ...CONNECTION_ENDED, message } });
  }

  #answer(answer: Answer): void {
    const group = this.#unanswered.get(answer.number);
    if (!group) return;
    this.#unanswered.delete(answer.number);
    group.answers.push(answer);
    group.left -= 1;
    if (group.left > 0) return;
    this.#port.postMessage(group.answers);
    Atomics.add(this.#setup.signal, 0, 1);
    Atomics.notify(this.#setup.signal, 0);
  }

  async #close(number: number): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    if (client) await withTimeout(CLOSE_TIMEOUT, client.end()).catch(() => closeNow(client));
    this.#answer({ number, rows: [], changes: 0, command: "" });
    this.#port.close();
    connections.delete(this);
  }
}

const connections = new Set<Connection>();
setInterval(() => {
  for (const connection of connections) connection.check();
}, CHECK_MS).unref();

parentPort!.on("message", (message: (ConnectionSetup & { readonly port: MessagePort }) | "end") => {
  if (message === "end") parentPort!.close();
  else connections.add(new Connection(message, message.port));
});
process.on("uncaughtException", (cause) => {
  for (const connection of connections) connection.giveUp(cause.message);
});
