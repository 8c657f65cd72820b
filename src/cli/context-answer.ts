import type { MadeContext } from "../operations/context.ts";
import {
  type ContextFormat,
  type ContextShape,
  contextJson,
  contextLlms,
  contextMarkdown,
  type SectionName,
} from "../operations/context-forms.ts";
import { openAnswer } from "./answer.ts";
import type { Globals } from "./globals.ts";
import { outputPath } from "./output.ts";
import type { Shell } from "./shell.ts";

export interface ContextFlags extends Globals, Readonly<Record<string, unknown>> {
  readonly follow: boolean;
  readonly maxLinks: number;
  readonly minScore: number;
  readonly sections?: readonly SectionName[];
  readonly maxTokens?: number;
  readonly format?: ContextFormat;
}

/** Checks the output file and format before any request is sent. */
export function openContextAnswer(flags: ContextFlags, shell: Shell) {
  const isNamedJson = flags.format === undefined && /\.json$/i.test(outputPath(flags) ?? "");
  const isDocument = flags.json === true || flags.format === "json" || isNamedJson;
  const answer = openAnswer(shell, { ...flags, json: isDocument }, isDocument ? "document" : "raw");
  const give = async ({ id, url, pack }: MadeContext) => {
    const shape: ContextShape = flags;
    if (isDocument) return answer({ text: "", document: { id, url, ...contextJson(pack, shape) } });
    await answer({ text: flags.format === "llms" ? contextLlms(pack, shape) : contextMarkdown(pack, shape) });
  };
  return { isDocument, give };
}
