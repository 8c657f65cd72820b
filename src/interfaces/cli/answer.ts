import { csv, csvHeader, jsonLine } from "../../engine/formats/index.ts";
import type { Globals } from "./globals.ts";
import { checkHeader, type OutputFormat, openOutput, planOutput } from "./output.ts";
import { jsonDocument, type Shell, safeForStream, stderrPrinter, write } from "./shell.ts";

/** The result of a command, in the output forms it supports. */
export interface Answer {
  /** Text for people. */
  readonly text: string | Uint8Array;
  /** For `--json` and files ending in .json. */
  readonly document?: object;
  /** For lists: the full records, and the rows of a table. */
  readonly records?: readonly object[];
  readonly rows?: readonly Record<string, unknown>[];
}

const forms = {
  one: ["json", "txt"],
  list: ["json", "jsonl", "csv", "txt"],
  raw: ["txt"],
  document: ["json"],
} as const satisfies Record<string, readonly OutputFormat[]>;

/** Checks the output file before the command does any work, so that a mistake changes nothing. */
export function openAnswer(shell: Shell, flags: Globals, kind: keyof typeof forms): (answer: Answer) => Promise<void> {
  const plan = planOutput(flags, { formats: forms[kind] });
  return async (answer) => {
    const text = kind === "raw" ? safeForStream(shell.stdout, answer.text) : answer.text;
    if (!plan) return write(shell.stdout, flags.json && answer.document ? jsonDocument(answer.document) : text);
    const [row] = answer.rows ?? [];
    if (row) checkHeader(plan, csvHeader(Object.keys(row)));
    const output = openOutput(plan, stderrPrinter(shell));
    try {
      output.write(await formatAnswer(plan.format, answer, output.isNew));
    } finally {
      output.close();
    }
  };
}

async function formatAnswer(format: OutputFormat, { text, document = {}, records = [], rows = [] }: Answer, isNew: boolean) {
  switch (format) {
    case "json":
      return jsonDocument(document);
    case "jsonl":
      return records.map(jsonLine).join("");
    case "csv":
      return csvText(rows, isNew);
    case "txt":
    case "xml":
      return text;
    default:
      return format satisfies never;
  }
}

export async function csvText(rows: readonly Record<string, unknown>[], withHeader: boolean): Promise<string> {
  let text = "";
  for await (const part of csv(toAsync(rows), withHeader)) text += part;
  return text;
}

async function* toAsync<T>(items: readonly T[]) {
  yield* items;
}
