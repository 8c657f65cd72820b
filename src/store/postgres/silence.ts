/** Distinguishes a dead connection, whose end was not signalled, from a slow statement. */
import type { Socket } from "node:net";
import type { Client } from "pg";

/** Interval of the checks, in milliseconds. */
export const LOOK = 1000;
/**
 * After this many checks without a byte, the server is asked over another connection what the session is doing; and again after as many
 * more.
 */
const ASK_AFTER = 10;
/** The server may be too busy to accept us: only one that does not answer at all counts as dead. */
const TIMEOUT = 5000;

/** The session's state in PostgreSQL. One that waits for us to read is dead, because there is nothing to read. */
const IS_AT_WORK = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND (state IS NULL OR state IN ('active', 'fastpath function call', 'disabled'))
  AND wait_event IS DISTINCT FROM 'ClientWrite'`;
/** Releases the locks of the session. */
const END_IT = "SELECT pg_terminate_backend($1)";

const streamOf = (client: Client): Socket => (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;

/** Closes without a message to the server. */
export function drop(client: Client): void {
  client.on("error", () => undefined);
  streamOf(client).destroy();
}

export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("PostgreSQL does not answer")), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export interface SilenceSetup {
  readonly client: Client;
  /** Process id of the session on the server. */
  readonly pid: number;
  readonly again: () => Client;
}

/** Counted in checks, not in time: while this process was suspended, none were made. */
export class Silence {
  readonly #setup: SilenceSetup;
  #bytes = 0;
  #looks = 0;
  #isAsking = false;

  constructor(setup: SilenceSetup) {
    this.#setup = setup;
  }

  get client(): Client {
    return this.#setup.client;
  }

  get seconds(): number {
    return (this.#looks * LOOK) / 1000;
  }

  /** No answer is expected. */
  end(): void {
    this.#looks = 0;
  }

  /** True if it is certain that no answer will come. */
  async look(): Promise<boolean> {
    const { bytesRead } = streamOf(this.client);
    this.#looks = bytesRead === this.#bytes ? this.#looks + 1 : 0;
    this.#bytes = bytesRead;
    if (this.#isAsking || this.#looks === 0 || this.#looks % ASK_AFTER !== 0) return false;
    this.#isAsking = true;
    const isAtWork = await this.#isAtWork().finally(() => {
      this.#isAsking = false;
    });
    return !isAtWork && this.#looks >= ASK_AFTER && streamOf(this.client).bytesRead === this.#bytes;
  }

  async #isAtWork(): Promise<boolean> {
    const { pid, again } = this.#setup;
    const client = again();
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rowCount } = await within(TIMEOUT, client.query(IS_AT_WORK, [pid]));
      if (rowCount === 0) await within(TIMEOUT, client.query(END_IT, [pid])).catch(() => undefined);
      return rowCount !== 0;
    } catch (cause) {
      // A server that answers with an SQLSTATE is running, even if it refuses the connection.
      return /^[0-9A-Z]{5}$/.test((cause as { code?: string }).code ?? "");
    } finally {
      drop(client);
    }
  }
}
