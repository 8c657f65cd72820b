import { causeWords, formatDuration, printable } from "../../engine/telemetry/index.ts";
import type { GetProgress } from "../../features/crawl/temporary-run.ts";
import type { Globals } from "./globals.ts";
import type { Shell } from "./shell.ts";

const FIRST_AFTER_MS = 3000;
const INTERVAL_MS = 10_000;

/** Commands with few but slow (polite) requests can be silent for long: this prints on stderr what they wait for. */
export function openWaitMessages(shell: Shell, flags: Globals): { onStart(readProgress: GetProgress): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (readProgress: GetProgress) => {
    const [host] = readProgress().hosts;
    if (host && host.nextInMs > 0) {
      const why = causeWords(host.cause, host.delayMs);
      shell.stderr.write(`${printable(`${host.host}: next request in ${formatDuration(host.nextInMs)}, ${why}`)}\n`);
    }
    timer = setTimeout(say, INTERVAL_MS, readProgress).unref();
  };
  return {
    onStart: (readProgress) => {
      if (!flags.quiet && flags.progress !== false) timer = setTimeout(say, FIRST_AFTER_MS, readProgress).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
