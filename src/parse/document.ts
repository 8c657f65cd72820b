/** What a document says, before anybody has judged it. */
import type { DocumentType, Found, LinkKind, SitemapEntry } from "../records.ts";

export interface ParsedLink {
  /** As written, entities decoded, white space around it gone. */
  href: string;
  /** Absolute against the base in force; undefined if it cannot be parsed. */
  url: string | undefined;
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
  lang: Found<string> | undefined;
  canonical: string | undefined;
  /** Meta robots, and metas addressed to one robot. */
  robots: { name: string; content: string }[];
  refresh: { seconds: number; url: string | undefined } | undefined;
  links: ParsedLink[];
  /** The main text: blocks joined with newlines. */
  text: string;
  blocks: string[];
  looksScripted: boolean;
  sitemap: { pages: SitemapEntry[]; sitemaps: SitemapEntry[] } | undefined;
}

/** How much of the words around a link is kept. */
export const CONTEXT = 200;

export function emptyDocument(type: DocumentType, charset: string, base: string): ParsedDocument {
  return {
    type,
    charset,
    base,
    title: undefined,
    description: undefined,
    lang: undefined,
    canonical: undefined,
    robots: [],
    refresh: undefined,
    links: [],
    text: "",
    blocks: [],
    looksScripted: false,
    sitemap: undefined,
  };
}

export function newLink(kind: LinkKind, href: string, position: number): ParsedLink {
  return { href, url: undefined, kind, text: "", title: "", heading: "", block: "", rel: "", position };
}
