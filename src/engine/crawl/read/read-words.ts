import type { ParsedDocument } from "../../../analysis/parse/index.ts";
import { MAX_INDEXED_LENGTH, words } from "../../../analysis/search/index.ts";
import type { DocumentType, PageWords } from "../../../core/records.ts";
import type { MetadataReading } from "./read-metadata.ts";

const TEXT_TYPES: readonly DocumentType[] = ["html", "markdown", "text"];

/** The text for the search index: title and main text or, if the main text is uncertain, all text outside the site's landmarks. */
export function searchWordsOf({ type, title, text }: ParsedDocument, extracted: MetadataReading | undefined): PageWords | undefined {
  if (!TEXT_TYPES.includes(type)) return undefined;
  const named = extracted?.metadata.values.title?.value ?? title?.value ?? "";
  return { title: words(named), text: words((extracted?.mainText ?? text).slice(0, MAX_INDEXED_LENGTH)) };
}
