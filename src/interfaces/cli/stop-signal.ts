import { exitCodes } from "./exit-codes.ts";

/**
 * Handles Ctrl-C and SIGTERM: `onStop` gets the number of signals so far, the third one ends the program. The returned function stops
 * listening and returns the exit code.
 */
export function onStopSignal(onStop: (signalCount: number) => void): () => number {
  let signalCount = 0;
  let code: number = exitCodes.interrupted;
  const onSignal = (signal: NodeJS.Signals) => {
    signalCount += 1;
    code = signal === "SIGTERM" ? exitCodes.terminated : exitCodes.interrupted;
    if (signalCount > 2) process.exit(code);
    onStop(signalCount);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return () => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
    return code;
  };
}
