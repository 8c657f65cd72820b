import type { Found, PageMetadata, ReadMetadata, Topic } from "../records.ts";
import type { PageToFill } from "../store/index.ts";

export interface Merged {
  readonly metadata: PageMetadata;
  /** Fields that had no value before, by their public names. */
  readonly fieldsAdded: readonly string[];
  /** Whether anything anybody could ask for is another than before. */
  readonly isChanged: boolean;
}

/** S2's limit. */
const MOST_TOPICS = 10;
/** These follow from the main text, so they are as new as that. */
const COUNTS = ["wordCount", "readingTime"] as const;

/** What is known of a page, with what was read of it now. Nothing known is overwritten unless forced; topics of the user's own never are. */
export function merge({ metadata: known }: Pick<PageToFill, "metadata">, { values }: ReadMetadata, force: boolean): Merged {
  const topics = mergeTopics(known.topics, values.topics, force);
  const counts = Object.fromEntries(COUNTS.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  const merged: PageMetadata = { ...(force ? { ...known, ...values } : { ...values, ...known }), ...(topics && { topics }), ...counts };
  const fields = Object.keys(merged) as (keyof PageMetadata)[];
  const added = fields.filter((field) => !(field in known) && !COUNTS.some((count) => count === field));
  const hasText = values.wordCount !== undefined && known.wordCount === undefined;
  return {
    metadata: merged,
    fieldsAdded: hasText ? [...added, "text"] : added,
    isChanged: hasText || fields.some((field) => JSON.stringify(merged[field]?.value) !== JSON.stringify(known[field]?.value)),
  };
}

/** Who names a topic that is the user's: it was given as an option. */
export const OWN = "user";

function mergeTopics(known: PageMetadata["topics"], read: PageMetadata["topics"], force: boolean): Found<readonly Topic[]> | undefined {
  if (!known || !read) return read ?? known;
  const kept = force ? known.value.filter(({ source }) => source === OWN) : known.value;
  const names = new Set(kept.map(({ name }) => name));
  const more = read.value.filter(({ name }) => !names.has(name));
  const value = [...kept, ...more].slice(0, Math.max(MOST_TOPICS, kept.length));
  const sources = new Set([...(kept.length > 0 ? known.source.split("+") : []), ...(more.length > 0 ? read.source.split("+") : [])]);
  const { confidence } = force ? read : known;
  return { value, source: [...sources].join("+"), ...(confidence !== undefined && { confidence }) };
}
