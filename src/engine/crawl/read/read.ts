import { blockHashes, fingerprint, fingerprintOfBytes } from "../../../analysis/dedupe/index.ts";
import { comparableParts, type ParsedDocument, type ParsedLink, parseDocument } from "../../../analysis/parse/index.ts";
import { indexing } from "../../../analysis/robots/index.ts";
import { hash64, type KnownSessions, originOf, resolve, sessionEvidence, withoutSessions } from "../../../analysis/url/index.ts";
import type { Reading, SitemapEntry, SitemapLink } from "../../../core/records.ts";
import { firstLinks } from "../admit/max-links.ts";
import { matchKeywords } from "../settle/match-keywords.ts";
import { packLinks } from "./link-document.ts";
import { makeLinkTable } from "./link-table.ts";
import { hashOnlyBody, packBody } from "./pack-body.ts";
import type { MetadataReading, MetadataSetup } from "./read-metadata.ts";
import { fingerprintText, type ReadJob, type ReadSetup } from "./read-setup.ts";
import { searchWordsOf } from "./read-words.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

type Extractor = typeof import("./read-extractor.ts");

/** Bytes in, data out: no clock and no I/O, so it runs on any thread. The extractor is loaded only if it is needed. */
export async function openBodyReader(setup: ReadSetup): Promise<(job: ReadJob) => Reading> {
  const extractor = setup.metadata || setup.mayRender ? await import("./read-extractor.ts") : undefined;
  return (job) => readBody(job, setup, extractor);
}

function readBody(job: ReadJob, setup: ReadSetup, extractor: Extractor | undefined): Reading {
  const isKept = setup.keeps === "all" || (setup.keeps === "pages" && job.as === "page");
  const body = isKept ? packBody(job.bytes, job.coded) : hashOnlyBody(job.bytes);
  const wantsParts = job.partsUnless !== undefined && job.partsUnless !== body.hash;
  // A suspect page needs its text, because only the text shows whether it is new.
  const withText = !setup.isLean || setup.mayRender === true || job.isSuspect === true || wantsParts;
  const withTree = setup.metadata !== undefined || setup.mayRender === true || wantsParts;
  const { bytes, url, contentType, as } = job;
  const document = parseDocument({ bytes, url, contentType, as, embeddedLinks: setup.embeddedLinks, withText, withTree });
  const limited = firstLinks(document.links);
  const sessionInfo = job.sessions && as === "page" ? sessionsIn(limited.links, url, job.sessions, setup) : undefined;
  const { links, table } = makeLinkTable(limited.links, document.base, setup, sessionInfo?.own);
  const { print, words } = setup.isLean
    ? { print: fingerprintOfBytes(table, body.hash), words: 0 }
    : fingerprint(table, links, document.text);
  const isKnown = job.metadataUnless !== undefined && job.metadataUnless === fingerprintText(print);
  const extracted = extractor && setup.metadata && !isKnown ? metadataIn(document, job, setup.metadata, extractor) : undefined;
  const { noindex, nofollow } = indexing({ headers: job.robotsTags, metas: document.robots }, setup.agent, job.now);
  const { matches, relevance } = matchKeywords(document, links, setup);
  // Optional fields are assigned below: spreading objects takes longer than setting all fields.
  const reading: Mutable<Reading> = {
    type: document.type,
    charset: document.charset,
    title: document.title,
    description: document.description,
    pageType: document.pageType,
    lang: document.lang,
    canonical: document.canonical,
    noindex,
    nofollow,
    links: table,
    linkCount: links.length + limited.left,
    packedLinks: packLinks(links, table),
    matches,
    relevance,
    fingerprint: print,
    blocks: job.isSuspect ? blockHashes([document.title?.value ?? "", ...document.blocks], job.url, textsOf(links)) : undefined,
    wordCount: words,
    isBlank: !setup.isLean && words === 0,
    looksScripted: document.looksScripted,
    sitemap: document.sitemap && {
      pages: withKeys(document.sitemap.pages, setup),
      sitemaps: withKeys(document.sitemap.sitemaps, setup),
    },
    body,
  };
  if (wantsParts) reading.parts = comparableParts(document);
  if (sessionInfo?.news) reading.sessions = sessionInfo.news;
  if (extracted) reading.metadata = extracted.metadata;
  if (setup.wantsWords && job.as === "page" && !isKnown) reading.words = searchWordsOf(document, extracted);
  if (extractor && setup.mayRender && job.as === "page") reading.sight = extractor.checkPage(document, job, extracted?.metadata);
  return reading;
}

function metadataIn(document: ParsedDocument, job: ReadJob, setup: MetadataSetup, extractor: Extractor): MetadataReading | undefined {
  const { charset, title, pageType, tree } = document;
  return tree && extractor.readMetadata({ tree, url: job.url, charset, now: job.now, title, pageType }, setup);
}

/** The session ids known for the page's host, or found on this page, and the key options for links to that host. */
function sessionsIn(links: readonly ParsedLink[], url: string, known: KnownSessions, { key }: ReadSetup) {
  const urls = links.flatMap((link) => link.url ?? []);
  const news = sessionEvidence(urls, url, known);
  const names = [...known.names, ...(news?.found ?? [])].filter((name) => !news?.barred.includes(name));
  return { news, own: names.length > 0 ? { folder: `${originOf(url)}/`, key: withoutSessions(key, names) } : undefined };
}

const textsOf = (links: readonly ParsedLink[]) => links.map(({ text }) => text);

function withKeys(entries: readonly SitemapEntry[], setup: ReadSetup): SitemapLink[] {
  return entries.flatMap(({ url, lastmod }) => {
    const resolved = resolve(url, undefined, setup.key);
    return resolved ? [{ url: resolved.url, key: resolved.key, hash: hash64(resolved.key, setup.hashSeed), lastmod }] : [];
  });
}
