/** What a process and all that descends from it take, as Linux counts it. Those that have ended meanwhile say nothing more. */
import { readdirSync, readFileSync } from "node:fs";

const TICK = 10;

const text = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // it has ended
  }
};

function childrenOf(pid: number): number[] {
  let threads: string[] = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it has ended
  }
  return threads.flatMap((thread) => text(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number));
}

const descend = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(descend)];

/** Memory shared between processes is counted once. */
const memoryOf = (pid: number): number => Number(/^Pss:\s+(\d+)/m.exec(text(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) / 1024;

function cpuOf(pid: number): number {
  const line = text(`/proc/${pid}/stat`);
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK;
}

/** Looks at the tree when it is asked: megabytes now, and milliseconds of the processor so far, those of processes that are gone included. */
export function watchTree(root: number): () => { readonly memory: number; readonly cpu: number } {
  const spent = new Map<number, number>();
  return () => {
    let memory = 0;
    for (const pid of descend(root)) {
      memory += memoryOf(pid);
      spent.set(pid, Math.max(spent.get(pid) ?? 0, cpuOf(pid)));
    }
    return { memory, cpu: [...spent.values()].reduce((sum, one) => sum + one, 0) };
  };
}
