import type { Page } from "../../core/records.ts";
import type { PageLinks, PageWith } from "./plugin.ts";

/**
 * A page with its data and links. `links` and `allData` are not enumerable, because the JSON record already contains the best links and
 * the data.
 */
export function pageWith<Data>(page: Page, data: Data, allData: () => object = () => ({ ...(data as object) })): PageWith<Data> {
  const links: PageLinks = { top: (limit) => (page.topLinks ?? []).slice(0, Math.max(0, limit)) };
  const seen = { ...page, data };
  return Object.defineProperties(seen, { links: { value: links }, allData: { get: allData } }) as typeof seen & PageWith<Data>;
}
