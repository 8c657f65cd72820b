import type { App } from "../app.ts";
import type { Page } from "../records.ts";
import type { Version } from "../store/index.ts";
import { repeatedOn } from "./boilerplate.ts";
import { mainPart } from "./page-forms.ts";

export const contentForms = ["markdown", "text", "html", "raw"] as const;
export type ContentForm = (typeof contentForms)[number];

export interface PageContent {
  readonly version: Version;
  /** Undefined where the body is not stored, or has no words. */
  readonly body: string | Uint8Array | undefined;
}

/** A stored page in one form: its main part in words, or the body as it came. Undefined where there is no such version. */
export async function pageContent(
  app: App,
  page: Pick<Page, "id" | "siteId" | "url" | "contentType" | "metadata">,
  form: ContentForm,
  number?: number,
): Promise<PageContent | undefined> {
  const versions = await app.store.versions(page.id);
  const version = number === undefined ? versions[0] : versions.find((one) => one.number === number);
  if (!version) return undefined;
  const bytes = version.bodyHash === null ? undefined : await app.store.body(version.bodyHash);
  if (!bytes || form === "raw") return { version, body: bytes };
  const body = { url: page.url, bytes, contentType: page.contentType ?? undefined };
  const main = await mainPart(body, version.metadata.title?.value, await repeatedOn(app, page.siteId));
  return { version, body: main?.[form]() };
}
