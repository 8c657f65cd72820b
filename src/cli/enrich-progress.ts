import { several } from "../telemetry/index.ts";
import type { Globals } from "./globals.ts";
import type { Shell } from "./shell.ts";

const FRAME = 200;
const PLAIN = 10_000;
/** Milliseconds before progress is shown; shorter lists need none. */
const FIRST = 2000;

export interface DoneView {
  done(count: number, lost: number): void;
  /** Prints text above the progress line. */
  say(text: string): void;
  end(): void;
}

/** Progress of a list: on a terminal one line that is redrawn, otherwise a line every ten seconds. */
export function showDone({ stderr, stdout }: Shell, { quiet, progress, output, replace }: Globals): DoneView {
  // Results printed to the same terminal already show the progress.
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
