import { type ExtractOptions, fieldNames, imageSize, metadataOf, viewTree } from "../../analysis/extract/index.ts";
import { type ParsedDocument, parseDocument, readTree } from "../../analysis/parse/index.ts";
import type { Found, MetaCandidate, Metadata, PageVerdict, StructuredData, Topic } from "../../core/records.ts";

export { extractionLine } from "../../analysis/extract/index.ts";

/** A field as shown to programs and people. */
export interface ShownField<T> {
  /** Null only if sources are shown: there were candidates, but none was taken. */
  readonly value: T | null;
  readonly source: string;
  /** Confidence 0–1, if the value was weighed against others. */
  readonly confidence?: number;
  /** The other candidates, best first; only if sources are shown. */
  readonly candidates?: readonly MetaCandidate<T>[];
}

/** A page's metadata. Unknown fields are absent. */
export interface ShownMetadata {
  readonly title?: ShownField<string>;
  readonly description?: ShownField<string>;
  /** With its size in pixels, if known. */
  readonly image?: ShownField<string> & { readonly width?: number | undefined; readonly height?: number | undefined };
  readonly author?: ShownField<readonly string[]>;
  readonly publishedAt?: ShownField<string>;
  readonly modifiedAt?: ShownField<string>;
  readonly lang?: ShownField<string>;
  readonly siteName?: ShownField<string>;
  readonly canonical?: ShownField<string>;
  readonly topics?: ShownField<readonly Topic[]>;
  /** The whole main text. */
  readonly text?: ShownField<string>;
  /** Words of the main text. */
  readonly wordCount?: ShownField<number>;
  /** Minutes. */
  readonly readingTime?: ShownField<number>;
  readonly verdict?: ShownField<PageVerdict>;
  /** Structured data: JSON-LD, microdata, RDFa, Open Graph and Twitter. */
  readonly structured?: ShownField<StructuredData>;
}

export const metadataFields = [
  ...fieldNames,
  "text",
  "wordCount",
  "readingTime",
  "verdict",
  "structured",
] as const satisfies readonly (keyof ShownMetadata)[];
export type MetadataField = (typeof metadataFields)[number];

/** The main text and the structured data are a hundred times as long as the rest, so they are included only if named. */
export const usualFields: readonly MetadataField[] = metadataFields.filter((field) => field !== "text" && field !== "structured");

export interface ShowOptions {
  readonly fields?: readonly MetadataField[] | undefined;
  /** Whether to include the other candidates, and why they were rejected. */
  readonly showSources?: boolean | undefined;
  readonly maxTopics?: number | undefined;
}

export function shownMetadata(metadata: Metadata, how: ShowOptions = {}): ShownMetadata {
  const { fields = usualFields, showSources = false, maxTopics } = how;
  const { source, value: text } = metadata.text;
  const all: Required<ShownMetadata> = {
    ...metadata,
    topics: { ...metadata.topics, value: metadata.topics.value?.slice(0, maxTopics) ?? null },
    wordCount: { value: text === null ? null : metadata.wordCount, source },
    readingTime: { value: text === null ? null : metadata.readingTime, source },
    structured: structuredField(metadata.structured),
  };
  const shown = fields.flatMap((name) => {
    const { candidates = [], ...found } = all[name];
    if (showSources && candidates.length > 0) return [[name, { ...found, candidates }]];
    return found.value === null ? [] : [[name, found]];
  });
  return Object.fromEntries(shown);
}

/** The structured data as one field; null if the page has none. */
function structuredField({ isCut, ...syntaxes }: StructuredData): ShownField<StructuredData> {
  const found = Object.entries(syntaxes).filter(([, values]) => Object.keys(values).length > 0);
  const value = found.length === 0 ? null : { ...syntaxes, isCut };
  return { value, source: found.map(([syntax]) => syntax).join("+") };
}

interface Body {
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}

export interface ExtractSettings extends ExtractOptions {
  readonly now: number;
}

/** Undefined for a binary document. */
export function metadataOfBody({ body, how }: { readonly body: Body; readonly how: ExtractSettings }): Metadata | undefined {
  const document = parseDocument({ ...body, as: "page", embeddedLinks: false, withTree: true });
  return document.type === "binary" ? undefined : metadataOfDocument(document, body.url, how);
}

/** HTML goes through the extractor; for other documents the values that the parser found are used. */
export function metadataOfDocument(document: ParsedDocument, url: string, { now, ...options }: ExtractSettings): Metadata {
  const { type, charset, title, description, lang, text, tree = readTree("") } = document;
  const view = viewTree(tree, { url, charset, now });
  const { metadata } = metadataOf(view, options);
  if (type === "html") {
    const image = { ...metadata.image, ...(metadata.image.value !== null && imageSize(view, metadata.image.value)) };
    return { ...metadata, image, ...(title && metadata.title.value === null && { title: certain(title) }) };
  }
  return {
    ...metadata,
    ...(title && { title: certain(title) }),
    ...(description && { description: certain(description) }),
    ...(lang && { lang: certain(lang) }),
    text: certain({ value: text === "" ? null : text, source: text === "" ? "" : type }),
  };
}

const certain = <T>(found: Found<T>) => ({ ...found, confidence: found.confidence ?? 1, candidates: [] });
