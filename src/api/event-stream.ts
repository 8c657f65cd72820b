/** One SSE client. Events are serialized once for all clients of a channel; a client that does not read is disconnected. */
import type { ServerResponse } from "node:http";
import type { EngineEvent } from "./engine.ts";

/** Unread bytes per client. Beyond that it is disconnected; it can reconnect and catch up. */
const MOST_UNREAD = 256 * 1024;
/** A client in a replay that reads nothing for this long is disconnected, because others wait for its slot. */
const SLOWEST = 10_000;
/** Events held for a client while its replay runs. */
const MOST_HELD = 5000;

export class EventStream {
  readonly #response: ServerResponse;
  /** Undefined: all runs. */
  readonly runId: number | undefined;
  readonly types: ReadonlySet<string> | undefined;
  /** Clients of one channel get the same bytes. */
  readonly channel: string;
  /** Events that arrived during the replay; undefined once the client is live. */
  #held: EngineEvent[] | undefined = [];
  hasOverrun = false;

  constructor(response: ServerResponse, runId: number | undefined, types: ReadonlySet<string> | undefined) {
    this.#response = response;
    this.runId = runId;
    this.types = types;
    this.channel = `${runId ?? "*"} ${types ? [...types].sort().join() : "*"}`;
  }

  wants({ runId, type }: Pick<EngineEvent, "runId" | "type">): boolean {
    return (this.runId === undefined || this.runId === runId) && (this.types === undefined || this.types.has(type));
  }

  get hasLeft(): boolean {
    return this.#response.destroyed;
  }

  get isLive(): boolean {
    return this.#held === undefined;
  }

  hold(event: EngineEvent): void {
    if (!this.#held || this.hasOverrun) return;
    this.hasOverrun = this.#held.length >= MOST_HELD;
    if (this.hasOverrun) this.#held = [];
    else this.#held.push(event);
  }

  /** Ends the replay and returns the events held meanwhile. */
  goLive(): readonly EngineEvent[] {
    const held = this.#held ?? [];
    this.#held = undefined;
    return held;
  }

  /** Discards the held events, because they were too many; the replay reads them from the data file instead. */
  startOver(): void {
    this.#held = [];
    this.hasOverrun = false;
  }

  write(data: Uint8Array | string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (this.#response.writableLength > MOST_UNREAD) this.#response.destroy();
    else this.#response.write(data);
  }

  /** Writes with back-pressure; false if the client has disconnected. */
  async writeSlowly(data: string): Promise<boolean> {
    if (this.#response.destroyed) return false;
    if (this.#response.write(data)) return true;
    await this.#drained();
    return !this.#response.destroyed;
  }

  /** Removes its listeners, because a replay waits thousands of times. */
  #drained(): Promise<void> {
    const response = this.#response;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(late);
        response.off("drain", done).off("close", done);
        resolve();
      };
      const late = setTimeout(() => response.destroy(), SLOWEST);
      response.once("drain", done).once("close", done);
    });
  }

  end(): void {
    this.#response.end();
  }
}
