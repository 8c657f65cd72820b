import { csvHeader, jsonLine } from "../../engine/formats/index.ts";
import { csvText } from "./answer.ts";
import type { Globals } from "./globals.ts";
import { checkHeader, type Output, type OutputPlan, openOutput, planOutput } from "./output.ts";
import { jsonDocument, paragraph, type Shell, stderrPrinter, write } from "./shell.ts";

/** How a record is written in forms other than JSON. */
export interface RecordShape<T> {
  /** Name of the records in a document. */
  readonly name: string;
  readonly row: (record: T) => Record<string, unknown>;
  /** Text for people: one line, or several lines with an empty line between records. */
  readonly lines: (record: T) => readonly string[];
}

export interface RecordSink<T> {
  /** Undefined for standard output. */
  readonly plan: OutputPlan | undefined;
  /** Nothing is written before, so that a mistake changes nothing. */
  open(): void;
  add(record: T): Promise<void>;
  /** `rest`: further fields of the document. */
  close(rest?: object): Promise<void>;
}

/** Writes records as they arrive: lines for people on a terminal, JSON lines for programs; a JSON document is written at the end. */
export function openRecordSink<T extends object>(shell: Shell, flags: Globals, shape: RecordShape<T>): RecordSink<T> {
  const plan = planOutput(flags, { formats: ["jsonl", "csv", "json", "txt"] });
  const format = plan?.format ?? (flags.json ? "json" : shell.stdout.isTTY ? "txt" : "jsonl");
  const records: T[] = [];
  let output: Output | undefined;
  let isFirst = true;
  const writeText = async (text: string) => (output ? output.write(text) : write(shell.stdout, text));
  const linesText = (lines: readonly string[]) => (isFirst || lines.length === 1 ? "" : "\n") + paragraph(lines);
  let isChecked = false;
  const csvRow = async (row: Record<string, unknown>) => {
    if (plan && !isChecked) checkHeader(plan, csvHeader(Object.keys(row)));
    isChecked = true;
    return csvText([row], isFirst);
  };
  return {
    plan,
    open: () => {
      output = plan && openOutput(plan, stderrPrinter(shell));
      isFirst = output?.isNew ?? true;
    },
    add: async (record) => {
      if (format === "json") records.push(record);
      else if (format === "jsonl") await writeText(jsonLine(record));
      else if (format === "csv") await writeText(await csvRow(shape.row(record)));
      else await writeText(linesText(shape.lines(record)));
      isFirst = false;
    },
    close: async (rest = {}) => {
      if (format === "json") await writeText(jsonDocument({ ...rest, [shape.name]: records }));
      output?.close();
    },
  };
}
