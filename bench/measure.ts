// Runs a command as a child and says what it cost: the whole process with its threads and children, from its start to its end.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BenchServer } from "../src/operations/bench-server.ts";

export interface Measured {
  readonly pages: number;
  /** What the command itself says it fetched; undefined if it does not say. */
  readonly saysPages: number | undefined;
  readonly pagesPerSecond: number;
  readonly cpuPer1000: number;
  readonly peakRssMb: number;
  readonly isOnce: boolean;
  readonly diskMb: number;
  readonly serverMicros: number;
  readonly notModified: number;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

const LOOK_EVERY = 20;
const MB = 1024 * 1024;

/** The shell's own clock counts the children it waited for, to the millisecond and without a hand in them. */
const timed = `TIMEFORMAT='%R %U %S'; time "$@" 2>&3`;

/** Runs it in `folder`, against a server that nobody else asks meanwhile. */
export async function measure(command: Command, given: { server: BenchServer; pages: number; folder: string }): Promise<Measured> {
  await given.server.served(); // counts from nothing
  const child = spawn("bash", ["-c", timed, "bash", command.program, ...command.args], {
    cwd: given.folder,
    stdio: ["ignore", "pipe", "pipe", process.stderr],
  });
  const peaks = new Map<number, number>();
  const looking = setInterval(() => lookAt(child.pid!, peaks), LOOK_EVERY);
  let [stdout, times] = ["", ""];
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    times += text;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(looking);
  if (code !== 0) throw new Error(`${command.program} ${command.args.join(" ")} ended with code ${code}: ${stdout}${times}`);
  const [seconds = 0, user = 0, system = 0] = times.trim().split(" ").map(Number);
  const served = await given.server.served();
  return {
    pages: served.different,
    saysPages: pagesSaid(stdout),
    pagesPerSecond: served.different / seconds,
    cpuPer1000: ((user + system) * 1000) / served.different,
    peakRssMb: [...peaks.values()].reduce((sum, peak) => sum + peak, 0) / MB,
    isOnce: served.different === given.pages && served.twice === 0,
    diskMb: bytesIn(given.folder) / MB,
    serverMicros: served.cpuMicrosPerRequest,
    notModified: served.notModified,
  };
}

/** Notes how large the descendants of a process have been at most. A process may end while it is looked at. */
function lookAt(parent: number, peaks: Map<number, number>): void {
  for (const pid of childrenOf(parent)) {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(readIfThere(`/proc/${pid}/status`))?.[1];
    if (peak !== undefined) peaks.set(pid, Number(peak) * 1024);
    lookAt(pid, peaks);
  }
}

const childrenOf = (pid: number): number[] => readIfThere(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return "";
    throw cause;
  }
}

/** What is on the disk, in whole blocks as `du` counts them. */
function bytesIn(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => {
    const found = statSync(join(folder, name));
    return found.isFile() ? sum + found.blocks * 512 : sum;
  }, 0);
}

/** Ours says so in its result, Crawlee's programs in a line of their own, wget2 not at all. */
function pagesSaid(stdout: string): number | undefined {
  if (!stdout.startsWith("{")) return undefined;
  const said = JSON.parse(stdout) as { pages?: number; stats?: { pages: number } };
  return said.pages ?? said.stats?.pages;
}

/** Of each figure the middle one; of once or not, whether it always was. */
export function median(rounds: readonly Measured[]): Measured {
  const middle = (read: (one: Measured) => number) => {
    const sorted = rounds.map(read).sort((a, b) => a - b);
    return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
  };
  return {
    pages: middle((one) => one.pages),
    saysPages: rounds[0]!.saysPages,
    pagesPerSecond: middle((one) => one.pagesPerSecond),
    cpuPer1000: middle((one) => one.cpuPer1000),
    peakRssMb: middle((one) => one.peakRssMb),
    isOnce: rounds.every((one) => one.isOnce),
    diskMb: middle((one) => one.diskMb),
    serverMicros: middle((one) => one.serverMicros),
    notModified: middle((one) => one.notModified),
  };
}
