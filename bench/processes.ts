/**
 * CPU time and memory of processes, their threads and their children, from /proc. A process may exit while it is read; it then counts as
 * zero.
 */
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds per clock tick: Linux counts in hundredths of a second. */
const TICK = 10;

const isGone = (cause: unknown) => ["ENOENT", "ESRCH"].includes((cause as NodeJS.ErrnoException).code ?? "");

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (cause) {
    if (isGone(cause)) return "";
    throw cause;
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (cause) {
    if (isGone(cause)) return [];
    throw cause;
  }
}

/** User and system time in milliseconds, then those of exited children. The name is in brackets and may contain any character. */
function costsIn(line: string): number[] {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return [11, 12, 13, 14].map((at) => Number(fields[at] ?? 0) * TICK);
}

function costIn(line: string): number {
  const [user = 0, system = 0] = costsIn(line);
  return user + system;
}

export const cpuOf = (pid: number): number => costIn(readIfThere(`/proc/${pid}/stat`));

/** The first thread only: in our server, the one that handles HTTP. */
export const frontCpuOf = (pid: number): number => costIn(readIfThere(`/proc/${pid}/task/${pid}/stat`));

export const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap((thread) => readIfThere(`/proc/${pid}/task/${thread}/children`).trim().split(" ").filter(Boolean).map(Number));

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** Including all descendants, running and exited. */
export const cpuWithChildren = (pid: number): number =>
  sum(costsIn(readIfThere(`/proc/${pid}/stat`))) + sum(childrenOf(pid).map(cpuWithChildren));

/** Records the peak memory of each descendant. */
export function notePeaks(parent: number, peaks: Map<number, number>): void {
  for (const pid of childrenOf(parent)) {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/status`))?.[1];
    if (peak !== undefined) peaks.set(pid, Number(peak) * 1024);
    notePeaks(pid, peaks);
  }
}

const descend = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(descend)];

/** Proportional set size, so that memory shared between processes is counted once. */
const memoryOf = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;

/** Returns a function that samples the process tree: current megabytes, and CPU milliseconds so far, including exited processes. */
export function watchTree(root: number): () => { readonly memory: number; readonly cpu: number } {
  const spent = new Map<number, number>();
  return () => {
    let memory = 0;
    for (const pid of descend(root)) {
      memory += memoryOf(pid);
      spent.set(pid, Math.max(spent.get(pid) ?? 0, cpuOf(pid)));
    }
    return { memory, cpu: sum(spent.values()) };
  };
}
