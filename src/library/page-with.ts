import type { Page } from "../records.ts";
import type { PageLinks, PageWith } from "./plugin.ts";

/** A page with its data and links. `links` is not enumerable, because the JSON record already contains the best links. */
export function pageWith<Data>(page: Page, data: Data): PageWith<Data> {
  const links: PageLinks = { top: (most) => (page.topLinks ?? []).slice(0, Math.max(0, most)) };
  const seen = { ...page, data };
  return Object.defineProperty(seen, "links", { value: links }) as typeof seen & { readonly links: PageLinks };
}
