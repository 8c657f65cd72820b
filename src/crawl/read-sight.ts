import { verdictOf, viewTree } from "../extract/index.ts";
import type { ParsedDocument } from "../parse/index.ts";
import type { PageSight, ReadMetadata } from "../records.ts";
import type { ReadJob } from "./read-setup.ts";

/** The page's verdict and amount of text, also in runs without metadata. */
export function sightOf(document: ParsedDocument, { url, now }: ReadJob, said: ReadMetadata | undefined): PageSight {
  const { tree, charset, text, hasScripts } = document;
  const verdict = said?.verdict ?? (tree && verdictOf(viewTree(tree, { url, charset, now }), text.length));
  return { verdict: verdict?.value ?? "ok", letters: text.length, hasScripts };
}
