import type { Mention } from "./mention.ts";

/** Depth of nested sitemap indexes. The protocol allows no nesting. */
export const MAX_SITEMAP_DEPTH = 3;
/** `Sitemap:` lines read per robots.txt. */
export const MAX_SITEMAP_LINES = 100;
/** Indexes allowed besides sitemaps that name at least one page each. */
const MAX_EXTRA_SITEMAPS = 10;

/** Limits sitemaps: they can name each other without end, and none of them counts as a page. */
export class SitemapLimits {
  readonly #limit: number;
  readonly #maxPages: number;
  readonly #accepted = new Map<number, number>();

  constructor({ maxSitemaps, maxPages }: { readonly maxSitemaps: number; readonly maxPages: number }) {
    this.#limit = maxSitemaps;
    this.#maxPages = maxPages;
  }

  /** Why a new sitemap is not read; undefined if it is. */
  refuse({ via, hops, isSurplus: isOverLimit }: Mention, siteId: number): string | undefined {
    if (via !== "sitemap") return undefined;
    if (isOverLimit) return `its robots.txt names more than ${MAX_SITEMAP_LINES} sitemaps`;
    if (hops > MAX_SITEMAP_DEPTH) return `an index in more than ${MAX_SITEMAP_DEPTH} other indexes names it`;
    const accepted = this.#accepted.get(siteId) ?? 0;
    if (accepted >= this.#limit) return `its site has more sitemaps than --max-sitemaps ${this.#limit}`;
    if (accepted >= this.#maxPages + MAX_EXTRA_SITEMAPS) return `its site has more sitemaps than --max-pages ${this.#maxPages} has use for`;
    this.#accepted.set(siteId, accepted + 1);
    return undefined;
  }
}
