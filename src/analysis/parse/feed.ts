/** A feed fetched as a page: its entries are links with their titles as text. */
import { emptyDocument, newLink, type ParsedDocument } from "./document.ts";
import { readEntries } from "./entries.ts";
import { baseInForce, createResolver } from "./resolve.ts";

const MAX_ENTRIES = 10_000;

/** The date of an entry is used as its page's modification date, as in a sitemap. */
const dated = (url: string | undefined, lastmod: number | undefined) =>
  url === undefined || lastmod === undefined ? [] : [{ url, lastmod }];

export function parseFeed(xml: string, options: { url: string; charset: string }): ParsedDocument {
  const { title, entries } = readEntries(xml, MAX_ENTRIES);
  const base = baseInForce(options.url, undefined, options.charset);
  const resolve = createResolver(base, "utf-8");
  const blocks = entries.map((entry) => entry.title).filter((text) => text !== "");
  return {
    ...emptyDocument("feed", options.charset, base),
    title: title === "" ? undefined : { value: title, source: "title" },
    links: entries.map((entry, position) => ({
      ...newLink("feed", entry.url, position),
      url: resolve(entry.url),
      text: entry.title,
      block: entry.title,
      heading: title,
    })),
    sitemap: { pages: entries.flatMap(({ url, lastmod }) => dated(resolve(url), lastmod)), sitemaps: [] },
    text: blocks.join("\n"),
    blocks,
  };
}
