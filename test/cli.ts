import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The commands as they are installed: what is tested is what people run. */
export const nuthatchBin = fileURLToPath(new URL("../dist/bundle/nuthatch.js", import.meta.url));
export const crawlerBin = fileURLToPath(new URL("../dist/bundle/crawler.js", import.meta.url));

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
  /** Of a terminal. */
  readonly columns?: number;
}

/** Whoever runs the tests may have colours and proxies of their own. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(FORCE_COLOR|NO_COLOR|CI|(HTTPS?|ALL|NO)_PROXY)$/i.test(name)),
);

/** In a test that also runs the program in its own process (in-process.ts), the working folder changes. */
const home = process.cwd();

export function start(args: readonly string[], how: HowToRun = {}): Started {
  const child = spawn(process.execPath, [how.bin ?? nuthatchBin, ...args], { cwd: how.cwd ?? home, env: { ...inherited, ...how.env } });
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

export const hasTerminal = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;

/** What came from a terminal, in order: text, or the moment somebody made its window another size. */
export type Seen = { readonly text: string } | { readonly columns: number };

export interface OnTerminal {
  readonly seen: readonly Seen[];
  resize(columns: number): void;
  /** What the terminal shows, once it shows this. */
  shows(text: string | RegExp): Promise<string>;
  type(keys: string): void;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<{ readonly code: number | null; readonly screen: string }>;
}

/** Runs it on a pseudo-terminal, which `script` of util-linux provides: both of its streams and its input are a terminal. */
export function startOnTerminal(args: readonly string[], how: HowToRun = {}): OnTerminal {
  const quoted = [process.execPath, how.bin ?? nuthatchBin, ...args].map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(" ");
  // Its own process is the one we know by number: the shell steps aside for it.
  const size = how.columns === undefined ? "" : `stty cols ${how.columns} rows 24 && `;
  const command = `${size}echo "process $$; on $(tty);" && exec ${quoted}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: how.cwd ?? home, env: { TERM: "xterm", ...inherited, ...how.env } });
  // Keys that come after its end fall into nothing.
  child.stdin.on("error", () => undefined);
  let screen = "";
  const seen: Seen[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
    seen.push({ text });
  });
  const ended = new Promise<{ code: number | null; screen: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, screen: screen.replaceAll("\r\n", "\n") })),
  );
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  return {
    ended,
    seen,
    resize: (columns) => {
      spawnSync("stty", ["-F", / on (\S+);/.exec(screen)![1]!, "cols", String(columns)]);
      seen.push({ columns });
    },
    shows: async (text) => {
      while (typeof text === "string" ? !screen.includes(text) : !text.test(screen)) {
        if (hasEnded) throw new Error(`it ended and never showed ${text}:\n${screen}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return screen;
    },
    type: (keys) => void child.stdin.write(keys),
    kill: (signal) => void process.kill(Number(/process (\d+);/.exec(screen)![1]), signal),
  };
}

/** A folder that goes away with the test. */
export function tempFolder(): { path: string; file(name: string): string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "nuthatch-test-"));
  return { path, file: (name) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
