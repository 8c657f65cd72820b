import type { FetchedPage } from "../operations/fetch-page.ts";

/** A page as the API tells it: text, never bytes. */
export const pageJson = ({ headers: _, raw: __, ...page }: FetchedPage) => ({ ...page, isCut: false });

/** The same without what is long. */
export function withoutTexts({ markdown: _, html: __, text: ___, links: ____, ...page }: ReturnType<typeof pageJson>) {
  return { ...page, isCut: true };
}
