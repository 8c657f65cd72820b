/** Tasks on the bytes of documents, run on worker threads: bytes in, data out. */
import { parseDocument, parseSitemap } from "../../analysis/parse/index.ts";
import type { AnswerOrError } from "../../core/threads.ts";
import { metadataOfBody } from "../enrich/page-metadata.ts";
import { formsOf, mainPart } from "../fetch-page/page-forms.ts";
import type { PageJob } from "./page-reader.ts";

interface Document {
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly contentType: string | undefined;
}

const tasks = {
  /** A page in the requested forms. */
  forms: formsOf,
  /** Its main part as text. */
  main: mainPart,
  metadata: metadataOfBody,
  /** The differences between two versions of a page. */
  news: async (given: Parameters<typeof import("../changes/page-changes.ts").pageChanges>[0]) =>
    (await import("../changes/page-changes.ts")).pageChanges(given),
  /** Its title, description and text. */
  text: (document: Document) => {
    const { title, description, text, links } = parseDocument({ ...document, as: "page", embeddedLinks: false, withText: true });
    return { title, description, text, links };
  },
  /** Last modification times of pages, from a sitemap. */
  lastmods: ({ bytes, url, contentType }: Document): ReadonlyMap<string, number> =>
    new Map(parseSitemap(bytes, url, contentType).pages.flatMap(({ url, lastmod }) => (lastmod === undefined ? [] : [[url, lastmod]]))),
};

export type PageTasks = typeof tasks;

export async function answerTo({ task, given }: PageJob): Promise<AnswerOrError<unknown>> {
  try {
    return { answer: await (tasks[task] as (given: object) => unknown)(given) };
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) };
  }
}
