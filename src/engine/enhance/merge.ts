import type { Found, PageMetadata, ReadMetadata, Topic } from "../../core/records.ts";
import type { PageToFill } from "../../store/index.ts";

export interface Merged {
  readonly metadata: PageMetadata;
  /** Fields that had no value before, by their public names. */
  readonly fieldsAdded: readonly string[];
  /** Whether any visible value changed. */
  readonly isChanged: boolean;
}

/** The same limit as in a crawl. */
const MAX_TOPICS = 10;
/** Derived from the main text, so always replaced together with it. */
const COUNT_FIELDS = ["wordCount", "readingTime"] as const;

/**
 * How to treat existing values. `keep` adds missing ones; `overwrite` takes the new ones, and keeps those that the page no longer gives;
 * `replace` gives what a crawl with metadata would have stored. The user's own topics always stay.
 */
export type MergeMode = "keep" | "overwrite" | "replace";

/** Merges stored metadata with newly extracted values. */
export function merge({ metadata }: Pick<PageToFill, "metadata">, { values }: ReadMetadata, mode: MergeMode): Merged {
  const force = mode !== "keep";
  const known = mode === "replace" ? modelValues(metadata) : metadata;
  const topics = mergeTopics(metadata.topics, values.topics, mode);
  const counts = Object.fromEntries(COUNT_FIELDS.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  const merged: PageMetadata = { ...(force ? { ...known, ...values } : { ...values, ...known }), ...(topics && { topics }), ...counts };
  return mergeResult(merged, metadata, values);
}

/** Values from a language model are kept, because they cannot be extracted again. */
const modelValues = (known: PageMetadata): PageMetadata =>
  Object.fromEntries(Object.entries(known).filter(([, { source }]) => source.startsWith("model:")));

function mergeResult(merged: PageMetadata, known: PageMetadata, values: PageMetadata): Merged {
  const fields = Object.keys({ ...known, ...merged }) as (keyof PageMetadata)[];
  const added = fields.filter((field) => !(field in known) && !COUNT_FIELDS.some((count) => count === field));
  const hasText = values.wordCount !== undefined && known.wordCount === undefined;
  return {
    metadata: merged,
    fieldsAdded: hasText ? [...added, "text"] : added,
    isChanged: hasText || fields.some((field) => JSON.stringify(merged[field]?.value) !== JSON.stringify(known[field]?.value)),
  };
}

/** Source of topics that the user gave as an option. */
export const USER_SOURCE = "user";

function userTopicsOf({ value, source, ...rest }: Found<readonly Topic[]>): Found<readonly Topic[]> | undefined {
  const userTopics = value.filter((topic) => topic.source === USER_SOURCE);
  return userTopics.length > 0 ? { ...rest, value: userTopics, source: USER_SOURCE } : undefined;
}

function mergeTopics(known: PageMetadata["topics"], read: PageMetadata["topics"], mode: MergeMode): Found<readonly Topic[]> | undefined {
  if (!known) return read;
  if (!read) return mode === "replace" ? userTopicsOf(known) : known;
  const force = mode !== "keep";
  const kept = force ? known.value.filter(({ source }) => source === USER_SOURCE) : known.value;
  const names = new Set(kept.map(({ name }) => name));
  const more = read.value.filter(({ name }) => !names.has(name));
  const value = [...kept, ...more].slice(0, Math.max(MAX_TOPICS, kept.length));
  const sources = new Set([
    ...(kept.length === 0 ? [] : force ? [USER_SOURCE] : known.source.split("+")),
    ...(more.length > 0 ? read.source.split("+") : []),
  ]);
  const { confidence } = force ? read : known;
  return { value, source: [...sources].join("+"), ...(confidence !== undefined && { confidence }) };
}
