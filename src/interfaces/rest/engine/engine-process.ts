/** Entry point of the crawling process of the API. */

import { tuneV8 } from "../../../core/tune-v8.ts";
import { openApp } from "../../../engine/app.ts";
import { RunOptions, type ServerOptions } from "../json/run-options.ts";
import { type LogOptions, openServerLog } from "../server-log.ts";
import { serveCalls } from "../worker-calls.ts";
import type { EngineEvent } from "./engine.ts";
import { watchMainThread } from "./engine-watch.ts";
import { handleCall, problemOf } from "./handle-call.ts";
import { openJobs } from "./jobs.ts";
import { openEngine } from "./open-engine.ts";

/** Events are sent in batches: one message for each page would cost as much as the page itself. */
const BATCH_MS = 50;

/** Messages that arrive before the data file is open are kept until then. */
const earlyMessages: unknown[] = [];
let receive = (message: unknown): void => void earlyMessages.push(message);

// The parent process logs that a replacement starts; only this process knows why it ended.
process.once("uncaughtException", (cause: unknown) => {
  const why = cause instanceof Error ? cause.stack : String(cause);
  console.error(`the crawling process failed; everything that was settled is kept\n  why: ${why}`);
  process.exit(1);
});

tuneV8();
watchMainThread();

process.once("message", (setup) => {
  process.on("message", (message) => receive(message));
  void start(setup as Setup);
});

interface Setup {
  readonly db: string;
  readonly options: ServerOptions;
  readonly log?: LogOptions;
}

async function start({ db, options: server, log: logOptions }: Setup): Promise<void> {
  const options = new RunOptions(server, process.env);
  const app = await openApp({ db, mayBeSent: options.maySendCredentials });
  let batch: EngineEvent[] = [];
  const flush = () => {
    sendEvents(batch);
    batch = [];
  };
  const emit = (event: EngineEvent) => {
    if (batch.push(event) === 1) setTimeout(flush, BATCH_MS);
  };
  const log = openServerLog(logOptions);
  const jobs = openJobs({ app, db, options, emit, problemOf, log });
  const engine = openEngine(app, { options, jobs, emit, log });
  const sendEvents = serveCalls(
    {
      // The parent may exit at this moment; a message that cannot be sent is not an error.
      post: (message) => void (process.connected && process.send?.(message, undefined, undefined, () => undefined)),
      onMessage: (listen) => {
        receive = listen;
        for (const message of earlyMessages.splice(0)) setImmediate(listen, message);
      },
      onEnd: () => undefined,
    },
    (name, input, signal) => handleCall({ app, engine }, name, input, signal),
    problemOf,
  );
  // The parent has exited or asks us to end: finish what is in flight; the next process resumes the rest.
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    app.store.workers.shortenWaits();
    try {
      await Promise.all([engine.suspend(), jobs.suspend()]);
      await app.store.service.setServerUrl(undefined, process.ppid);
      await app.close();
    } catch (cause) {
      log.trouble(`what was under way could not be ended in good order; it is taken up by the next: ${cause}`);
    }
    process.exit(0);
  };
  process.once("SIGTERM", () => void end());
  process.on("SIGINT", () => undefined);
  process.once("disconnect", () => void end());
  await Promise.all([engine.resumeAll(), jobs.resumeAll()]);
}
