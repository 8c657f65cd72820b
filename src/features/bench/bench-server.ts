import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Counters of the server since the last request for them. */
interface ServerCounters {
  readonly requests: number;
  /** Distinct pages requested, and repeated requests for a page. */
  readonly different: number;
  readonly twice: number;
  readonly notModified: number;
  readonly cpuMicrosPerRequest: number;
}

export interface BenchServer {
  readonly origins: readonly string[];
  /** Returns the counters and resets them. */
  served(): Promise<ServerCounters>;
  close(): Promise<void>;
}

interface BenchServerOptions {
  readonly pages: number;
  readonly hosts?: number | undefined;
  readonly latency?: number | undefined;
}

/** The server is a separate process, so that its CPU time is not counted as ours. In the published package it is in this folder. */
const program = ["./bench-site.js", "../../../bench/server.js"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path))!;

export async function openBenchServer({ pages, hosts = 1, latency = 0 }: BenchServerOptions): Promise<BenchServer> {
  // Its own process group: Ctrl-C must reach only the crawl, which then ends the server.
  const child = spawn(process.execPath, [program, `${pages}`, "--hosts", `${hosts}`, "--latency", `${latency}`], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async <T>() => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the bench server ended early (code ${child.exitCode})`);
    return JSON.parse(value) as T;
  };
  const { origins } = await next<{ origins: string[] }>();
  return {
    origins,
    served: () => {
      child.stdin.write("next\n");
      return next<ServerCounters>();
    },
    close: () => ended(child),
  };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  child.stdin?.end();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}
