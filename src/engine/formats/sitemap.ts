/** Sitemaps of stored pages (sitemaps.org): files within the size limits, and an index if there are several. */
import { xmlText } from "./xml.ts";

export interface SitemapPage {
  readonly url: string;
  /** When the current content was first seen, ISO 8601. */
  readonly changedAt: string;
}

/** Limits for one file; further pages go into the next. */
export const SITEMAP_URLS = 50_000;
export const SITEMAP_BYTES = 50 * 1024 * 1024;
/** Longer URLs are not allowed in a sitemap. */
const MAX_URL = 2047;

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export const SITEMAP_HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMESPACE}>\n`;
export const SITEMAP_END = "</urlset>\n";

export function sitemapEntry({ url, changedAt }: SitemapPage): string | undefined {
  return url.length > MAX_URL ? undefined : `<url><loc>${xmlText(url)}</loc><lastmod>${changedAt}</lastmod></url>\n`;
}

export function sitemapIndex(urls: readonly string[]): string {
  const entries = urls.map((url) => `<sitemap><loc>${xmlText(url)}</loc></sitemap>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${NAMESPACE}>\n${entries.join("")}</sitemapindex>\n`;
}
