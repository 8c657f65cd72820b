/** Opens, watches and replaces the threads and the process that work for the front. */
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { EngineEvent } from "./engine/engine.ts";
import { openEngineChild } from "./engine/engine-child.ts";
import type { Internals } from "./engine/internals.ts";
import { programPath } from "./engine/program.ts";
import { restarter } from "./engine/restarter.ts";
import { LiveCache } from "./events/live.ts";
import type { Route } from "./route.ts";
import { Caller, type PeerReply, type Transport } from "./worker-calls.ts";

export interface BackendsSetup {
  readonly db: string;
  readonly readers: number;
  /** Config file, environment and flags for the engine, as plain data. */
  readonly engine: Readonly<Record<string, unknown>>;
  readonly onEvents: (events: readonly EngineEvent[]) => void;
  /** A new engine has started; it has none of the state sent to the previous one. */
  readonly onEngine: () => void;
  /** Milliseconds the engine may be blocked before it is killed. */
  readonly hangTimeout: number;
  /** Called when a worker had to be replaced. */
  readonly onTrouble: (what: string) => void;
}

export interface EngineState {
  /** How long it has been blocked, in milliseconds. */
  readonly silence: number;
  /** The last engine that hung: when it was killed, and its active crawls. */
  readonly lastHang: { readonly at: number; readonly crawlIds: readonly number[] } | undefined;
}

export interface Backends {
  ask(route: Route, input: unknown, signal: AbortSignal): Promise<PeerReply>;
  /** Internal calls of the front. */
  askInternal<N extends keyof Internals>(at: Route["at"], name: N, input: Internals[N]): Promise<unknown>;
  /** As `askInternal`, for streamed answers. */
  streamInternal<N extends keyof Internals>(at: Route["at"], name: N, input: Internals[N]): AsyncIterable<string>;
  readonly live: LiveCache;
  readonly engine: EngineState;
  /** Ends running work as Ctrl-C would; kills what does not end in time. */
  close(): Promise<void>;
}

export function openBackends(setup: BackendsSetup): Backends {
  let isClosing = false;
  const trouble = (what: string) => {
    if (!isClosing) setup.onTrouble(what);
  };
  const readers = Array.from({ length: setup.readers }, () => openDataThread(setup.db, "reader", trouble, () => isClosing));
  const writer = openDataThread(setup.db, "writer", trouble, () => isClosing);
  const live = new LiveCache();
  const onEvents = (events: readonly EngineEvent[]) => {
    for (const event of events) live.update(event);
    setup.onEvents(events);
  };
  const onEngine = () => {
    live.clear();
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
  const leastBusy = () => readers.reduce((best, thread) => (thread().waiting < best().waiting ? thread : best));
  return {
    live,
    get engine() {
      return { silence: engine.silence(), lastHang };
    },
    ask: ({ at, id, wantsLive }, input, signal) =>
      callerAt(at).call(id, wantsLive ? { ...(input as object), live: live.runs } : input, signal),
    async *streamInternal(at, name, input) {
      const { parts } = await callerAt(at).call(name, input);
      yield* parts as AsyncIterable<string>;
    },
    async askInternal(at, name, input) {
      const { body } = await callerAt(at).call(name, input);
      return body === undefined ? undefined : JSON.parse(body);
    },
    async close() {
      isClosing = true;
      await engine.end();
      await Promise.all([...readers, writer].map((thread) => thread.end()));
    },
  };
}

type RestartingCaller = (() => Caller) & { end(): Promise<void> };

/** A thread with its own database connection. If it exits, it is replaced and the next call goes to the new one. */
export function openDataThread(
  db: string,
  kind: "reader" | "writer",
  trouble: (what: string) => void,
  isClosing: () => boolean,
): RestartingCaller {
  let worker: Worker;
  let caller: Caller;
  const open = () => {
    worker = new Worker(programPath("api-desk", "desk-worker"), { workerData: { db, kind } });
    worker.on("error", (cause) => trouble(`a ${kind} of the data file failed: ${cause.message}`));
    caller = new Caller(threadTransport(worker));
    worker.once("exit", (code) => {
      if (isClosing()) return;
      trouble(`a ${kind} of the data file ended (${code}); another takes its place`);
      restart();
    });
  };
  const restart = restarter(open, isClosing);
  open();
  return Object.assign(() => caller, { end: () => endThread(worker) });
}

/** A thread that is ended within a call to SQLite aborts the whole process, so it is asked first. */
const MAX_CLOSE_MS = 2000;

async function endThread(worker: Worker): Promise<void> {
  if (worker.threadId === -1) return;
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  worker.postMessage({ stop: true });
  const stopWaiting = new AbortController();
  await Promise.race([exited, setTimeout(MAX_CLOSE_MS, undefined, { signal: stopWaiting.signal }).catch(() => undefined)]);
  stopWaiting.abort();
  await worker.terminate();
}

const threadTransport = (worker: Worker): Transport => ({
  post: (message) => worker.postMessage(message),
  onMessage: (listen) => worker.on("message", listen),
  onEnd: (listen) => worker.once("exit", listen),
});
