import { setFlagsFromString } from "node:v8";

/**
 * Settings of V8 for a process of our own, and for the threads it starts afterwards (decision 35). A program that uses the library keeps its own.
 */
export function tuneV8(): void {
  for (const flag of flags) setFlagsFromString(flag);
}

export const flags = [
  // Nine times the default. A crawl of a thousand pages is over before much of its optimised code has paid for the compilation.
  "--interrupt-budget=600000",
  // Bodies lie outside of V8's heap but count against its limit, which follows the heap: with 9 MB of objects, a thread would collect all
  // its garbage every 40 pages. Here that begins when the limit is nearly reached, in percent, and mostly the small collections come first.
  "--incremental-marking-soft-trigger=85",
  "--incremental-marking-hard-trigger=95",
];
