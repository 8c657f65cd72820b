/**
 * Live events (SSE). Each event is serialized once and written to all clients. A client that sends `Last-Event-ID` first gets the events it
 * missed, from the data file, and then the live ones, without gaps or duplicates.
 */
import type { ServerResponse } from "node:http";
import type { EngineEvent, Wanted } from "./engine.ts";
import { type EventPlaces, readPlace, readPlaces, writePlaces } from "./event-place.ts";
import { EventStream } from "./event-stream.ts";
import { Problem } from "./problem.ts";
import { Seats } from "./seats.ts";

export interface EventsSetup {
  /** Sends the engine the set of wanted runs; resolves when the engine has applied it. */
  readonly listen: (wanted: Wanted) => Promise<void>;
  /** The settled outcomes of a run after a position, in order. */
  readonly missed: (runId: number, after: number) => AsyncIterable<EngineEvent>;
  /** State of a run: whether more events may follow, and its final event if not. Undefined if there is no such run. */
  readonly standing: (
    runId: number,
  ) => Promise<{ readonly isAtWork: boolean; readonly end: EngineEvent | undefined; readonly seq: number } | undefined>;
  /** Ids of runs after this one. */
  readonly later: (runId: number) => Promise<readonly number[]>;
}

export interface Listening {
  /** The client (hash of its key), because the number of streams per key is limited. */
  readonly asker: string;
  readonly runId: number | undefined;
  readonly types: readonly string[] | undefined;
  readonly lastId: string | undefined;
}

const PING = 15_000;
/** Number of runs whose positions are part of the event id in the stream of all runs: the most recent ones. */
const MOST_PLACES = 50;

export class Events {
  readonly #setup: EventsSetup;
  readonly #clients = new Set<EventStream>();
  readonly #places = new Map<number, number>();
  readonly #seats = new Seats();
  #wanted = "";
  #told = Promise.resolve();

  constructor(setup: EventsSetup) {
    this.#setup = setup;
    setInterval(() => {
      for (const client of this.#clients) client.write(": ping\n\n");
    }, PING).unref();
  }

  get listeners(): number {
    return this.#clients.size;
  }

  /** A new engine does not know which runs are wanted. */
  async listenAgain(): Promise<void> {
    this.#wanted = "";
    if (this.#clients.size > 0) await this.#listen();
  }

  hear(events: readonly EngineEvent[]): void {
    const channels = new Map<string, string[]>();
    const live = [...this.#clients].filter((client) => client.isLive);
    const behind = live.length === this.#clients.size ? [] : [...this.#clients].filter((client) => !client.isLive);
    const samples = new Map(live.map((client) => [client.channel, client]));
    for (const event of events) {
      this.#note(event);
      for (const client of behind) if (client.wants(event)) client.hold(event);
      for (const [channel, client] of samples) {
        if (!client.wants(event)) continue;
        const text = this.#text(event, client.runId);
        channels.get(channel)?.push(text) ?? channels.set(channel, [text]);
      }
    }
    if (channels.size === 0 && !events.some(({ isLast }) => isLast)) return;
    const data = new Map([...channels].map(([channel, texts]) => [channel, Buffer.from(texts.join(""))]));
    const over = new Set(events.filter(({ isLast }) => isLast).map(({ runId }) => runId));
    for (const client of live) {
      const own = data.get(client.channel);
      if (own) client.write(own);
      if (client.runId !== undefined && over.has(client.runId)) client.end();
    }
  }

  #note({ runId, seq, seqSoFar }: EngineEvent): void {
    const place = seq ?? (this.#places.has(runId) ? undefined : seqSoFar);
    if (runId === 0 || place === undefined) return;
    this.#places.delete(runId);
    this.#places.set(runId, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MOST_PLACES && oldest !== undefined) this.#places.delete(oldest);
  }

  #text(event: EngineEvent, runId: number | undefined, places: EventPlaces = this.#places): string {
    const id = runId === undefined ? (event.seq === undefined ? "" : writePlaces(places)) : idOf(event, this.#places.get(runId));
    return `${id === "" ? "" : `id: ${id}\n`}event: ${event.type}\ndata: ${event.data}\n\n`;
  }

  /** Resolves when the replay is done or the client has left; live events continue after that. */
  async serve(response: ServerResponse, headers: Readonly<Record<string, string>>, how: Listening): Promise<void> {
    const leave = this.#seats.take(how.asker);
    response.once("close", leave);
    await this.#serve(response, headers, how);
  }

  async #serve(response: ServerResponse, headers: Readonly<Record<string, string>>, { runId, types, lastId }: Listening): Promise<void> {
    const place = readPlace(lastId);
    const standing = runId === undefined ? undefined : await this.#setup.standing(runId);
    if (runId !== undefined && !standing) throw new Problem("not-found", `there is no run ${runId}`);
    if (standing && !standing.isAtWork && place?.isEnd) {
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
      // The engine may have just exited; the next one gets the list through `listenAgain`.
      this.#listen().catch(() => undefined);
    });
    await this.#listen();
    const told = await this.#toldTo(client, runId, lastId);
    if (!told) return;
    for (const event of client.goLive()) {
      if (event.seq !== undefined && event.seq <= (told.get(event.runId) ?? -1)) continue;
      client.write(this.#text(event, runId));
      if (event.isLast && runId !== undefined) return client.end();
    }
    const end = runId === undefined ? undefined : await this.#ended(runId);
    if (!end) return;
    if (client.wants(end)) client.write(this.#text(end, runId, told));
    client.end();
  }

  /** Replays what the client missed. Returns the last position sent per run; undefined if the client has left. */
  async #toldTo(client: EventStream, runId: number | undefined, lastId: string | undefined): Promise<Map<number, number> | undefined> {
    const places = runId === undefined ? readPlaces(lastId) : undefined;
    const after = runId === undefined ? undefined : readPlace(lastId)?.seq;
    if (!places && after === undefined) return new Map();
    return this.#seats.inReplay(async () => {
      if (client.hasLeft) return undefined;
      return runId === undefined ? this.#catchUpAll(client, places!) : this.#catchUp(client, runId, after!);
    });
  }

  /** The final event of a run that ended before the client connected; undefined if the run is active. */
  async #ended(runId: number): Promise<EngineEvent | undefined> {
    const standing = await this.#setup.standing(runId);
    if (!standing || standing.isAtWork) return undefined;
    this.#places.set(runId, standing.seq);
    return standing.end;
  }

  /** The last position sent; undefined if the client has left. */
  async #catchUp(client: EventStream, runId: number, after: number): Promise<Map<number, number> | undefined> {
    const told = new Map([[runId, after]]);
    do {
      client.startOver();
      if (!(await this.#tellMissed(client, runId, told))) return undefined;
    } while (client.hasOverrun);
    return told;
  }

  async #catchUpAll(client: EventStream, places: EventPlaces): Promise<Map<number, number> | undefined> {
    const told = new Map(places);
    for (const runId of await this.#setup.later(Math.max(...places.keys()))) told.set(runId, 0);
    do {
      client.startOver();
      for (const runId of told.keys()) if (!(await this.#tellMissed(client, runId, told))) return undefined;
    } while (client.hasOverrun);
    return told;
  }

  async #tellMissed(client: EventStream, runId: number, told: Map<number, number>): Promise<boolean> {
    for await (const event of this.#setup.missed(runId, told.get(runId) ?? 0)) {
      told.set(runId, event.seq!);
      const id = client.runId === undefined ? writePlaces(told) : String(event.seq);
      if (!client.wants(event)) continue;
      if (!(await client.writeSlowly(`id: ${id}\nevent: ${event.type}\ndata: ${event.data}\n\n`))) return false;
    }
    return true;
  }

  /** Tells the engine which runs have listeners, so that pages are read only for those. */
  async #listen(): Promise<void> {
    const clients = [...this.#clients].filter(({ types }) => !types || SINGLE.some((type) => types.has(type)));
    const runIds = [...new Set(clients.flatMap(({ runId }) => runId ?? []))];
    const wanted = { isAll: clients.some(({ runId }) => runId === undefined), runIds };
    const written = JSON.stringify(wanted);
    if (written !== this.#wanted) {
      this.#wanted = written;
      this.#told = this.#setup.listen(wanted);
    }
    await this.#told;
  }
}

const SINGLE = ["page.fetched", "page.gone", "url.settled"];

/** The end of a run has an id of its own, so that a client that got it does not reconnect. */
const idOf = ({ seq, isLast }: EngineEvent, last = 0): string => (isLast ? `${last}.end` : seq === undefined ? "" : String(seq));
