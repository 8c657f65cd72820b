import type { Page } from "../../core/records.ts";
import type { App } from "../../engine/app.ts";
import type { Version } from "../../store/index.ts";
import { repeatedBlocksOf } from "../fetch-page/boilerplate.ts";
import { readPage } from "./page-reader.ts";

export const contentForms = ["markdown", "text", "html", "raw"] as const;
export type ContentForm = (typeof contentForms)[number];

export interface PageContent {
  readonly version: Version;
  /** Undefined if the body is not stored, has no text, or cannot be read. */
  readonly body: string | Uint8Array | undefined;
  /** Why it cannot be read. */
  readonly trouble?: string;
}

/** A stored page in one form: its main part as text, or the original body. Undefined if there is no such version. */
export async function pageContent(
  app: App,
  page: Pick<Page, "id" | "siteId" | "url" | "contentType" | "metadata">,
  form: ContentForm,
  { number, signal }: { readonly number?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<PageContent | undefined> {
  const versions = await app.store.versions(page.id);
  const version = number === undefined ? versions[0] : versions.find((one) => one.number === number);
  if (!version) return undefined;
  const bytes = version.bodyHash === null ? undefined : await app.store.body(version.bodyHash);
  if (!bytes || form === "raw") return { version, body: bytes };
  const body = { url: page.url, bytes, contentType: page.contentType ?? undefined };
  const wanted = { body, form, title: version.metadata.title?.value, repeated: await repeatedBlocksOf(app, page.siteId) };
  const main = await readPage(app, "main", wanted, [bytes], signal);
  return "error" in main ? { version, body: undefined, trouble: main.error } : { version, body: main.answer?.written };
}
