import type { ParsedDocument } from "../parse/index.ts";
import type { DocumentType, PageWords } from "../records.ts";
import { MOST_TEXT, words } from "../search/index.ts";
import type { MetadataReading } from "./read-metadata.ts";

const TEXTS: readonly DocumentType[] = ["html", "markdown", "text"];

/** The text for the search index: title and main text or, if the main text is uncertain, all text outside the site's landmarks. */
export function wordsOf({ type, title, text }: ParsedDocument, said: MetadataReading | undefined): PageWords | undefined {
  if (!TEXTS.includes(type)) return undefined;
  const named = said?.metadata.values.title?.value ?? title?.value ?? "";
  return { title: words(named), text: words((said?.mainText ?? text).slice(0, MOST_TEXT)) };
}
