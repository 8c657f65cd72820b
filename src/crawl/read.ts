import { blockHashes, fingerprint, fingerprintOfBytes } from "../dedupe/index.ts";
import { comparableParts, type ParsedDocument, type ParsedLink, parseDocument } from "../parse/index.ts";
import type { Reading, SitemapEntry, SitemapLink } from "../records.ts";
import { indexing } from "../robots/index.ts";
import { hash64, type KnownSessions, originOf, resolve, sessionEvidence, withoutSessions } from "../url/index.ts";
import { judge } from "./judge.ts";
import { packLinks } from "./link-document.ts";
import { tabulate } from "./link-table.ts";
import { firstLinks } from "./most-links.ts";
import { nameBody, packBody } from "./pack-body.ts";
import type { MetadataReading, MetadataSetup } from "./read-metadata.ts";
import { printText, type ReadJob, type ReadSetup } from "./read-setup.ts";
import { wordsOf } from "./read-words.ts";

type Changeable<T> = { -readonly [K in keyof T]: T[K] };

type Extractor = typeof import("./read-extractor.ts");

/** Bytes in, data out: no clock and no I/O, so it runs on any thread. The extractor is loaded only if it is needed. */
export async function openBodyReader(setup: ReadSetup): Promise<(job: ReadJob) => Reading> {
  const extractor = setup.metadata || setup.mayRender ? await import("./read-extractor.ts") : undefined;
  return (job) => readBody(job, setup, extractor);
}

function readBody(job: ReadJob, setup: ReadSetup, extractor: Extractor | undefined): Reading {
  const isKept = setup.keeps === "all" || (setup.keeps === "pages" && job.as === "page");
  const body = isKept ? packBody(job.bytes, job.coded) : nameBody(job.bytes);
  const wantsParts = job.partsUnless !== undefined && job.partsUnless !== body.hash;
  // A suspect page needs its text, because only the text shows whether it is new.
  const withText = !setup.isLean || setup.mayRender === true || job.isSuspect === true || wantsParts;
  const withTree = setup.metadata !== undefined || setup.mayRender === true || wantsParts;
  const { bytes, url, contentType, as } = job;
  const document = parseDocument({ bytes, url, contentType, as, embeddedLinks: setup.embeddedLinks, withText, withTree });
  const named = firstLinks(document.links);
  const told = job.sessions && as === "page" ? sessionsIn(named.links, url, job.sessions, setup) : undefined;
  const { links, table } = tabulate(named.links, document.base, setup, told?.own);
  const { print, words } = setup.isLean
    ? { print: fingerprintOfBytes(table, body.hash), words: 0 }
    : fingerprint(table, links, document.text);
  const isKnown = job.metadataUnless !== undefined && job.metadataUnless === printText(print);
  const said = extractor && setup.metadata && !isKnown ? metadataIn(document, job, setup.metadata, extractor) : undefined;
  const { noindex, nofollow } = indexing({ headers: job.robotsTags, metas: document.robots }, setup.agent, job.now);
  const { matches, relevance } = judge(document, links, setup);
  // Optional fields are assigned below: spreading objects takes longer than setting all fields.
  const reading: Changeable<Reading> = {
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
    linkCount: links.length + named.left,
    packedLinks: packLinks(links, table),
    matches,
    relevance,
    fingerprint: print,
    blocks: job.isSuspect ? blockHashes([document.title?.value ?? "", ...document.blocks], job.url, textsOf(links)) : undefined,
    wordCount: words,
    isBlank: !setup.isLean && words === 0,
    looksScripted: document.looksScripted,
    sitemap: document.sitemap && {
      pages: keyed(document.sitemap.pages, setup),
      sitemaps: keyed(document.sitemap.sitemaps, setup),
    },
    body,
  };
  if (wantsParts) reading.parts = comparableParts(document);
  if (told?.news) reading.sessions = told.news;
  if (said) reading.metadata = said.metadata;
  if (setup.wantsWords && job.as === "page" && !isKnown) reading.words = wordsOf(document, said);
  if (extractor && setup.mayRender && job.as === "page") reading.sight = extractor.sightOf(document, job, said?.metadata);
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

function keyed(entries: readonly SitemapEntry[], setup: ReadSetup): SitemapLink[] {
  return entries.flatMap(({ url, lastmod }) => {
    const resolved = resolve(url, undefined, setup.key);
    return resolved ? [{ url: resolved.url, key: resolved.key, hash: hash64(resolved.key, setup.hashSeed), lastmod }] : [];
  });
}
