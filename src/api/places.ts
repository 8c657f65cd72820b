/** Opens, watches and replaces the threads and the process that work for the front. */
import { Worker } from "node:worker_threads";
import type { EngineEvent } from "./engine.ts";
import { openEngineChild } from "./engine-child.ts";
import type { Internals } from "./internals.ts";
import { Live } from "./live.ts";
import { Caller, type PeerReply, type Wire } from "./peer.ts";
import { program } from "./program.ts";
import { replacing } from "./replacing.ts";
import type { Route } from "./route.ts";

export interface PlacesSetup {
  readonly db: string;
  readonly readers: number;
  /** Config file, environment and flags for the engine, as plain data. */
  readonly engine: Readonly<Record<string, unknown>>;
  readonly onEvents: (events: readonly EngineEvent[]) => void;
  /** A new engine has started; it has none of the state sent to the previous one. */
  readonly onEngine: () => void;
  /** Milliseconds the engine may be blocked before it is killed. */
  readonly patience: number;
  /** Called when a worker had to be replaced. */
  readonly onTrouble: (what: string) => void;
}

export interface EngineState {
  /** How long it has been blocked, in milliseconds. */
  readonly silence: number;
  /** The last engine that hung: when it was killed, and its active crawls. */
  readonly lastHang: { readonly at: number; readonly crawlIds: readonly number[] } | undefined;
}

export interface Places {
  ask(route: Route, input: unknown, signal: AbortSignal): Promise<PeerReply>;
  /** Internal calls of the front. */
  askSelf<N extends keyof Internals>(at: Route["at"], name: N, input: Internals[N]): Promise<unknown>;
  /** As `askSelf`, for streamed answers. */
  askStream<N extends keyof Internals>(at: Route["at"], name: N, input: Internals[N]): AsyncIterable<string>;
  readonly live: Live;
  readonly engine: EngineState;
  /** Ends running work as Ctrl-C would; kills what does not end in time. */
  close(): Promise<void>;
}

export function openPlaces(setup: PlacesSetup): Places {
  let isClosing = false;
  const trouble = (what: string) => {
    if (!isClosing) setup.onTrouble(what);
  };
  const readers = Array.from({ length: setup.readers }, () => openDesk(setup.db, "reader", trouble, () => isClosing));
  const writer = openDesk(setup.db, "writer", trouble, () => isClosing);
  const live = new Live();
  const onEvents = (events: readonly EngineEvent[]) => {
    for (const event of events) live.hear(event);
    setup.onEvents(events);
  };
  const onEngine = () => {
    live.forget();
    setup.onEngine();
  };
  let lastHang: EngineState["lastHang"];
  const onHung = async () => {
    try {
      const { body } = await writer().call("giveUpHung", undefined);
      const events = JSON.parse(body!) as EngineEvent[];
      const crawlIds = events.map(({ runId }) => runId);
      lastHang = { at: Date.now(), crawlIds };
      for (const id of crawlIds) trouble(`crawl ${id} was at work when it hung, and is not taken up by itself: nuthatch resume ${id}`);
      onEvents(events);
    } catch (cause) {
      trouble(`what was at work when the crawling process hung could not be marked: ${cause}`);
    }
  };
  const engine = openEngineChild({ ...setup, onEvents, onEngine, onHung, trouble, isClosing: () => isClosing });
  const callerAt = (at: Route["at"]) => (at === "engine" ? engine.caller : at === "writer" ? writer : leastBusy())();
  const leastBusy = () => readers.reduce((best, desk) => (desk().waiting < best().waiting ? desk : best));
  return {
    live,
    get engine() {
      return { silence: engine.silence(), lastHang };
    },
    ask: ({ at, id, wantsLive }, input, signal) =>
      callerAt(at).call(id, wantsLive ? { ...(input as object), live: live.runs } : input, signal),
    async *askStream(at, name, input) {
      const { parts } = await callerAt(at).call(name, input);
      yield* parts as AsyncIterable<string>;
    },
    async askSelf(at, name, input) {
      const { body } = await callerAt(at).call(name, input);
      return body === undefined ? undefined : JSON.parse(body);
    },
    async close() {
      isClosing = true;
      await engine.end();
      await Promise.all([...readers, writer].map((desk) => desk.end()));
    },
  };
}

type Replaced = (() => Caller) & { end(): Promise<void> };

/** A thread with its own database connection. If it exits, it is replaced and the next call goes to the new one. */
export function openDesk(db: string, kind: "reader" | "writer", trouble: (what: string) => void, isClosing: () => boolean): Replaced {
  let worker: Worker;
  let caller: Caller;
  const open = () => {
    worker = new Worker(program("api-desk", "desk-worker"), { workerData: { db, kind } });
    worker.on("error", (cause) => trouble(`a ${kind} of the data file failed: ${cause.message}`));
    caller = new Caller(threadWire(worker));
    worker.once("exit", (code) => {
      if (isClosing()) return;
      trouble(`a ${kind} of the data file ended (${code}); another takes its place`);
      again();
    });
  };
  const again = replacing(open, isClosing);
  open();
  return Object.assign(() => caller, { end: async () => void (await worker.terminate()) });
}

const threadWire = (worker: Worker): Wire => ({
  post: (message) => worker.postMessage(message),
  onMessage: (listen) => worker.on("message", listen),
  onEnd: (listen) => worker.once("exit", listen),
});
