import { createInterface, type Interface } from "node:readline";
import { SetupError } from "../config/index.ts";
import type { Globals } from "./globals.ts";
import type { Shell } from "./shell.ts";
import { onStopSignal } from "./stop-signal.ts";

/** Ctrl-C or SIGTERM instead of an answer. Nothing has been changed by then. */
export class Interrupted extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super("interrupted");
    this.exitCode = exitCode;
  }
}

/** Whether somebody sits there who sees a question and can answer it. */
export const mayAsk = (flags: Globals, { stdin, stderr, env }: Shell): boolean =>
  flags.input !== false && !flags.json && !env.CI && stdin.isTTY && stderr.isTTY && !stdin.readableEnded;

/** Puts a question until it is answered with yes or no; Enter alone takes the answer that is written large. */
export async function ask(shell: Shell, question: string, fallback: boolean): Promise<boolean> {
  const lines = createInterface({ input: shell.stdin });
  let isStopped = false;
  const forget = onStopSignal(() => {
    isStopped = true;
    lines.close();
  });
  try {
    for (;;) {
      shell.stderr.write(`${question} ${fallback ? "[Y/n]" : "[y/N]"} `);
      const line = await nextLine(lines);
      if (isStopped) throw new Interrupted(forget());
      if (line === undefined) {
        shell.stderr.write("\n");
        throw new SetupError("the question was not answered", "answer y or n, or add --no-input to be asked nothing");
      }
      if (line.trim() === "") return fallback;
      const [, yes, no] = /^\s*(?:(y|yes)|(n|no))\s*$/i.exec(line) ?? [];
      if (yes ?? no) return yes !== undefined;
    }
  } finally {
    forget();
    lines.close();
  }
}

/** Nothing when there will be no further line. */
const nextLine = (lines: Interface): Promise<string | undefined> =>
  new Promise((resolve) => lines.once("line", resolve).once("close", () => resolve(undefined)));
