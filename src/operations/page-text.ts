import type { App } from "../app.ts";
import type { DocumentType, Page } from "../records.ts";
import type { Version } from "../store/index.ts";
import { repeatedOn } from "./boilerplate.ts";
import { mainPart } from "./page-forms.ts";

/** What a stored page says, without what stands on every page of its site. */
export interface PageText {
  readonly type: DocumentType;
  /** The version it was read from: `fetchedAt` is when that was first seen. */
  readonly version: Version;
  markdown(): string;
  text(): string;
}

/** Reads stored pages; undefined where the body is not stored or has no words. */
export function pageTexts(app: App): (page: Page) => Promise<PageText | undefined> {
  const repeated = new Map<number, ReturnType<typeof repeatedOn>>();
  return async (page) => {
    const [version] = await app.store.versions(page.id);
    const bytes = version?.bodyHash ? await app.store.bodyOnce(version.bodyHash) : undefined;
    if (!version || !bytes) return undefined;
    if (!repeated.has(page.siteId)) repeated.set(page.siteId, repeatedOn(app, page.siteId));
    const body = { url: page.url, bytes, contentType: page.contentType ?? undefined };
    const main = await mainPart(body, page.metadata.title?.value, await repeated.get(page.siteId));
    return main && { version, ...main };
  };
}
