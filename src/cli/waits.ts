import type { Look } from "../operations/passing-run.ts";
import { causeWords, printable, span } from "../telemetry/index.ts";
import type { Globals } from "./globals.ts";
import type { Shell } from "./shell.ts";

const FIRST = 3000;
const NEXT = 10_000;

/** Commands with few but slow (polite) requests can be silent for long: this prints on stderr what they wait for. */
export function openWaits(shell: Shell, flags: Globals): { onStart(look: Look): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (look: Look) => {
    const [host] = look().hosts;
    if (host && host.nextInMs > 0) {
      const why = causeWords(host.cause, host.delayMs);
      shell.stderr.write(`${printable(`${host.host}: next request in ${span(host.nextInMs)}, ${why}`)}\n`);
    }
    timer = setTimeout(say, NEXT, look).unref();
  };
  return {
    onStart: (look) => {
      if (!flags.quiet && flags.progress !== false) timer = setTimeout(say, FIRST, look).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
