import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The commands as they are installed: what is tested is what people run. */
export const nuthatchBin = fileURLToPath(new URL("../dist/src/cli/main.js", import.meta.url));
export const crawlerBin = fileURLToPath(new URL("../dist/src/cli/crawler.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

export interface HowToRun {
  readonly bin?: string;
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
}

export function start(args: readonly string[], how: HowToRun = {}): Started {
  const { FORCE_COLOR: _, NO_COLOR: __, CI: ___, ...env } = process.env;
  const child = spawn(process.execPath, [how.bin ?? nuthatchBin, ...args], { cwd: how.cwd, env: { ...env, ...how.env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end(how.input ?? "");
  const ended = new Promise<Ended>((resolve) => child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr })));
  return { pid: child.pid!, ended, kill: (signal) => child.kill(signal) };
}

export const nuthatch = (args: readonly string[], how: HowToRun = {}): Promise<Ended> => start(args, how).ended;

/** A folder that goes away with the test. */
export function tempFolder(): { path: string; file(name: string): string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "nuthatch-test-"));
  return { path, file: (name) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
