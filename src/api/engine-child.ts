/** The crawling process as seen by the server process: starts it, watches it, kills it when it hangs, and replaces it. */
import { type ChildProcess, fork } from "node:child_process";
import type { Readable } from "node:stream";
import { mallocSettings } from "../malloc.ts";
import type { EngineEvent } from "./engine.ts";
import { LOOK, STANDS, TURNS, WATCH_PIPE } from "./engine-watch.ts";
import { Caller, type Wire } from "./peer.ts";
import { program } from "./program.ts";
import { replacing } from "./replacing.ts";

export interface EngineChildSetup {
  readonly db: string;
  readonly engine: Readonly<Record<string, unknown>>;
  /** The process counts as hung when its main thread has not turned for this many milliseconds, measured by its own watch thread. */
  readonly patience: number;
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
const TO_END = 6000;

export function openEngineChild(setup: EngineChildSetup): EngineChild {
  const { db, engine, patience, trouble, isClosing } = setup;
  let child: ChildProcess;
  let caller: Caller;
  let looks = 0;
  const open = () => {
    looks = 0;
    child = fork(program("api-engine", "engine-process"), [], {
      serialization: "advanced",
      env: { ...mallocSettings, ...process.env },
      stdio: ["ignore", "inherit", "inherit", "pipe", "ipc"],
    });
    child.send({ db, ...engine });
    caller = new Caller(processWire(child), (events) => setup.onEvents(events as EngineEvent[]));
    // Deferred, because the caller of `openEngineChild` does not have the returned object yet.
    setImmediate(setup.onEngine);
    watch(child);
  };
  const again = replacing(open, isClosing);

  function watch(one: ChildProcess): void {
    let isHung = false;
    const look = (byte: number) => {
      looks = byte === TURNS ? 0 : looks + 1;
      if (isHung || looks * LOOK < patience) return;
      isHung = true;
      trouble(`the crawling process has not answered for ${(looks * LOOK) / 1000} s of its own time: it hangs, and is ended`);
      one.kill("SIGKILL");
    };
    // Counts on our own timer until the watch thread of the process sends its first byte.
    const early = setInterval(look, LOOK, STANDS);
    (one.stdio[WATCH_PIPE] as Readable).on("data", (bytes: Buffer) => {
      clearInterval(early);
      for (const byte of bytes) look(byte);
    });
    one.once("exit", (code, signal) => {
      clearInterval(early);
      if (isClosing()) return;
      trouble(`the crawling process ended (${signal ?? code}); another carries on`);
      if (isHung) void setup.onHung().finally(again);
      else again();
    });
  }

  open();
  return {
    caller: () => caller,
    silence: () => looks * LOOK,
    end: () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        const force = setTimeout(() => child.kill("SIGKILL"), TO_END);
        child.once("exit", () => {
          clearTimeout(force);
          resolve();
        });
        child.kill("SIGTERM");
      }),
  };
}

const processWire = (child: ChildProcess): Wire => ({
  // Sending to a process that has just exited fails; the exit event then rejects all pending calls.
  post: (message) => void child.send(message as object, () => undefined),
  onMessage: (listen) => child.on("message", listen),
  onEnd: (listen) => child.once("exit", listen),
});
