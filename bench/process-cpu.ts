/** What processes and their threads have cost so far, as Linux counts it. */
import { readdirSync, readFileSync } from "node:fs";

const TICK = 10;

/** Milliseconds, from the line of a process or a thread: its name, in brackets, may hold anything. */
function costIn(line: string): number {
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

export const cpuOf = (pid: number): number => costIn(readFileSync(`/proc/${pid}/stat`, "utf8"));

/** Its first thread alone: in a server of ours, whoever listens to the network. */
export const frontCpuOf = (pid: number): number => costIn(readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8"));

export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
