/** Distinguishes a dead connection, whose end was not signalled, from a slow statement. */
import type { Socket } from "node:net";
import type { Client } from "pg";

/** Interval of the checks, in milliseconds. */
export const CHECK_MS = 1000;
/**
 * After this many checks without a byte, the server is asked over another connection what the session is doing; and again after as many
 * more.
 */
const CHECKS_BEFORE_QUERY = 10;
/** The server may be too busy to accept us: only one that does not answer at all counts as dead. */
const TIMEOUT = 5000;

/** The session's state in PostgreSQL. One that waits for us to read is dead, because there is nothing to read. */
const IS_WORKING = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND (state IS NULL OR state IN ('active', 'fastpath function call', 'disabled'))
  AND wait_event IS DISTINCT FROM 'ClientWrite'`;
/** Releases the locks of the session. */
const TERMINATE_SESSION = "SELECT pg_terminate_backend($1)";

const streamOf = (client: Client): Socket => (client as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream;

/** Closes without a message to the server. */
export function closeNow(client: Client): void {
  client.on("error", () => undefined);
  streamOf(client).destroy();
}

export async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("PostgreSQL does not answer")), milliseconds);
  });
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer));
}

export interface MonitorSetup {
  readonly client: Client;
  /** Process id of the session on the server. */
  readonly pid: number;
  readonly newClient: () => Client;
}

/** Counted in checks, not in time: while this process was suspended, none were made. */
export class ConnectionMonitor {
  readonly #setup: MonitorSetup;
  #bytes = 0;
  #silentChecks = 0;
  #isQuerying = false;

  constructor(setup: MonitorSetup) {
    this.#setup = setup;
  }

  get client(): Client {
    return this.#setup.client;
  }

  get seconds(): number {
    return (this.#silentChecks * CHECK_MS) / 1000;
  }

  /** No answer is expected. */
  reset(): void {
    this.#silentChecks = 0;
  }

  /** True if it is certain that no answer will come. */
  async check(): Promise<boolean> {
    const { bytesRead } = streamOf(this.client);
    this.#silentChecks = bytesRead === this.#bytes ? this.#silentChecks + 1 : 0;
    this.#bytes = bytesRead;
    if (this.#isQuerying || this.#silentChecks === 0 || this.#silentChecks % CHECKS_BEFORE_QUERY !== 0) return false;
    this.#isQuerying = true;
    const isWorking = await this.#isWorking().finally(() => {
      this.#isQuerying = false;
    });
    return !isWorking && this.#silentChecks >= CHECKS_BEFORE_QUERY && streamOf(this.client).bytesRead === this.#bytes;
  }

  async #isWorking(): Promise<boolean> {
    const { pid, newClient } = this.#setup;
    const client = newClient();
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rowCount } = await withTimeout(TIMEOUT, client.query(IS_WORKING, [pid]));
      if (rowCount === 0) await withTimeout(TIMEOUT, client.query(TERMINATE_SESSION, [pid])).catch(() => undefined);
      return rowCount !== 0;
    } catch (cause) {
      // A server that answers with an SQLSTATE is running, even if it refuses the connection.
      return /^[0-9A-Z]{5}$/.test((cause as { code?: string }).code ?? "");
    } finally {
      closeNow(client);
    }
  }
}
