/** One SSE client. Events are serialized once for all clients of a channel; a client that does not read is disconnected. */
import type { ServerResponse } from "node:http";
import type { EngineEvent } from "../engine/engine.ts";

/** Unread bytes per client. Beyond that it is disconnected; it can reconnect and catch up. */
const MAX_UNREAD_BYTES = 256 * 1024;
/** A client in a replay that reads nothing for this long is disconnected, because others wait for its slot. */
const DRAIN_TIMEOUT_MS = 10_000;
/** Events held for a client while its replay runs. */
const MAX_HELD_EVENTS = 5000;

export class EventStream {
  readonly #response: ServerResponse;
  /** Undefined: all runs. */
  readonly runId: number | undefined;
  readonly types: ReadonlySet<string> | undefined;
  /** Clients of one channel get the same bytes. */
  readonly channel: string;
  /** Events that arrived during the replay; undefined once the client is live. */
  #heldEvents: EngineEvent[] | undefined = [];
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

  get isDisconnected(): boolean {
    return this.#response.destroyed;
  }

  get isLive(): boolean {
    return this.#heldEvents === undefined;
  }

  bufferEvent(event: EngineEvent): void {
    if (!this.#heldEvents || this.hasOverrun) return;
    this.hasOverrun = this.#heldEvents.length >= MAX_HELD_EVENTS;
    if (this.hasOverrun) this.#heldEvents = [];
    else this.#heldEvents.push(event);
  }

  /** Ends the replay and returns the events held meanwhile. */
  endReplay(): readonly EngineEvent[] {
    const heldEvents = this.#heldEvents ?? [];
    this.#heldEvents = undefined;
    return heldEvents;
  }

  /** Discards the held events, because they were too many; the replay reads them from the data file instead. */
  clearHeld(): void {
    this.#heldEvents = [];
    this.hasOverrun = false;
  }

  write(data: Uint8Array | string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
    else this.#response.write(data);
  }

  /** Writes with back-pressure; false if the client has disconnected. */
  async writeAndDrain(data: string): Promise<boolean> {
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
        clearTimeout(timer);
        response.off("drain", done).off("close", done);
        resolve();
      };
      const timer = setTimeout(() => response.destroy(), DRAIN_TIMEOUT_MS);
      response.once("drain", done).once("close", done);
    });
  }

  end(): void {
    this.#response.end();
  }
}
