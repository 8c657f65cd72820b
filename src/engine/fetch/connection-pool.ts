import { Connection } from "./connection.ts";
import type { Destination, SocketSetup } from "./open-socket.ts";

/** Enough to keep every host of a wide crawl connected between its turns, and below the usual limit on open files. */
const MAX_IDLE = 512;

/**
 * Keeps idle connections for the next request to their origin, and closes the longest idle first. The callers limit the number of busy
 * ones; undici closes idle sockets.
 */
export class ConnectionPool {
  readonly #setup: SocketSetup;
  readonly #idle = new Map<string, Connection[]>();
  readonly #busy = new Set<Connection>();
  #idleCount = 0;

  constructor(setup: SocketSetup) {
    this.#setup = setup;
  }

  acquire(origin: string, destination: Destination): Connection {
    const idle = this.#idle.get(origin);
    const connection = idle?.pop() ?? new Connection(origin, destination, this.#setup);
    if (idle !== undefined) {
      this.#idleCount -= 1;
      if (idle.length === 0) this.#idle.delete(origin);
    }
    this.#busy.add(connection);
    return connection;
  }

  release(connection: Connection): void {
    this.#busy.delete(connection);
    if (connection.isClosed) return;
    const idleConnections = this.#idle.get(connection.origin) ?? [];
    idleConnections.push(connection);
    this.#idle.delete(connection.origin);
    this.#idle.set(connection.origin, idleConnections);
    this.#idleCount += 1;
    if (this.#idleCount > MAX_IDLE) this.#closeOldest();
  }

  close(): void {
    for (const connection of this.#busy) connection.close();
    while (this.#idleCount > 0) this.#closeOldest();
  }

  #closeOldest(): void {
    const [origin, connections] = this.#idle.entries().next().value!;
    connections.shift()!.close();
    this.#idleCount -= 1;
    if (connections.length === 0) this.#idle.delete(origin);
  }
}
