/** The threads and the process that work for the front, and how they are opened, watched and replaced. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { EngineEvent } from "./engine.ts";
import type { Internals } from "./internals.ts";
import { Live } from "./live.ts";
import { Caller, type PeerReply, type Wire } from "./peer.ts";
import type { Route } from "./route.ts";

export interface PlacesSetup {
  readonly db: string;
  readonly readers: number;
  /** What the engine is started with: config file, environment and flags, as plain data. */
  readonly engine: Readonly<Record<string, unknown>>;
  readonly onEvents: (events: readonly EngineEvent[]) => void;
  /** An engine has begun: it knows nothing of what the one before was told. */
  readonly onEngine: () => void;
  /** Said when somebody had to be replaced. */
  readonly onTrouble: (what: string) => void;
}

export interface Places {
  ask(route: Route, input: unknown, signal: AbortSignal): Promise<PeerReply>;
  /** What the front needs for itself. */
  askSelf<N extends keyof Internals>(at: Route["at"], name: N, input: Internals[N]): Promise<unknown>;
  /** The same where the answer comes a part at a time. */
  askStream<N extends keyof Internals>(at: Route["at"], name: N, input: Internals[N]): AsyncIterable<string>;
  readonly live: Live;
  /** Ends what is under way as Ctrl-C would. */
  close(): Promise<void>;
}

/** One of the programs that are built beside this one, whether they are bundled or not. */
const program = (bundled: string, built: string) =>
  fileURLToPath(new URL(import.meta.url.includes("/bundle/") ? `./${bundled}.js` : `./${built}.js`, import.meta.url));

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
  const engine = openEngine({ ...setup, onEvents, onEngine }, trouble, () => isClosing);
  const callerAt = (at: Route["at"]) => (at === "engine" ? engine.caller : at === "writer" ? writer : leastBusy())();
  const leastBusy = () => readers.reduce((best, desk) => (desk().waiting < best().waiting ? desk : best));
  return {
    live,
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

/** Opened as late as this after the one before, who ends again at once does not keep the machine busy. */
const BETWEEN = 1000;

/** At once for the first in a while; what fails again and again is opened once a second. */
function replacing(open: () => void, isClosing: () => boolean): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const wait = Math.max(0, last + BETWEEN - performance.now());
    last = performance.now() + wait;
    if (wait === 0) open();
    else setTimeout(() => isClosing() || open(), wait);
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

function openEngine({ db, engine, onEvents, onEngine }: PlacesSetup, trouble: (what: string) => void, isClosing: () => boolean) {
  let child: ChildProcess;
  let caller: Caller;
  const open = () => {
    child = fork(program("api-engine", "engine-process"), [], {
      serialization: "advanced",
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.send({ db, ...engine });
    caller = new Caller(processWire(child), (events) => onEvents(events as EngineEvent[]));
    // Not before whoever opened us has us.
    setImmediate(onEngine);
    child.once("exit", (code, signal) => {
      if (isClosing()) return;
      trouble(`the crawling process ended (${signal ?? code}); another carries on`);
      again();
    });
  };
  const again = replacing(open, isClosing);
  open();
  return {
    caller: () => caller,
    end: () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once("exit", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}

const processWire = (child: ChildProcess): Wire => ({
  post: (message) => void child.send(message as object),
  onMessage: (listen) => child.on("message", listen),
  onEnd: (listen) => child.once("exit", listen),
});
