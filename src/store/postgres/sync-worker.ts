/** The other end of `sync-database.ts`: asks PostgreSQL and writes the answers where the other thread waits for them. One thread for all stores of a process. */
import type { Socket } from "node:net";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { Client, ClientConfig } from "pg";
import { drop, LOOK, Silence, within } from "./silence.ts";
import type { Answer, Question, Setup } from "./sync-database.ts";

/** Whoever stops in the middle of a transaction is not waited for longer than this. Limits that many servers set for all would end what may take long. */
const SESSION = "SET jit = off; SET idle_in_transaction_session_timeout = '60s'; SET statement_timeout = 0; SET lock_timeout = 0";
const CONNECT_TIMEOUT = 5000;
const KEEPALIVE = 10_000;
/** Whoever ends does not wait for a server that does not answer. */
const CLOSE_TIMEOUT = 2000;

const asText = (text: string) => text;
const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => (text === "t" ? 1 : 0)],
  // Copied, so that a body does not bring the block along that it was read into.
  [17, (text) => new Uint8Array(Buffer.from(text.slice(2), "hex"))],
  [20, Number],
  [1700, Number],
  [114, asText],
  [3802, asText],
]);

/** PostgreSQL's codes for a connection or a server that goes, and the system's. */
const LOSSES = /^(08...|57P0[1-5]|25P0[34]|E[A-Z]+)$/;
/** Those of a server that cannot write for now: another may have become the primary, or somebody makes room. */
const PASSING = /^(25006|53[1-4]00|57014|55P03)$/;
const LOST = { message: "the connection ended", code: "08006", isLost: true, isFirst: false };

/** Questions that came together, and what was answered so far. */
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
  /** What follows in a transaction whose connection broke must not be done on a new one. */
  #isBroken = false;
  #order = Promise.resolve();
  /** What is not answered yet, and with what else its answer goes. */
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

  /** In one piece: what comes next is sent behind it, not when it is answered. */
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

  /** One that was replaced already may still be heard of. */
  #lose(client: Client | undefined): void {
    if (client !== this.#connected) return;
    this.#connected = undefined;
    this.#silence = undefined;
    this.#client = undefined;
    this.#isBroken = true;
  }

  /** Once a second. A statement may take as long as it likes, but a connection over which nothing comes any more is given up. */
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

  /** Whoever waits must not wait for ever. */
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
