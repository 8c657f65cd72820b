import { several } from "../telemetry/index.ts";
import type { Globals } from "./globals.ts";
import type { Shell } from "./shell.ts";

const FRAME = 200;
const PLAIN = 10_000;
/** Shorter lists are answered before anybody wonders. */
const FIRST = 2000;

export interface DoneView {
  done(count: number, lost: number): void;
  /** Text that goes above it. */
  say(text: string): void;
  end(): void;
}

/** How far a list is: on a terminal one line that is written anew, elsewhere a line every ten seconds. */
export function showDone({ stderr, stdout }: Shell, { quiet, progress, output, replace }: Globals): DoneView {
  // Answers that go to the same terminal show how far it is.
  const isOnScreen = stdout.isTTY && (replace ?? output ?? "-") === "-";
  if (quiet || progress === false || isOnScreen)
    return { done: () => undefined, say: (text) => void stderr.write(text), end: () => undefined };
  const isLive = stderr.isTTY && progress !== "plain";
  const startedAt = performance.now();
  let shownAt = startedAt;
  let line = "";
  const clear = () => {
    if (isLive && line !== "") stderr.write("\r\x1b[K");
  };
  return {
    done: (count, lost) => {
      const now = performance.now();
      if (now - startedAt < FIRST || now - shownAt < (isLive ? FRAME : PLAIN)) return;
      shownAt = now;
      line = `${several(count, "address", "addresses")} done${lost > 0 ? `, ${lost} without an answer` : ""}`;
      stderr.write(isLive ? `\r\x1b[K${line}` : `${line}\n`);
    },
    say: (text) => {
      clear();
      stderr.write(isLive ? text + line : text);
    },
    end: clear,
  };
}
