import { createInterface } from "node:readline";
import { SetupError } from "../../engine/config/index.ts";
import type { Globals } from "./globals.ts";
import type { Shell } from "./shell.ts";
import { onStopSignal } from "./stop-signal.ts";

/** Ctrl-C or SIGTERM at a question. Nothing has been changed by then. */
export class Interrupted extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super("interrupted");
    this.exitCode = exitCode;
  }
}

/** True if a person can see a question and answer it. */
export const canAsk = (flags: Globals, { stdin, stderr, env }: Shell): boolean =>
  flags.input !== false && !flags.json && !env.CI && stdin.isTTY && stderr.isTTY && !stdin.readableEnded;

/** Repeats a question until it is answered with yes or no; an empty line selects the default, which is upper case. */
export const askYesNo = (shell: Shell, question: string, fallback: boolean): Promise<boolean> =>
  askQuestions(shell, async (askLine) => {
    for (;;) {
      const line = await askLine(`${question} ${fallback ? "[Y/n]" : "[y/N]"} `);
      if (line === "") return fallback;
      const [, yes, no] = /^(?:(y|yes)|(n|no))$/i.exec(line) ?? [];
      if (yes ?? no) return yes !== undefined;
    }
  });

/** Asks several questions in a row; each answer is one line. */
export async function askQuestions<T>(shell: Shell, dialogue: (askLine: (question: string) => Promise<string>) => Promise<T>): Promise<T> {
  const lines = createInterface({ input: shell.stdin });
  const answers = lines[Symbol.asyncIterator](); // one iterator for all questions, so that lines typed ahead are not lost
  let isStopped = false;
  const stopListening = onStopSignal(() => {
    isStopped = true;
    lines.close();
  });
  try {
    return await dialogue(async (question) => {
      shell.stderr.write(question);
      const { value, done } = await answers.next();
      if (isStopped) throw new Interrupted(stopListening());
      if (!done) return value.trim();
      shell.stderr.write("\n");
      throw new SetupError("the question was not answered", "answer it, or add --no-input to be asked nothing");
    });
  } finally {
    stopListening();
    lines.close();
  }
}
