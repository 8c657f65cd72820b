/**
 * Live events (SSE). Each event is serialized once and written to all clients. A client that sends `Last-Event-ID` first gets the events it
 * missed, from the data file, and then the live ones, without gaps or duplicates.
 */
import type { ServerResponse } from "node:http";
import type { EngineEvent, WantedRuns } from "../engine/engine.ts";
import { StreamSlots } from "../engine/stream-slots.ts";
import { Problem } from "../problem.ts";
import { type EventPositions, readPosition, readPositions, writePositions } from "./event-position.ts";
import { EventStream } from "./event-stream.ts";

export interface EventsSetup {
  /** Sends the engine the set of wanted runs; resolves when the engine has applied it. */
  readonly subscribe: (wanted: WantedRuns) => Promise<void>;
  /** The settled outcomes of a run after a position, in order. */
  readonly readMissed: (runId: number, after: number) => AsyncIterable<EngineEvent>;
  /** State of a run: whether more events may follow, and its final event if not. Undefined if there is no such run. */
  readonly runState: (
    runId: number,
  ) => Promise<{ readonly isAtWork: boolean; readonly end: EngineEvent | undefined; readonly seq: number } | undefined>;
  /** Ids of runs after this one. */
  readonly laterRuns: (runId: number) => Promise<readonly number[]>;
}

export interface StreamRequest {
  /** The client (hash of its key), because the number of streams per key is limited. */
  readonly clientId: string;
  readonly runId: number | undefined;
  readonly types: readonly string[] | undefined;
  readonly lastId: string | undefined;
}

const PING_MS = 15_000;
/** Number of runs whose positions are part of the event id in the stream of all runs: the most recent ones. */
const MAX_POSITIONS = 50;

export class Events {
  readonly #setup: EventsSetup;
  readonly #clients = new Set<EventStream>();
  readonly #positions = new Map<number, number>();
  readonly #slots = new StreamSlots();
  #wanted = "";
  #sent = Promise.resolve();

  constructor(setup: EventsSetup) {
    this.#setup = setup;
    setInterval(() => {
      for (const client of this.#clients) client.write(": ping\n\n");
    }, PING_MS).unref();
  }

  get listeners(): number {
    return this.#clients.size;
  }

  /** A new engine does not know which runs are wanted. */
  async resubscribe(): Promise<void> {
    this.#wanted = "";
    if (this.#clients.size > 0) await this.#subscribe();
  }

  publish(events: readonly EngineEvent[]): void {
    const channels = new Map<string, string[]>();
    const live = [...this.#clients].filter((client) => client.isLive);
    const replaying = live.length === this.#clients.size ? [] : [...this.#clients].filter((client) => !client.isLive);
    const samples = new Map(live.map((client) => [client.channel, client]));
    for (const event of events) {
      this.#recordPosition(event);
      for (const client of replaying) if (client.wants(event)) client.bufferEvent(event);
      for (const [channel, client] of samples) {
        if (!client.wants(event)) continue;
        const text = this.#text(event, client.runId);
        channels.get(channel)?.push(text) ?? channels.set(channel, [text]);
      }
    }
    if (channels.size === 0 && !events.some(({ isLast }) => isLast)) return;
    const data = new Map([...channels].map(([channel, texts]) => [channel, Buffer.from(texts.join(""))]));
    const endedRuns = new Set(events.filter(({ isLast }) => isLast).map(({ runId }) => runId));
    for (const client of live) {
      const own = data.get(client.channel);
      if (own) client.write(own);
      if (client.runId !== undefined && endedRuns.has(client.runId)) client.end();
    }
  }

  #recordPosition({ runId, seq, seqSoFar }: EngineEvent): void {
    const position = seq ?? (this.#positions.has(runId) ? undefined : seqSoFar);
    if (runId === 0 || position === undefined) return;
    this.#positions.delete(runId);
    this.#positions.set(runId, position);
    const [oldest] = this.#positions.keys();
    if (this.#positions.size > MAX_POSITIONS && oldest !== undefined) this.#positions.delete(oldest);
  }

  #text(event: EngineEvent, runId: number | undefined, positions: EventPositions = this.#positions): string {
    const id = runId === undefined ? (event.seq === undefined ? "" : writePositions(positions)) : idOf(event, this.#positions.get(runId));
    return `${id === "" ? "" : `id: ${id}\n`}event: ${event.type}\ndata: ${event.data}\n\n`;
  }

  /** Resolves when the replay is done or the client has left; live events continue after that. */
  async serve(response: ServerResponse, headers: Readonly<Record<string, string>>, request: StreamRequest): Promise<void> {
    const releaseSlot = this.#slots.acquire(request.clientId);
    response.once("close", releaseSlot);
    await this.#serve(response, headers, request);
  }

  async #serve(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    { runId, types, lastId }: StreamRequest,
  ): Promise<void> {
    const position = readPosition(lastId);
    const runState = runId === undefined ? undefined : await this.#setup.runState(runId);
    if (runId !== undefined && !runState) throw new Problem("not-found", `there is no run ${runId}`);
    if (runState && !runState.isAtWork && position?.isEnd) {
      response.writeHead(204, headers).end();
      return;
    }
    response.writeHead(200, {
      ...headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    response.write("retry: 2000\n\n");
    const client = new EventStream(response, runId, types && new Set(types));
    this.#clients.add(client);
    response.once("close", () => {
      this.#clients.delete(client);
      // The engine may have just exited; the next one gets the list through `resubscribe`.
      this.#subscribe().catch(() => undefined);
    });
    await this.#subscribe();
    const sent = await this.#replay(client, runId, lastId);
    if (!sent) return;
    for (const event of client.endReplay()) {
      if (event.seq !== undefined && event.seq <= (sent.get(event.runId) ?? -1)) continue;
      client.write(this.#text(event, runId));
      if (event.isLast && runId !== undefined) return client.end();
    }
    const end = runId === undefined ? undefined : await this.#finalEvent(runId);
    if (!end) return;
    if (client.wants(end)) client.write(this.#text(end, runId, sent));
    client.end();
  }

  /** Replays what the client missed. Returns the last position sent per run; undefined if the client has left. */
  async #replay(client: EventStream, runId: number | undefined, lastId: string | undefined): Promise<Map<number, number> | undefined> {
    const positions = runId === undefined ? readPositions(lastId) : undefined;
    const after = runId === undefined ? undefined : readPosition(lastId)?.seq;
    if (!positions && after === undefined) return new Map();
    return this.#slots.runReplay(async () => {
      if (client.isDisconnected) return undefined;
      return runId === undefined ? this.#catchUpAll(client, positions!) : this.#catchUp(client, runId, after!);
    });
  }

  /** The final event of a run that ended before the client connected; undefined if the run is active. */
  async #finalEvent(runId: number): Promise<EngineEvent | undefined> {
    const runState = await this.#setup.runState(runId);
    if (!runState || runState.isAtWork) return undefined;
    this.#positions.set(runId, runState.seq);
    return runState.end;
  }

  /** The last position sent; undefined if the client has left. */
  async #catchUp(client: EventStream, runId: number, after: number): Promise<Map<number, number> | undefined> {
    const sent = new Map([[runId, after]]);
    do {
      client.clearHeld();
      if (!(await this.#sendMissed(client, runId, sent))) return undefined;
    } while (client.hasOverrun);
    return sent;
  }

  async #catchUpAll(client: EventStream, positions: EventPositions): Promise<Map<number, number> | undefined> {
    const sent = new Map(positions);
    for (const runId of await this.#setup.laterRuns(Math.max(...positions.keys()))) sent.set(runId, 0);
    do {
      client.clearHeld();
      for (const runId of sent.keys()) if (!(await this.#sendMissed(client, runId, sent))) return undefined;
    } while (client.hasOverrun);
    return sent;
  }

  async #sendMissed(client: EventStream, runId: number, sent: Map<number, number>): Promise<boolean> {
    for await (const event of this.#setup.readMissed(runId, sent.get(runId) ?? 0)) {
      sent.set(runId, event.seq!);
      const id = client.runId === undefined ? writePositions(sent) : String(event.seq);
      if (!client.wants(event)) continue;
      if (!(await client.writeAndDrain(`id: ${id}\nevent: ${event.type}\ndata: ${event.data}\n\n`))) return false;
    }
    return true;
  }

  /** Tells the engine which runs have listeners, so that pages are read only for those. */
  async #subscribe(): Promise<void> {
    const clients = [...this.#clients].filter(({ types }) => !types || OUTCOME_TYPES.some((type) => types.has(type)));
    const runIds = [...new Set(clients.flatMap(({ runId }) => runId ?? []))];
    const wanted = { isAll: clients.some(({ runId }) => runId === undefined), runIds };
    const written = JSON.stringify(wanted);
    if (written !== this.#wanted) {
      this.#wanted = written;
      this.#sent = this.#setup.subscribe(wanted);
    }
    await this.#sent;
  }
}

const OUTCOME_TYPES = ["page.fetched", "page.gone", "url.settled"];

/** The end of a run has an id of its own, so that a client that got it does not reconnect. */
const idOf = ({ seq, isLast }: EngineEvent, last = 0): string => (isLast ? `${last}.end` : seq === undefined ? "" : String(seq));
