/** The process that crawls, as whoever listens has it: started, watched, ended when it hangs, and replaced. */
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
  /** Milliseconds of its own life without a turn of its main thread, after which it hangs. */
  readonly patience: number;
  readonly onEvents: (events: readonly EngineEvent[]) => void;
  /** Another has begun. */
  readonly onEngine: () => void;
  /** One that hung has ended; the next begins when this is done. */
  readonly onHung: () => Promise<void>;
  readonly trouble: (what: string) => void;
  readonly isClosing: () => boolean;
}

export interface EngineChild {
  caller(): Caller;
  /** How long its main thread has stood still, in milliseconds. */
  silence(): number;
  end(): Promise<void>;
}

/** So long it may take to finish what is in flight. What was not finished is taken up by the next. */
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
    // Not before whoever opened us has us.
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
    // Until its own watch has begun.
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
  // Sending to a process that has just died fails; its exit then rejects what waits for an answer.
  post: (message) => void child.send(message as object, () => undefined),
  onMessage: (listen) => child.on("message", listen),
  onEnd: (listen) => child.once("exit", listen),
});
