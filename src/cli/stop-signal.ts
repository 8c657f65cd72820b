import { exitCodes } from "./exit-codes.ts";

/**
 * Handles Ctrl-C and SIGTERM: `onStop` gets the number of signals so far, the third one ends the program. The returned function stops
 * listening and returns the exit code.
 */
export function onStopSignal(onStop: (times: number) => void): () => number {
  let times = 0;
  let code: number = exitCodes.interrupted;
  const onSignal = (signal: NodeJS.Signals) => {
    times += 1;
    code = signal === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted;
    if (times > 2) process.exit(code);
    onStop(times);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return () => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
    return code;
  };
}
