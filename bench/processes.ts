/** What processes, their threads and their children take, as Linux counts it. A process may end while it is looked at: it then says nothing more. */
import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second. */
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

/** User and system time in milliseconds, then those of children that have ended. The name, in brackets, may hold anything. */
function costsIn(line: string): number[] {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return [11, 12, 13, 14].map((at) => Number(fields[at] ?? 0) * TICK);
}

function costIn(line: string): number {
  const [user = 0, system = 0] = costsIn(line);
  return user + system;
}

export const cpuOf = (pid: number): number => costIn(readIfThere(`/proc/${pid}/stat`));

/** Its first thread alone: in a server of ours, whoever listens to the network. */
export const frontCpuOf = (pid: number): number => costIn(readIfThere(`/proc/${pid}/task/${pid}/stat`));

export const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap((thread) => readIfThere(`/proc/${pid}/task/${thread}/children`).trim().split(" ").filter(Boolean).map(Number));

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

/** With all that it ever started, whether that has ended or not. */
export const cpuWithChildren = (pid: number): number =>
  sum(costsIn(readIfThere(`/proc/${pid}/stat`))) + sum(childrenOf(pid).map(cpuWithChildren));

/** Notes of each descendant how large it was at most. */
export function notePeaks(parent: number, peaks: Map<number, number>): void {
  for (const pid of childrenOf(parent)) {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/status`))?.[1];
    if (peak !== undefined) peaks.set(pid, Number(peak) * 1024);
    notePeaks(pid, peaks);
  }
}

const descend = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(descend)];

/** Memory shared between processes is counted once. */
const memoryOf = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;

/** Looks at the tree when it is asked: megabytes now, and milliseconds of the processor so far, those of processes that are gone included. */
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
