/** What processes and their threads have cost so far, as Linux counts it. */
import { readdirSync, readFileSync } from "node:fs";

const TICK = 10;

/** Milliseconds, from the line of a process or a thread: its name, in brackets, may hold anything. */
function costIn(line: string): number {
  const [user, system] = costsIn(line);
  return user! + system!;
}

/** Its own, user and system, and those of its children that have ended. */
const costsIn = (line: string): number[] =>
  line
    .slice(line.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map((ticks) => Number(ticks) * TICK);

export const cpuOf = (pid: number): number => costIn(readFileSync(`/proc/${pid}/stat`, "utf8"));

/** Its first thread alone: in a server of ours, whoever listens to the network. */
export const frontCpuOf = (pid: number): number => costIn(readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8"));

export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );

/** With all that it ever started, whether that has ended or not. */
export const cpuWithChildren = (pid: number): number =>
  [...costsIn(readFileSync(`/proc/${pid}/stat`, "utf8")), ...childrenOf(pid).map(cpuWithChildren)].reduce((sum, cost) => sum + cost, 0);
