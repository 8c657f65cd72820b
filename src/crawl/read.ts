import { blockHashes, contentHash, fingerprint, fingerprintOfBytes } from "../dedupe/index.ts";
import { type ParsedDocument, type ParsedLink, parseDocument, READER_VERSION } from "../parse/index.ts";
import type { Fingerprint, Hash64, Reading, ReadMetadata, SitemapEntry, SitemapLink, StoredBody } from "../records.ts";
import { indexing } from "../robots/index.ts";
import type { ScorerKind } from "../score/index.ts";
import { hash64, KEY_VERSION, type KeyOptions, resolve } from "../url/index.ts";
import { judge } from "./judge.ts";
import { packLinks } from "./link-document.ts";
import { tabulate } from "./link-table.ts";
import { pack } from "./pack.ts";
import { type MetadataSetup, readMetadata } from "./read-metadata.ts";

/** What a reader needs to know besides the body. The same for a whole run. */
export interface ReadSetup {
  readonly key: KeyOptions;
  readonly embeddedLinks: boolean;
  /** Our product token, for robots metas that speak to us by name. */
  readonly agent: string;
  readonly hashSeed: Hash64;
  readonly keepBody: boolean;
  /** Nothing is kept of a page but what following and recognising it takes: no text, no context of links, no nearness. */
  readonly isLean: boolean;
  /** How to tell what a page says about itself; undefined where nobody wants to know. */
  readonly metadata: MetadataSetup | undefined;
  /** What links are held against, with weights. */
  readonly keywords: readonly (readonly [word: string, weight: number])[];
  readonly scorer: ScorerKind;
  readonly scoreRatio: number;
}

export interface ReadJob {
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly robotsTags: readonly string[];
  readonly as: "page" | "sitemap";
  /** Whether to tell how new the page is among its like. */
  readonly isSuspect?: boolean;
  readonly now: number;
  /** Whoever compares pages wants the text too, unless text and links are those of this print: `printText` of a fingerprint. */
  readonly textUnless?: string | undefined;
  /** The same for metadata: a page that is as it was keeps what is known of it. */
  readonly metadataUnless?: string | undefined;
}

export const printText = ({ text, links }: Fingerprint): string => `${text} ${links}`;

/** Names how bodies are read: two readings may be compared only if they were made the same way. */
export function readerName(setup: ReadSetup): string {
  const { stripParams, sortParams, maxParams } = setup.key;
  const options = JSON.stringify([stripParams, sortParams, String(maxParams), setup.embeddedLinks, setup.isLean]);
  const { hi, lo } = hash64(options, UNSEEDED);
  return `${READER_VERSION}.${KEY_VERSION}.${hi.toString(36)}${lo.toString(36)}`;
}

/** Bytes in, data out: no clock, no I/O, so it runs on any thread. */
export function readBody(job: ReadJob, setup: ReadSetup): Reading {
  // How new a suspect is among its like only its text can tell.
  const withText = !setup.isLean || job.isSuspect === true;
  const document = parseDocument({ ...job, embeddedLinks: setup.embeddedLinks, withText, withTree: setup.metadata !== undefined });
  const { links, table } = tabulate(document.links, document.base, setup);
  const body = bodyOf(job.bytes, setup.keepBody && job.as === "page");
  const { words, ...print } = setup.isLean
    ? { ...fingerprintOfBytes(table, body.hash), words: 0 }
    : fingerprint(table, links, document.text);
  return {
    type: document.type,
    charset: document.charset,
    title: document.title,
    description: document.description,
    pageType: document.pageType,
    lang: document.lang,
    canonical: document.canonical,
    ...indexing({ headers: job.robotsTags, metas: document.robots }, setup.agent, job.now),
    links: table,
    linkCount: links.length,
    packedLinks: packLinks(links, table),
    ...judge(document, links, setup),
    fingerprint: print,
    ...(job.textUnless !== undefined && job.textUnless !== printText(print) && { text: document.text }),
    blocks: job.isSuspect ? blockHashes([document.title?.value ?? "", ...document.blocks], job.url, textsOf(links)) : undefined,
    wordCount: words,
    ...(setup.metadata && document.tree && { metadata: metadataIn(document, job, print, setup.metadata) }),
    isBlank: !setup.isLean && words === 0,
    looksScripted: document.looksScripted,
    sitemap: document.sitemap && {
      pages: keyed(document.sitemap.pages, setup),
      sitemaps: keyed(document.sitemap.sitemaps, setup),
    },
    body,
  };
}

function metadataIn(document: ParsedDocument, job: ReadJob, print: Fingerprint, setup: MetadataSetup): ReadMetadata | undefined {
  if (job.metadataUnless === printText(print)) return undefined;
  const { charset, title, pageType, tree } = document;
  return tree && readMetadata({ tree, url: job.url, charset, now: job.now, title, pageType }, setup);
}

const textsOf = (links: readonly ParsedLink[]) => links.map(({ text }) => text);

const UNSEEDED: Hash64 = { hi: 1, lo: 2 };

function keyed(entries: readonly SitemapEntry[], setup: ReadSetup): SitemapLink[] {
  return entries.flatMap(({ url, lastmod }) => {
    const resolved = resolve(url, undefined, setup.key);
    return resolved ? [{ url: resolved.url, key: resolved.key, hash: hash64(resolved.key, setup.hashSeed), lastmod }] : [];
  });
}

function bodyOf(bytes: Uint8Array, keep: boolean): StoredBody {
  const hash = contentHash(bytes);
  if (!keep) return { hash, size: bytes.length, coding: "identity", data: undefined };
  const packed = pack(bytes);
  const isWorthIt = packed.length < bytes.length;
  return { hash, size: bytes.length, coding: isWorthIt ? "br" : "identity", data: isWorthIt ? packed : bytes };
}
