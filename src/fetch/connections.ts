import { Connection } from "./connection.ts";
import type { DialSetup, Place } from "./dial.ts";

/** Enough to keep every host of a wide crawl connected between its turns, and below the usual limit on open files. */
const MAX_IDLE = 512;

/**
 * Keeps idle connections for the next request to their origin, and closes the longest idle first. The callers limit the number of busy
 * ones; undici closes idle sockets.
 */
export class Connections {
  readonly #setup: DialSetup;
  readonly #idle = new Map<string, Connection[]>();
  readonly #busy = new Set<Connection>();
  #idleCount = 0;

  constructor(setup: DialSetup) {
    this.#setup = setup;
  }

  take(origin: string, place: Place): Connection {
    const idle = this.#idle.get(origin);
    const connection = idle?.pop() ?? new Connection(origin, place, this.#setup);
    if (idle !== undefined) {
      this.#idleCount -= 1;
      if (idle.length === 0) this.#idle.delete(origin);
    }
    this.#busy.add(connection);
    return connection;
  }

  give(connection: Connection): void {
    this.#busy.delete(connection);
    if (connection.isClosed) return;
    const others = this.#idle.get(connection.origin) ?? [];
    others.push(connection);
    this.#idle.delete(connection.origin);
    this.#idle.set(connection.origin, others);
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
