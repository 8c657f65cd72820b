import type { Counters } from "./run.ts";

type Counts = { [name: string]: number | Counts | undefined };

function combined(a: Counts, b: Counts, sign: 1 | -1): Counts {
  const sum: Counts = { ...a };
  for (const [name, more] of Object.entries(b)) {
    const before = sum[name];
    if (typeof more === "number") sum[name] = (typeof before === "number" ? before : 0) + sign * more;
    else if (more) sum[name] = combined(typeof before === "object" ? before : {}, more, sign);
  }
  return sum;
}

/** Adds the counters of two processes in one run. */
export const addCounts = (a: Counters, b: Counters): Counters =>
  combined(a as unknown as Counts, b as unknown as Counts, 1) as unknown as Counters;

/** The difference: what was counted since `b`. */
export const subtractCounts = (a: Counters, b: Counters): Counters =>
  combined(a as unknown as Counts, b as unknown as Counts, -1) as unknown as Counters;
