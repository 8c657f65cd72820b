// Runs a command as a child and says what it cost: the whole process with its threads and children, from its start to its end.
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { notePeaks } from "./processes.ts";

/** What a server saw since it was last asked. */
export interface Served {
  readonly requests: number;
  /** Pages asked for at least once, and requests for a page that had been asked for before. */
  readonly different: number;
  readonly twice: number;
  /** Requests for anything but the site's pages and robots.txt. */
  readonly other: number;
  readonly notModified: number;
  readonly connections: number;
  /** Pages that went out as they are because nobody asked for them compressed. */
  readonly uncompressed: number;
  /** CPU of the server, milliseconds a request. */
  readonly serverMs: number;
}

export interface Measured {
  readonly pages: number;
  /** What the command itself says it fetched; undefined if it does not say. */
  readonly saysPages: number | undefined;
  readonly pagesPerSecond: number;
  /** Milliseconds a page, which is also seconds per thousand. */
  readonly cpuMs: number;
  readonly peakRssMb: number;
  readonly isOnce: boolean;
  readonly diskMb: number;
  readonly serverMs: number;
  readonly connections: number;
  /** What was not as it should be, in words; empty if nothing. */
  readonly problem: string;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const LOOK_EVERY = 50;
const MB = 1024 * 1024;

/** The shell's own clock counts the children it waited for, to the millisecond and without a hand in them. */
const timed = `TIMEFORMAT='%R %U %S'; time "$@" 2>&3`;

interface Given {
  readonly server: { served(): Served | Promise<Served> };
  readonly pages: number;
  readonly folder: string;
}

/** Runs it in `folder`, against a server that nobody else asks meanwhile. */
export async function measure(command: Command, given: Given): Promise<Measured> {
  await given.server.served(); // counts from nothing
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

/** What is on the disk, in whole blocks as `du` counts them. */
function bytesIn(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.reduce((sum, name) => {
    const found = statSync(join(folder, name));
    return found.isFile() ? sum + found.blocks * 512 : sum;
  }, 0);
}

/** Ours says so in its result, Crawlee's and Scrapy's programs in a line of their own, wget2 not at all. */
function pagesSaid(stdout: string): number | undefined {
  if (!stdout.startsWith("{")) return undefined;
  const said = JSON.parse(stdout) as { pages?: number; stats?: { pages: number } };
  return said.pages ?? said.stats?.pages;
}

/** Of each figure the middle one; of what went wrong, all. */
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
