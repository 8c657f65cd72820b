/** Sitemaps (sitemaps.org), and other formats used as sitemaps: RSS, Atom, plain lists of URLs; optionally gzipped. */
import { gunzipSync } from "node:zlib";
import type { SitemapEntry } from "../../core/records.ts";
import { parseHttp } from "../url/index.ts";
import { decodeBytes } from "./charset.ts";
import { type FeedKind, readEntries } from "./entries.ts";
import { wellFormed } from "./markdown/tidy.ts";
import { createResolver } from "./resolve.ts";

/** sitemaps.org: 50,000 URLs and 50 MiB uncompressed. */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 50 * 1024 * 1024;

export interface ParsedSitemap {
  readonly kind: FeedKind | "txt" | undefined;
  readonly charset: string;
  readonly pages: SitemapEntry[];
  readonly sitemaps: SitemapEntry[];
}

export function parseSitemap(bytes: Uint8Array, url: string, contentType?: string): ParsedSitemap {
  const { text, charset } = decodeBytes(unpack(bytes), contentType, "xml");
  const resolve = createResolver(url, "utf-8");
  const { kind, entries } = readEntries(text, MAX_ENTRIES);
  const isText = kind === undefined && !/^\s*</.test(text.slice(0, 1024));
  const found: SitemapEntry[] = [];
  for (const entry of isText ? readLines(text) : entries) {
    const absolute = resolve(wellFormed(entry.url));
    if (absolute !== undefined && /^https?:/.test(absolute)) found.push({ url: absolute, lastmod: entry.lastmod });
  }
  const isIndex = kind === "index";
  return { kind: isText ? "txt" : kind, charset, pages: isIndex ? [] : found, sitemaps: isIndex ? found : [] };
}

/** A .gz file is not a transfer coding, so it has not been decompressed yet. Its content type is not reliable. */
function unpack(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    // Truncated, corrupt, or a decompression bomb: treated as an empty sitemap.
    if (error instanceof Error) return new Uint8Array(0);
    throw error;
  }
}

function readLines(text: string): SitemapEntry[] {
  const entries: SitemapEntry[] = [];
  const line = /^[ \t]*(https?:\/\/\S+)/gim;
  for (let match = line.exec(text); match !== null && entries.length < MAX_ENTRIES; match = line.exec(text)) {
    entries.push({ url: match[1]!, lastmod: undefined });
  }
  return entries;
}

/** sitemaps.org "Sitemap file location": a sitemap is valid for its own folder and those below. */
export function isSitemapLocationValid(sitemapUrl: string, url: string): boolean {
  const sitemap = parseHttp(sitemapUrl);
  const page = parseHttp(url);
  if (!sitemap || !page) return false;
  return page.origin === sitemap.origin && page.pathname.startsWith(sitemap.pathname.slice(0, sitemap.pathname.lastIndexOf("/") + 1));
}
