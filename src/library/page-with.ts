import type { Page } from "../records.ts";
import type { PageLinks, PageWith } from "./plugin.ts";

/** A page with its data and its links. The record alone is what JSON holds of it: its best links are in there already. */
export function pageWith<Data>(page: Page, data: Data): PageWith<Data> {
  const links: PageLinks = { top: (most) => (page.topLinks ?? []).slice(0, Math.max(0, most)) };
  const seen = { ...page, data };
  return Object.defineProperty(seen, "links", { value: links }) as typeof seen & { readonly links: PageLinks };
}
