import { plural } from "../../../engine/telemetry/index.ts";
import type { Globals } from "../globals.ts";
import type { Shell } from "../shell.ts";

const FRAME_MS = 200;
const PLAIN_INTERVAL_MS = 10_000;
/** Milliseconds before progress is shown; shorter lists need none. */
const SHOW_AFTER_MS = 2000;

export interface ListProgress {
  done(count: number, lost: number): void;
  /** Prints text above the progress line. */
  say(text: string): void;
  end(): void;
}

/** Progress of a list: on a terminal one line that is redrawn, otherwise a line every ten seconds. */
export function openListProgress({ stderr, stdout }: Shell, { quiet, progress, output, replace }: Globals): ListProgress {
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
      if (now - startedAt < SHOW_AFTER_MS || now - shownAt < (isLive ? FRAME_MS : PLAIN_INTERVAL_MS)) return;
      shownAt = now;
      line = `${plural(count, "address", "addresses")} done${lost > 0 ? `, ${lost} without an answer` : ""}`;
      stderr.write(isLive ? `\r\x1b[K${line}` : `${line}\n`);
    },
    say: (text) => {
      clear();
      stderr.write(isLive ? text + line : text);
    },
    end: clear,
  };
}
