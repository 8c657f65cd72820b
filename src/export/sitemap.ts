/** A sitemap of what is stored (sitemaps.org): files of a size that readers take, and an index over them where there is more than one. */
import { xmlText } from "./xml.ts";

export interface SitemapPage {
  readonly url: string;
  /** When what it says was first seen, ISO 8601. */
  readonly changedAt: string;
}

/** Of one file; the rest goes into the next. */
export const SITEMAP_URLS = 50_000;
export const SITEMAP_BYTES = 50 * 1024 * 1024;
/** Longer addresses have no place in a sitemap. */
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
