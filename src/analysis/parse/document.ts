/** The parsed contents of a document, before any decision about them. */

import type { DocumentType, Found, LinkKind, SitemapEntry } from "../../core/records.ts";
import type { HtmlElement } from "./html-tree.ts";
import { cut } from "./markdown/tidy.ts";

export interface ParsedLink {
  /** As written, with entities decoded and white space trimmed. */
  href: string;
  /** Absolute, resolved against the base URL; undefined if it cannot be parsed. */
  url: string | undefined;
  /** Whether the href, prefixed with the origin if it is a path, is exactly both the URL to fetch and its comparison key. */
  isPlain: boolean;
  kind: LinkKind;
  text: string;
  title: string;
  heading: string;
  block: string;
  rel: string;
  position: number;
}

export interface ParsedDocument {
  type: DocumentType;
  charset: string;
  base: string;
  title: Found<string> | undefined;
  description: Found<string> | undefined;
  pageType: Found<string> | undefined;
  lang: Found<string> | undefined;
  canonical: string | undefined;
  /** Meta robots, and meta elements that address a single robot. */
  robots: { name: string; content: string }[];
  refresh: { seconds: number; url: string | undefined } | undefined;
  links: ParsedLink[];
  /** The main text: blocks joined with newlines. */
  text: string;
  blocks: string[];
  hasScripts: boolean;
  looksScripted: boolean;
  /** For HTML, if requested. */
  tree: HtmlElement | undefined;
  sitemap: { pages: SitemapEntry[]; sitemaps: SitemapEntry[] } | undefined;
}

/** Limit in characters for the text kept with a link. */
export const CONTEXT = 200;

export function emptyDocument(type: DocumentType, charset: string, base: string): ParsedDocument {
  return {
    type,
    charset,
    base,
    title: undefined,
    description: undefined,
    pageType: undefined,
    lang: undefined,
    canonical: undefined,
    robots: [],
    refresh: undefined,
    links: [],
    text: "",
    blocks: [],
    hasScripts: false,
    looksScripted: false,
    tree: undefined,
    sitemap: undefined,
  };
}

/** Longer URLs are cut and not resolved: a data: URL of ten megabytes is not worth keeping. */
export const MAX_HREF = 8192;

/** `href` as written; NUL becomes the replacement letter, as in a browser (WHATWG HTML §13.2.5). */
export function newLink(kind: LinkKind, href: string, position: number): ParsedLink {
  const written = cut(href.trim(), MAX_HREF);
  const kept = written.includes("\0") ? written.replaceAll("\0", "\ufffd") : written;
  return { href: kept, url: undefined, isPlain: false, kind, text: "", title: "", heading: "", block: "", rel: "", position };
}
