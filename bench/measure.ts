// Runs a command as a child process and measures its cost: the whole process with threads and children, from start to end.
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { notePeaks } from "./processes.ts";

/** Requests a server has received since the last call. */
export interface Served {
  readonly requests: number;
  /** Pages requested at least once, and repeated requests for the same page. */
  readonly different: number;
  readonly twice: number;
  /** Requests for anything but the site's pages and robots.txt. */
  readonly other: number;
  readonly notModified: number;
  readonly connections: number;
  /** Pages sent uncompressed because the client did not accept compression. */
  readonly uncompressed: number;
  /** CPU time of the server, in milliseconds per request. */
  readonly serverMs: number;
}

export interface Measured {
  readonly pages: number;
  /** Number of pages the command reports; undefined if it reports none. */
  readonly saysPages: number | undefined;
  readonly pagesPerSecond: number;
  /** Milliseconds per page, which equals seconds per thousand pages. */
  readonly cpuMs: number;
  readonly peakRssMb: number;
  readonly isOnce: boolean;
  readonly diskMb: number;
  readonly serverMs: number;
  readonly connections: number;
  /** Deviations from the expected result; empty if there are none. */
  readonly problem: string;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const LOOK_EVERY = 50;
const MB = 1024 * 1024;

/** The shell's `time` includes children that have exited, with millisecond resolution. */
const timed = `TIMEFORMAT='%R %U %S'; time "$@" 2>&3`;

interface Given {
  readonly server: { served(): Served | Promise<Served> };
  readonly pages: number;
  readonly folder: string;
}

/** Runs the command in `folder`, against a server without other clients. */
export async function measure(command: Command, given: Given): Promise<Measured> {
  await given.server.served(); // resets the counters
  const child = spawn("bash", ["-c", timed, "bash", command.program, ...command.args], {
    cwd: given.folder,
    env: { ...process.env, ...command.env },
    stdio: ["ignore", "pipe", "pipe", process.stderr],
  });
  const peaks = new Map<number, number>();
  const looking = setInterval(() => notePeaks(child.pid!, peaks), LOOK_EVERY);
  let [stdout, times] = ["", ""];
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    times += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearInterval(looking);
  const [seconds = 0, user = 0, system = 0] = times.trim().split(" ").map(Number);
  const served = await given.server.served();
  return {
    pages: served.different,
    saysPages: pagesSaid(stdout),
    pagesPerSecond: served.different / seconds,
    cpuMs: ((user + system) * 1000) / Math.max(1, served.different),
    peakRssMb: [...peaks.values()].reduce((sum, peak) => sum + peak, 0) / MB,
    isOnce: served.different === given.pages && served.twice === 0,
    diskMb: bytesIn(given.folder) / MB,
    serverMs: served.serverMs,
    connections: served.connections,
    problem: problemOf(code, served, given.pages),
  };
}

function problemOf(code: number | null, served: Served, pages: number): string {
  const count = (value: number) => value.toLocaleString("en");
  return [
    code !== 0 && `ended with code ${code}`,
    served.different < pages && `fetched ${count(served.different)} of ${count(pages)} pages`,
    served.twice > 0 && `asked ${count(served.twice)} times for a page it had already`,
    served.uncompressed > 0 && `got ${count(served.uncompressed)} pages uncompressed`,
    served.other > pages / 10 && `made ${count(served.other)} requests for other things`,
  ]
    .filter(Boolean)
    .join("; ");
}

/** Disk usage in whole blocks, as `du` counts. */
function bytesIn(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => {
    const found = statSync(join(folder, name));
    return found.isFile() ? sum + found.blocks * 512 : sum;
  }, 0);
}

/** Nuthatch reports it in its result, the Crawlee and Scrapy programs in a line of JSON, wget2 not at all. */
function pagesSaid(stdout: string): number | undefined {
  if (!stdout.startsWith("{")) return undefined;
  const said = JSON.parse(stdout) as { pages?: number; stats?: { pages: number } };
  return said.pages ?? said.stats?.pages;
}

/** The median of each figure, and all problems. */
export function median(rounds: readonly Measured[]): Measured {
  const middle = (read: (one: Measured) => number) => {
    const sorted = rounds.map(read).sort((a, b) => a - b);
    return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
  };
  return {
    pages: middle((one) => one.pages),
    saysPages: rounds[0]!.saysPages,
    pagesPerSecond: middle((one) => one.pagesPerSecond),
    cpuMs: middle((one) => one.cpuMs),
    peakRssMb: middle((one) => one.peakRssMb),
    isOnce: rounds.every((one) => one.isOnce),
    diskMb: middle((one) => one.diskMb),
    serverMs: middle((one) => one.serverMs),
    connections: middle((one) => one.connections),
    problem: [...new Set(rounds.map((one) => one.problem).filter(Boolean))].join(" / "),
  };
}
