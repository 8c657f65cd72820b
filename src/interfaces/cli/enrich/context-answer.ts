import type { MadeContext } from "../../../features/context/context.ts";
import {
  type ContextFormat,
  type ContextShape,
  contextJson,
  contextLlms,
  contextMarkdown,
  type SectionName,
} from "../../../features/context/context-forms.ts";
import { openAnswer } from "../answer.ts";
import type { Globals } from "../globals.ts";
import { outputPath } from "../output.ts";
import type { Shell } from "../shell.ts";

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
  const hasJsonExtension = flags.format === undefined && /\.json$/i.test(outputPath(flags) ?? "");
  const isDocument = flags.json === true || flags.format === "json" || hasJsonExtension;
  const answer = openAnswer(shell, { ...flags, json: isDocument }, isDocument ? "document" : "raw");
  const give = async ({ id, url, pack }: MadeContext) => {
    const shape: ContextShape = flags;
    if (isDocument) return answer({ text: "", document: { id, url, ...contextJson(pack, shape) } });
    await answer({ text: flags.format === "llms" ? contextLlms(pack, shape) : contextMarkdown(pack, shape) });
  };
  return { isDocument, give };
}
