import type { ParsedDocument } from "../parse/index.ts";
import type { DocumentType, PageWords } from "../records.ts";
import { MOST_TEXT, words } from "../search/index.ts";
import type { MetadataReading } from "./read-metadata.ts";

const TEXTS: readonly DocumentType[] = ["html", "markdown", "text"];

/** What a page is to be found by: its title, and its main text or, where that is not sure, all that is no landmark of the site. */
export function wordsOf({ type, title, text }: ParsedDocument, said: MetadataReading | undefined): PageWords | undefined {
  if (!TEXTS.includes(type)) return undefined;
  const named = said?.metadata.values.title?.value ?? title?.value ?? "";
  return { title: words(named), text: words((said?.mainText ?? text).slice(0, MOST_TEXT)) };
}
