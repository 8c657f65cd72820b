import { PassThrough } from "node:stream";
import { runCli } from "../dist/src/interfaces/cli/program.js";
import type { Ended, HowToRun } from "./cli.ts";

type How = Pick<HowToRun, "cwd" | "env" | "input">;
type Told = Omit<Ended, "signal">;

/** The working folder is the process's, so they take turns. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * The program without a process of its own, for tables with many rows: a start costs a hundred times what a refusal does.
 * Who names no folder is not in one, and needs no turn.
 */
export function nuthatchHere(args: readonly string[], how: How = {}): Promise<Told> {
  if (how.cwd === undefined) return run(args, how);
  const told = turn.then(() => run(args, how));
  turn = told.catch(() => undefined);
  return told;
}

async function run(args: readonly string[], { cwd, env = {}, input = "" }: How): Promise<Told> {
  const home = process.cwd();
  const environment = { ...process.env };
  const [stdout, stderr, stdin] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const [said, talked] = [stdout, stderr].map((stream) => stream.setEncoding("utf8").toArray() as Promise<string[]>);
  stdin.end(input);
  if (cwd !== undefined) process.chdir(cwd);
  try {
    const shell = { stdout, stderr, stdin, env, cwd: process.cwd() };
    const code = await runCli(args, shell as unknown as Parameters<typeof runCli>[1]);
    for (const stream of [stdout, stderr]) stream.end();
    return { code, stdout: (await said)!.join(""), stderr: (await talked)!.join("") };
  } finally {
    if (cwd !== undefined) process.chdir(home);
    // A command may name an endpoint or a password for the processes it starts; the next test file shares this process.
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
  }
}
