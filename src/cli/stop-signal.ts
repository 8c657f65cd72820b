import { exitCodes } from "./exit-codes.ts";

/** Hears Ctrl-C and SIGTERM: `onStop` is told the how-manieth it is, the third ends the program. What is returned stops listening and gives the exit code. */
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
