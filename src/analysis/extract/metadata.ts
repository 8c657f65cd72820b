/** Extracts all fields from one view of a page. */
import type { Metadata } from "../../core/records.ts";
import { canonicalOf } from "./canonical.ts";
import { datesOf } from "./dates/dates.ts";
import { descriptionOf } from "./description/description.ts";
import { imageOf } from "./image/image.ts";
import { langOf } from "./language/language.ts";
import { type MainText, mainTextOf } from "./main-text.ts";
import type { PageView } from "./page-view.ts";
import { authorOf } from "./people/author.ts";
import { siteNameOf } from "./site-name.ts";
import { structuredOf } from "./structured/structured-data.ts";
import { wordsIn } from "./text/wording.ts";
import { titleOf } from "./title/title.ts";
import { topicsOf } from "./topics/topics.ts";
import { verdictOf } from "./verdict.ts";

export interface ExtractOptions {
  /** How a value is chosen: by weighing all evidence, or by the fixed orders of docs/metadata.md. */
  readonly cascade?: "weighed" | "classic";
  /** Topics that the user has defined for the site. */
  readonly topics?: readonly string[];
}

export interface Extracted {
  readonly metadata: Metadata;
  readonly main: MainText;
}

/** Words per minute. */
const WORDS_PER_MINUTE = 200;

export function metadataOf(page: PageView, { cascade = "weighed", topics = [] }: ExtractOptions = {}): Extracted {
  const main = mainTextOf(page, cascade);
  const wordCount = wordsIn(main.wordings);
  const metadata: Metadata = {
    title: titleOf(page, cascade),
    description: descriptionOf(page, cascade),
    image: imageOf(page, cascade),
    author: authorOf(page, cascade),
    ...datesOf(page, cascade),
    lang: langOf(page, main, cascade),
    siteName: siteNameOf(page, cascade),
    canonical: canonicalOf(page, cascade),
    topics: topicsOf(page, main, topics, cascade),
    text: main.field,
    wordCount,
    readingTime: Math.ceil(wordCount / WORDS_PER_MINUTE),
    verdict: verdictOf(page, main.field.value?.length ?? 0),
    structured: structuredOf(page),
  };
  return { metadata, main };
}
