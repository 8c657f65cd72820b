import type { FetchedPage } from "../../../features/fetch-page/fetch-page.ts";

/** A fetched page as JSON, without headers and raw bytes. */
export const pageJson = ({ headers: _, raw: __, ...page }: FetchedPage) => ({ ...page, isCut: false });

/** The same without the long fields. */
export function withoutTexts({ markdown: _, html: __, text: ___, links: ____, ...page }: ReturnType<typeof pageJson>) {
  return { ...page, isCut: true };
}
