/** One client that listens: what it gets is made once for all who want the same, and whoever does not read is cut off. */
import type { ServerResponse } from "node:http";
import type { EngineEvent } from "./engine.ts";

/** What waits to be read by one client. Beyond that it comes back when it can, and catches up. */
const MOST_UNREAD = 256 * 1024;
/** So long a client that is told what it has missed may read nothing of it: others wait for its place. */
const SLOWEST = 10_000;
/** What comes in while a client is told what it has missed. */
const MOST_HELD = 5000;

export class EventStream {
  readonly #response: ServerResponse;
  /** Undefined: of all. */
  readonly runId: number | undefined;
  readonly types: ReadonlySet<string> | undefined;
  /** Clients of one channel get the same. */
  readonly channel: string;
  /** Events that came while it catches up; undefined once it has. */
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

  /** What came meanwhile; from here on it is live. */
  goLive(): readonly EngineEvent[] {
    const held = this.#held ?? [];
    this.#held = undefined;
    return held;
  }

  /** What came meanwhile was too much to be held: it is looked up, too. */
  startOver(): void {
    this.#held = [];
    this.hasOverrun = false;
  }

  write(data: Uint8Array | string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (this.#response.writableLength > MOST_UNREAD) this.#response.destroy();
    else this.#response.write(data);
  }

  /** At the pace of whoever reads: false if it has left. */
  async writeSlowly(data: string): Promise<boolean> {
    if (this.#response.destroyed) return false;
    if (this.#response.write(data)) return true;
    await this.#drained();
    return !this.#response.destroyed;
  }

  /** Leaves no listener behind: a replay waits thousands of times. */
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
