/** The crawling process as seen by the server process: starts it, watches it, kills it when it hangs, and replaces it. */
import { type ChildProcess, fork } from "node:child_process";
import type { Readable } from "node:stream";
import { mallocSettings } from "../../../core/malloc.ts";
import { Caller, type Transport } from "../worker-calls.ts";
import type { EngineEvent } from "./engine.ts";
import { ALIVE, BLOCKED, CHECK_INTERVAL_MS, WATCH_PIPE } from "./engine-watch.ts";
import { programPath } from "./program.ts";
import { restarter } from "./restarter.ts";

export interface EngineChildSetup {
  readonly db: string;
  readonly engine: Readonly<Record<string, unknown>>;
  /** The process counts as hung when its main thread has not turned for this many milliseconds, measured by its own watch thread. */
  readonly hangTimeout: number;
  readonly onEvents: (events: readonly EngineEvent[]) => void;
  /** A new crawling process was started. */
  readonly onEngine: () => void;
  /** A hung process was killed; its replacement starts when this promise settles. */
  readonly onHung: () => Promise<void>;
  readonly trouble: (what: string) => void;
  readonly isClosing: () => boolean;
}

export interface EngineChild {
  caller(): Caller;
  /** How long its main thread has been blocked, in milliseconds. */
  silence(): number;
  end(): Promise<void>;
}

/** Time to finish what is in flight; the next process resumes the rest. */
const END_TIMEOUT_MS = 6000;

export function openEngineChild(setup: EngineChildSetup): EngineChild {
  const { db, engine, hangTimeout, trouble, isClosing } = setup;
  let child: ChildProcess;
  let caller: Caller;
  let missedChecks = 0;
  const open = () => {
    missedChecks = 0;
    child = fork(programPath("api-engine", "engine-process"), [], {
      serialization: "advanced",
      env: { ...mallocSettings, ...process.env },
      stdio: ["ignore", "inherit", "inherit", "pipe", "ipc"],
    });
    child.send({ db, ...engine });
    caller = new Caller(processTransport(child), (events) => setup.onEvents(events as EngineEvent[]));
    // Deferred, because the caller of `openEngineChild` does not have the returned object yet.
    setImmediate(setup.onEngine);
    watch(child);
  };
  const restart = restarter(open, isClosing);

  function watch(one: ChildProcess): void {
    let isHung = false;
    const onCheck = (byte: number) => {
      missedChecks = byte === ALIVE ? 0 : missedChecks + 1;
      if (isHung || missedChecks * CHECK_INTERVAL_MS < hangTimeout) return;
      isHung = true;
      trouble(
        `the crawling process has not answered for ${(missedChecks * CHECK_INTERVAL_MS) / 1000} s of its own time: it hangs, and is ended`,
      );
      one.kill("SIGKILL");
    };
    // Counts on our own timer until the watch thread of the process sends its first byte.
    const earlyTimer = setInterval(onCheck, CHECK_INTERVAL_MS, BLOCKED);
    (one.stdio[WATCH_PIPE] as Readable).on("data", (bytes: Buffer) => {
      clearInterval(earlyTimer);
      for (const byte of bytes) onCheck(byte);
    });
    one.once("exit", (code, signal) => {
      clearInterval(earlyTimer);
      if (isClosing()) return;
      trouble(`the crawling process ended (${signal ?? code}); another carries on`);
      if (isHung) void setup.onHung().finally(restart);
      else restart();
    });
  }

  open();
  return {
    caller: () => caller,
    silence: () => missedChecks * CHECK_INTERVAL_MS,
    end: () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        const force = setTimeout(() => child.kill("SIGKILL"), END_TIMEOUT_MS);
        child.once("exit", () => {
          clearTimeout(force);
          resolve();
        });
        child.kill("SIGTERM");
      }),
  };
}

const processTransport = (child: ChildProcess): Transport => ({
  // Sending to a process that has just exited fails; the exit event then rejects all pending calls.
  post: (message) => void child.send(message as object, () => undefined),
  onMessage: (listen) => child.on("message", listen),
  onEnd: (listen) => child.once("exit", listen),
});
