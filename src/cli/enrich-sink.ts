import { jsonLine } from "../export/index.ts";
import { type Enriched, type EnrichedUrl, withShown } from "../operations/enrich.ts";
import { usualFields } from "../operations/page-metadata.ts";
import { csvText } from "./answer.ts";
import type { EnrichFlags } from "./enrich.ts";
import { metadataLines, valueText } from "./metadata-lines.ts";
import { type Output, openOutput, planOutput } from "./output.ts";
import { inert, jsonDocument, paragraph, type Shell, write } from "./shell.ts";

export interface EnrichSink {
  open(): Promise<void>;
  add(one: EnrichedUrl): Promise<void>;
  close(): Promise<void>;
}

/** Records as they are known: lines for people on a terminal, JSON lines for programs; a document is written when it is whole. */
export function openEnrichSink(shell: Shell, flags: EnrichFlags): EnrichSink {
  const plan = planOutput(flags, { formats: ["jsonl", "csv", "json", "txt"] });
  const format = plan?.format ?? (flags.json ? "json" : shell.stdout.isTTY ? "txt" : "jsonl");
  const records: object[] = [];
  let output: Output | undefined;
  let isFirst = true;
  const put = async (text: string) => (output ? output.write(text) : write(shell.stdout, text));
  return {
    open: async () => {
      output = plan && openOutput(plan);
      isFirst = output?.isNew ?? true;
    },
    add: async (one) => {
      const record = withShown(one, flags);
      if (format === "json") records.push(record);
      else if (format === "jsonl") await put(inert(jsonLine(record)));
      else if (format === "csv") await put(await csvText([rowOf(record, flags)], isFirst));
      else await put((isFirst ? "" : "\n") + paragraph(linesOf(record)));
      isFirst = false;
    },
    close: async () => {
      if (format === "json") await put(jsonDocument({ urls: records }));
      output?.close();
    },
  };
}

function linesOf({ url, finalUrl, ok, reason, rule, metadata }: Enriched): string[] {
  if (!ok) return [url, `  not read: ${rule || reason}`];
  return [finalUrl === url ? url : `${url} → ${finalUrl}`, ...metadataLines(metadata).map((line) => `  ${line}`)];
}

function rowOf({ metadata, ...one }: Enriched, { fields = usualFields, showSources = false }: EnrichFlags): Record<string, unknown> {
  const cells = fields.flatMap((name) => {
    const { value = null, source = null, confidence = null } = metadata[name] ?? {};
    const cell = typeof value === "number" || value === null ? value : valueText(value);
    const sources = [
      [`${name}Source`, source || null],
      [`${name}Confidence`, confidence],
    ] as const;
    return [[name, cell] as const, ...(showSources ? sources : [])];
  });
  return { ...one, ...Object.fromEntries(cells) };
}
