/**
 * The thread behind `sync-database.ts`: queries PostgreSQL and passes the answers to the blocked thread. One for all stores of a process.
 */
import type { Socket } from "node:net";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { Client, ClientConfig } from "pg";
import { drop, LOOK, Silence, within } from "./silence.ts";
import type { Answer, Question, Setup } from "./sync-database.ts";

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
const LOSSES = /^(08...|57P0[1-5]|25P0[34]|E[A-Z]+)$/;
/** Codes of a server that temporarily cannot write: a failover to another primary, or no space for now. */
const PASSING = /^(25006|53[1-4]00|57014|55P03)$/;
const LOST = { message: "the connection ended", code: "08006", isLost: true, isFirst: false };

/** Questions that arrived together, and their answers so far. */
interface Group {
  readonly answers: Answer[];
  left: number;
}

class Connection {
  readonly #setup: Setup;
  readonly #port: MessagePort;
  #client: Promise<Client> | undefined;
  #connected: Client | undefined;
  #silence: Silence | undefined;
  #wasConnected = false;
  /** After a connection broke in a transaction, the transaction's other statements must not run on a new one. */
  #isBroken = false;
  #order = Promise.resolve();
  /** Unanswered questions, with the group they are answered with. */
  readonly #open = new Map<number, Group>();

  constructor(setup: Setup, port: MessagePort) {
    this.#setup = setup;
    this.#port = port;
    port.on("message", (message: readonly Question[] | { readonly close: number }) => {
      const numbers = "close" in message ? [message.close] : message.map(({ number }) => number);
      const group: Group = { answers: [], left: numbers.length };
      for (const number of numbers) this.#open.set(number, group);
      this.#order = this.#order.then(() => ("close" in message ? this.#close(message.close) : this.#ask(message)));
    });
  }

  async #ask(questions: readonly Question[]): Promise<void> {
    const { isInside } = questions[0]!;
    if (!isInside) this.#isBroken = false;
    try {
      if (this.#isBroken) throw new Error(LOST.message);
      this.#client ??= this.#connect();
      this.#send(await this.#client, questions);
    } catch (cause) {
      for (const { number } of questions) this.#fail(number, cause, undefined);
    }
  }

  /** Sends all in one write; each statement is queued without waiting for the answer to the one before. */
  #send(client: Client, questions: readonly Question[]): void {
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
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    await client.connect();
    client.on("notification", () => parentPort!.postMessage("called"));
    const manners = isReadOnly ? "SET default_transaction_read_only = on" : "LISTEN nuthatch";
    const begun = await within(CONNECT_TIMEOUT, client.query(`${SESSION}; ${manners}; SELECT pg_backend_pid() AS pid`)).catch(
      (cause: unknown) => {
        drop(client);
        throw cause;
      },
    );
    const [{ pid }] = (begun as unknown as { readonly rows: readonly [{ readonly pid: number }] }[]).at(-1)!.rows;
    this.#silence = new Silence({ client, pid, again: () => new pg.Client(config as ClientConfig) });
    this.#connected = client;
    this.#wasConnected = true;
    return client;
  }

  /** A replaced connection may still emit events. */
  #lose(client: Client | undefined): void {
    if (client !== this.#connected) return;
    this.#connected = undefined;
    this.#silence = undefined;
    this.#client = undefined;
    this.#isBroken = true;
  }

  /** Called once a second. A statement may take any time, but a connection without any traffic is dropped. */
  look(): void {
    Atomics.add(this.#setup.signal, 1, 1);
    const silence = this.#silence;
    if (!silence) return;
    if (this.#open.size === 0) silence.end();
    else
      void silence.look().then((isDead) => {
        if (!isDead || silence !== this.#silence) return;
        const { client, seconds } = silence;
        this.giveUp(`it has not answered for ${seconds} s`);
        drop(client);
      });
  }

  #fail(number: number, cause: unknown, client: Client | undefined): void {
    const { message, code } = cause as Error & { code?: string };
    const isPassing = !this.#setup.isReadOnly && PASSING.test(code ?? "");
    const isLost = !client || isPassing || LOSSES.test(code ?? "") || /Connection terminated|not queryable/.test(message);
    const isFirst = !this.#wasConnected;
    if (isLost) this.#lose(client);
    if (isPassing && client) drop(client);
    this.#answer({ number, trouble: { message: message === "" ? (code ?? "no answer") : message, code, isLost, isFirst } });
  }

  /** Fails all open questions, so that no caller waits for ever. */
  giveUp(message: string): void {
    this.#lose(this.#connected);
    for (const number of [...this.#open.keys()]) this.#answer({ number, trouble: { ...LOST, message } });
  }

  #answer(answer: Answer): void {
    const group = this.#open.get(answer.number);
    if (!group) return;
    this.#open.delete(answer.number);
    group.answers.push(answer);
    group.left -= 1;
    if (group.left > 0) return;
    this.#port.postMessage(group.answers);
    Atomics.add(this.#setup.signal, 0, 1);
    Atomics.notify(this.#setup.signal, 0);
  }

  async #close(number: number): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    if (client) await within(CLOSE_TIMEOUT, client.end()).catch(() => drop(client));
    this.#answer({ number, rows: [], changes: 0, command: "" });
    this.#port.close();
    connections.delete(this);
  }
}

const connections = new Set<Connection>();
setInterval(() => {
  for (const connection of connections) connection.look();
}, LOOK).unref();

parentPort!.on("message", (message: (Setup & { readonly port: MessagePort }) | "end") => {
  if (message === "end") parentPort!.close();
  else connections.add(new Connection(message, message.port));
});
process.on("uncaughtException", (cause) => {
  for (const connection of connections) connection.giveUp(cause.message);
});
