/** The threads and the process that work for the front, and how they are opened, watched and replaced. */
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
  /** What the engine is started with: config file, environment and flags, as plain data. */
  readonly engine: Readonly<Record<string, unknown>>;
  readonly onEvents: (events: readonly EngineEvent[]) => void;
  /** An engine has begun: it knows nothing of what the one before was told. */
  readonly onEngine: () => void;
  /** How long an engine may stand still, in milliseconds, until it is ended. */
  readonly patience: number;
  /** Said when somebody had to be replaced. */
  readonly onTrouble: (what: string) => void;
}

export interface EngineState {
  /** How long it has stood still, in milliseconds. */
  readonly silence: number;
  /** The last one that hung: when it was ended, and the crawls it had at work. */
  readonly lastHang: { readonly at: number; readonly crawlIds: readonly number[] } | undefined;
}

export interface Places {
  ask(route: Route, input: unknown, signal: AbortSignal): Promise<PeerReply>;
  /** What the front needs for itself. */
  askSelf<N extends keyof Internals>(at: Route["at"], name: N, input: Internals[N]): Promise<unknown>;
  /** The same where the answer comes a part at a time. */
  askStream<N extends keyof Internals>(at: Route["at"], name: N, input: Internals[N]): AsyncIterable<string>;
  readonly live: Live;
  readonly engine: EngineState;
  /** Ends what is under way as Ctrl-C would, and by force what does not end in time. */
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

/** A thread with a connection of its own. If it dies, the next call finds a new one. */
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
