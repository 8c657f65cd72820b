/** Entry point of the crawling process of the API. */
import { openApp } from "../app.ts";
import { tuneV8 } from "../tune-v8.ts";
import type { EngineEvent } from "./engine.ts";
import { watchMainThread } from "./engine-watch.ts";
import { openJobs } from "./jobs.ts";
import { openEngine } from "./open-engine.ts";
import { answerCalls } from "./peer.ts";
import { RunOptions, type ServerOptions } from "./run-options.ts";
import { type LogOptions, openServerLog } from "./server-log.ts";
import { problemOf, work } from "./work.ts";

/** Events are sent in batches: one message for each page would cost as much as the page itself. */
const HEAP = 50;

/** Messages that arrive before the data file is open are kept until then. */
const early: unknown[] = [];
let hear = (message: unknown): void => void early.push(message);

// The parent process logs that a replacement starts; only this process knows why it ended.
process.once("uncaughtException", (cause: unknown) => {
  const why = cause instanceof Error ? cause.stack : String(cause);
  console.error(`the crawling process failed; everything that was settled is kept\n  why: ${why}`);
  process.exit(1);
});

tuneV8();
watchMainThread();

process.once("message", (setup) => {
  process.on("message", (message) => hear(message));
  void begin(setup as Setup);
});

interface Setup {
  readonly db: string;
  readonly options: ServerOptions;
  readonly log?: LogOptions;
}

async function begin({ db, options: server, log: logOptions }: Setup): Promise<void> {
  const options = new RunOptions(server, process.env);
  const app = await openApp({ db, mayBeSent: options.mayBeSent });
  let heap: EngineEvent[] = [];
  const flush = () => {
    tell(heap);
    heap = [];
  };
  const emit = (event: EngineEvent) => {
    if (heap.push(event) === 1) setTimeout(flush, HEAP);
  };
  const log = openServerLog(logOptions);
  const jobs = openJobs({ app, db, options, emit, problemOf, log });
  const engine = openEngine(app, { options, jobs, emit, log });
  const tell = answerCalls(
    {
      // The parent may exit at this moment; a message that cannot be sent is not an error.
      post: (message) => void (process.connected && process.send?.(message, undefined, undefined, () => undefined)),
      onMessage: (listen) => {
        hear = listen;
        for (const message of early.splice(0)) setImmediate(listen, message);
      },
      onEnd: () => undefined,
    },
    (name, input, signal) => work({ app, engine }, name, input, signal),
    problemOf,
  );
  // The parent has exited or asks us to end: finish what is in flight; the next process resumes the rest.
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    app.store.workers.hurry();
    try {
      await Promise.all([engine.rest(), jobs.rest()]);
      await app.store.service.answersAt(undefined, process.ppid);
      await app.close();
    } catch (cause) {
      log.trouble(`what was under way could not be ended in good order; it is taken up by the next: ${cause}`);
    }
    process.exit(0);
  };
  process.once("SIGTERM", () => void end());
  process.on("SIGINT", () => undefined);
  process.once("disconnect", () => void end());
  await Promise.all([engine.carryOn(), jobs.carryOn()]);
}
