/** A sitemap of what is stored (sitemaps.org): files of at most 50,000 URLs, and an index over them where there is more than one. */
import { xmlText } from "./xml.ts";

export interface SitemapPage {
  readonly url: string;
  /** When what it says was first seen. */
  readonly changedAt: string;
}

/** Of one file; the rest goes into the next. */
export const SITEMAP_URLS = 50_000;

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export async function* sitemap(pages: AsyncIterable<SitemapPage>): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMESPACE}>\n`;
  for await (const { url, changedAt } of pages) yield `<url><loc>${xmlText(url)}</loc><lastmod>${changedAt}</lastmod></url>\n`;
  yield "</urlset>\n";
}

export function sitemapIndex(names: readonly string[]): string {
  const entries = names.map((name) => `<sitemap><loc>${xmlText(name)}</loc></sitemap>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${NAMESPACE}>\n${entries.join("")}</sitemapindex>\n`;
}
