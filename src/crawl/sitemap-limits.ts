import type { Mention } from "./mention.ts";

/** Depth of nested sitemap indexes. The protocol allows no nesting. */
export const DEEPEST_SITEMAP = 3;
/** `Sitemap:` lines read per robots.txt. */
export const MOST_SITEMAP_LINES = 100;
/** Indexes allowed besides sitemaps that name at least one page each. */
const MOST_WITHOUT_PAGES = 10;

/** Limits sitemaps: they can name each other without end, and none of them counts as a page. */
export class SitemapLimits {
  readonly #most: number;
  readonly #maxPages: number;
  readonly #heard = new Map<number, number>();

  constructor({ maxSitemaps, maxPages }: { readonly maxSitemaps: number; readonly maxPages: number }) {
    this.#most = maxSitemaps;
    this.#maxPages = maxPages;
  }

  /** Why a new sitemap is not read; undefined if it is. */
  refuse({ via, hops, isSurplus }: Mention, siteId: number): string | undefined {
    if (via !== "sitemap") return undefined;
    if (isSurplus) return `its robots.txt names more than ${MOST_SITEMAP_LINES} sitemaps`;
    if (hops > DEEPEST_SITEMAP) return `an index in more than ${DEEPEST_SITEMAP} other indexes names it`;
    const heard = this.#heard.get(siteId) ?? 0;
    if (heard >= this.#most) return `its site has more sitemaps than --max-sitemaps ${this.#most}`;
    if (heard >= this.#maxPages + MOST_WITHOUT_PAGES) return `its site has more sitemaps than --max-pages ${this.#maxPages} has use for`;
    this.#heard.set(siteId, heard + 1);
    return undefined;
  }
}
