import { verdictOf, viewTree } from "../../../analysis/extract/index.ts";
import type { ParsedDocument } from "../../../analysis/parse/index.ts";
import type { PageCheck, ReadMetadata } from "../../../core/records.ts";
import type { ReadJob } from "./read-setup.ts";

/** The page's verdict and amount of text, also in runs without metadata. */
export function checkPage(document: ParsedDocument, { url, now }: ReadJob, extracted: ReadMetadata | undefined): PageCheck {
  const { tree, charset, text, hasScripts } = document;
  const verdict = extracted?.verdict ?? (tree && verdictOf(viewTree(tree, { url, charset, now }), text.length));
  return { verdict: verdict?.value ?? "ok", letters: text.length, hasScripts };
}
