import { blockHashes, contentHash, fingerprint } from "../dedupe/index.ts";
import { type ParsedLink, parseDocument, READER_VERSION } from "../parse/index.ts";
import type { Hash64, Link, Reading, SitemapEntry, SitemapLink, StoredBody } from "../records.ts";
import { indexing } from "../robots/index.ts";
import { hash64, KEY_VERSION, type KeyOptions, resolve } from "../url/index.ts";
import { pack, packLinks } from "./link-document.ts";
import { tableOf } from "./link-set.ts";

/** What a reader needs to know besides the body. The same for a whole run. */
export interface ReadSetup {
  readonly key: KeyOptions;
  readonly embeddedLinks: boolean;
  /** Our product token, for robots metas that speak to us by name. */
  readonly agent: string;
  readonly hashSeed: Hash64;
  readonly keepBody: boolean;
  /** Nothing is kept of a page but what following and recognising it takes: no context of links, no nearness of texts. */
  readonly isLean: boolean;
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
}

/** Names how bodies are read: two readings may be compared only if they were made the same way. */
export function readerName(setup: ReadSetup): string {
  const { stripParams, sortParams, maxParams } = setup.key;
  const options = JSON.stringify([stripParams, sortParams, String(maxParams), setup.embeddedLinks]);
  const { hi, lo } = hash64(options, { hi: 1, lo: 2 });
  return `${READER_VERSION}.${KEY_VERSION}.${hi.toString(36)}${lo.toString(36)}`;
}

/** Bytes in, data out: no clock, no I/O, so it runs on any thread. */
export function readBody(job: ReadJob, setup: ReadSetup): Reading {
  const document = parseDocument({ ...job, embeddedLinks: setup.embeddedLinks });
  const links = linksOf(document.links, setup);
  return {
    type: document.type,
    charset: document.charset,
    title: document.title,
    description: document.description,
    pageType: document.pageType,
    lang: document.lang,
    canonical: document.canonical,
    ...indexing({ headers: job.robotsTags, metas: document.robots }, setup.agent, job.now),
    links: tableOf(links),
    linkCount: links.length,
    packedLinks: packLinks(links, !setup.isLean),
    fingerprint: fingerprint({ links, text: document.text }, !setup.isLean),
    blocks: job.isSuspect ? blockHashes([document.title?.value ?? "", ...document.blocks], job.url, textsOf(links)) : undefined,
    wordCount: countWords(document.text),
    looksScripted: document.looksScripted,
    sitemap: document.sitemap && {
      pages: keyed(document.sitemap.pages, setup),
      sitemaps: keyed(document.sitemap.sitemaps, setup),
    },
    body: bodyOf(job.bytes, setup.keepBody && job.as === "page"),
  };
}

const textsOf = (links: readonly Link[]) => links.map(({ text }) => text ?? "");

interface Keyed {
  readonly url: string;
  readonly key: string;
  readonly hash: Hash64;
}

/** The links of a site lead to the same few thousand URLs again and again: each thread makes their keys once. */
const MOST_KNOWN = 50_000;
let knownFor: ReadSetup | undefined;
const known = new Map<string, Keyed | undefined>();

function keyedUrl(url: string, setup: ReadSetup): Keyed | undefined {
  if (knownFor !== setup || known.size >= MOST_KNOWN) known.clear();
  knownFor = setup;
  let keyed = known.get(url);
  if (keyed !== undefined || known.has(url)) return keyed;
  const resolved = resolve(url, undefined, setup.key);
  keyed = resolved && { url: resolved.url, key: resolved.key, hash: hash64(resolved.key, setup.hashSeed) };
  known.set(url, keyed);
  return keyed;
}

function linksOf(parsed: readonly ParsedLink[], setup: ReadSetup): Link[] {
  const links: Link[] = [];
  for (const { url: raw, kind, text, title, heading, block, rel } of parsed) {
    const keyed = raw === undefined ? undefined : keyedUrl(raw, setup);
    if (!keyed) continue;
    const { url, key, hash } = keyed;
    links.push({ url, key, hash, kind, text, title, heading, block, rel, position: links.length });
  }
  return links;
}

function keyed(entries: readonly SitemapEntry[], setup: ReadSetup): SitemapLink[] {
  return entries.flatMap(({ url, lastmod }) => {
    const resolved = resolve(url, undefined, setup.key);
    return resolved ? [{ url: resolved.url, key: resolved.key, hash: hash64(resolved.key, setup.hashSeed), lastmod }] : [];
  });
}

function countWords(text: string): number {
  let words = 0;
  let isInWord = false;
  for (let index = 0; index < text.length; index++) {
    const isSpace = text.charCodeAt(index) <= 32;
    if (!isSpace && !isInWord) words += 1;
    isInWord = !isSpace;
  }
  return words;
}

function bodyOf(bytes: Uint8Array, keep: boolean): StoredBody {
  const hash = contentHash(bytes);
  if (!keep) return { hash, size: bytes.length, coding: "identity", data: undefined };
  const packed = pack(bytes);
  const isWorthIt = packed.length < bytes.length;
  return { hash, size: bytes.length, coding: isWorthIt ? "br" : "identity", data: isWorthIt ? packed : bytes };
}
