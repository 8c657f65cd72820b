import type { DocumentType, Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import type { Version } from "../../store/index.ts";
import { repeatedBlocksOf } from "../fetch-page/boilerplate.ts";
import { readPage } from "./page-reader.ts";

/** The text of a stored page, without blocks that repeat on its site. */
export interface PageText {
  readonly type: DocumentType;
  /** The version it comes from; `fetchedAt` is when that version was first seen. */
  readonly version: Version;
  readonly written: string;
}

/** Reads stored pages; undefined if the body is not stored, has no text, or cannot be read. */
export function pageTexts(app: App, form: "markdown" | "text"): (page: Page) => Promise<PageText | undefined> {
  const repeated = new Map<number, ReturnType<typeof repeatedBlocksOf>>();
  return async (page) => {
    const [version] = await app.store.versions(page.id);
    const bytes = version?.bodyHash ? await app.store.bodyUncached(version.bodyHash) : undefined;
    if (!version || !bytes) return undefined;
    if (!repeated.has(page.siteId)) repeated.set(page.siteId, repeatedBlocksOf(app, page.siteId));
    const body = { url: page.url, bytes, contentType: page.contentType ?? undefined };
    const wanted = { body, form, title: page.metadata.title?.value, repeated: await repeated.get(page.siteId) };
    const main = await readPage(app, "main", wanted, [bytes]);
    return "answer" in main && main.answer ? { version, ...main.answer } : undefined;
  };
}
