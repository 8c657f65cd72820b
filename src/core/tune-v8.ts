import { setFlagsFromString } from "node:v8";

/** V8 settings for our own processes and the threads they start afterwards (decision 35). A program that uses the library keeps its own. */
export function tuneV8(): void {
  for (const flag of flags) setFlagsFromString(flag);
}

export const flags = [
  // Nine times the default. A crawl of a thousand pages is over before much of its optimised code has paid for the compilation.
  "--interrupt-budget=600000",
  // Bodies are outside V8's heap but count against its limit, which follows the heap size: with 9 MB of objects, a thread would do a full
  // collection every 40 pages. These thresholds, in percent of the limit, start it later, so that scavenges mostly come first.
  "--incremental-marking-soft-trigger=85",
  "--incremental-marking-hard-trigger=95",
];
