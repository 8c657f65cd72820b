import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** What the server saw since it was last asked. */
interface Served {
  readonly requests: number;
  /** Pages asked for at least once, and requests for a page that had been asked for before. */
  readonly different: number;
  readonly twice: number;
  readonly notModified: number;
  readonly cpuMicrosPerRequest: number;
}

export interface BenchServer {
  readonly origins: readonly string[];
  /** What was served so far; counts from nothing again. */
  served(): Promise<Served>;
  close(): Promise<void>;
}

interface BenchServerOptions {
  readonly pages: number;
  readonly hosts?: number | undefined;
  readonly latency?: number | undefined;
}

/** The server is a program of its own, so that its work is not counted as ours. Where it is published it lies beside us. */
const program = ["./bench-site.js", "../../bench/server.js"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path))!;

export async function openBenchServer({ pages, hosts = 1, latency = 0 }: BenchServerOptions): Promise<BenchServer> {
  // A group of its own: Ctrl-C is for the crawl, which then ends the server.
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
      return next<Served>();
    },
    close: () => ended(child),
  };
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  child.stdin?.end();
  return new Promise((resolve) => child.once("exit", () => resolve()));
}
