/**
 * The records that travel between modules. A record changes its name when it changes its meaning:
 *
 *   Candidate (discovered) → Visit (scheduled) → Fetched (answered) → Reading (parsed) → Outcome (judged) → Page (stored)
 *
 * This file imports nothing and decides nothing.
 */

/** A 64-bit hash as two unsigned 32-bit halves: cheap to make, compare and keep in typed arrays. */
export interface Hash64 {
  readonly hi: number;
  readonly lo: number;
}

/** How a URL was discovered. */
export type Via = "seed" | "link" | "redirect" | "refresh" | "canonical" | "sitemap" | "probe" | "due";

/** What a visit is for. The frontier schedules robots.txt requests like pages, so that they take their host's turn. */
export type VisitKind = "page" | "sitemap" | "robots";

/** A discovered URL. `url` is requested from the server; `key` decides whether two URLs are the same page. */
export interface Candidate {
  readonly url: string;
  readonly key: string;
  readonly hash: Hash64;
  /** The unit of politeness: host name, with the port unless it is 80 or 443. */
  readonly host: string;
  readonly kind: VisitKind;
  readonly depth: number;
  /** Redirects between the URL that was discovered first and this one. */
  readonly hops: number;
  readonly via: Via;
  readonly parent: string | undefined;
  readonly siteId: number;
  /** Front queue, 0 is best. */
  readonly level: number;
  /** Order within the front queue, higher is earlier. */
  readonly priority: number;
}

/** Permission for one request to a host. Only the frontier makes one; a fetch spends it. */
export interface Turn {
  readonly host: string;
  spent: boolean;
  /** Present if another process could have taken the host's lease while this one stood still. Checked just before the request leaves. */
  readonly isStillOurs?: (() => boolean) | undefined;
}

/** What the store knows of a page from earlier visits. */
export interface Remembered {
  readonly pageId: number;
  readonly siteId: number;
  readonly versionId: number | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly fingerprint: Fingerprint | undefined;
  /** True if the stored reading was made by the current reader with the current options, so that a 304 can be trusted. */
  readonly isCurrent: boolean;
  readonly movedTo: string | undefined;
  readonly isGone: boolean;
  /** No page linked to it when it was last seen. */
  readonly isUnlinked: boolean;
  /** Robots directives of the stored version. */
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** When the stored version was read. */
  readonly readAt: number | undefined;
  /** Hash of the stored body, for reading it again after the reader has changed. */
  readonly bodyHash: string | undefined;
  readonly contentType: string | undefined;
  /** Whether a browser rendered the stored version. */
  readonly isRendered?: boolean;
  /** The observations after the first, packed. */
  readonly history?: Uint8Array | undefined;
}

/** One request to one URL, scheduled by the frontier. */
export interface Visit extends Candidate {
  /** Row in the ledger; 0 for robots.txt requests, which are not stored. */
  readonly id: number;
  readonly attempts: number;
  readonly turn: Turn;
}

export interface Timing {
  readonly startedAt: number;
  readonly duration: number;
}

/** A body in one content coding. */
export interface CodedBody {
  readonly coding: "gzip" | "br";
  readonly bytes: Uint8Array;
}

/** The result of a request. Failures of the network or server are values; only our own mistakes throw. */
export type Fetched =
  | {
      readonly kind: "body";
      readonly status: number;
      readonly contentType: string | undefined;
      readonly bytes: Uint8Array;
      readonly etag: string | undefined;
      readonly lastModified: string | undefined;
      /** Every X-Robots-Tag header, in order. */
      readonly robotsTags: readonly string[];
      /** The body as the server compressed it, if it arrived compressed and complete. */
      readonly coded?: CodedBody | undefined;
      /** Bytes on the wire, before decoding. */
      readonly wireBytes: number;
      readonly timing: Timing;
    }
  | {
      readonly kind: "not-modified";
      readonly etag: string | undefined;
      readonly lastModified: string | undefined;
      readonly timing: Timing;
    }
  | { readonly kind: "moved"; readonly status: number; readonly location: string; readonly timing: Timing }
  | { readonly kind: "gone"; readonly status: number; readonly timing: Timing }
  | {
      /** Refused by us (robots, address guard, type, size) or by the server (4xx, 429, 503 with Retry-After). */
      readonly kind: "refused";
      readonly by: "robots" | "guard" | "type" | "size" | "server" | "pace";
      readonly reason: Reason;
      readonly rule: string;
      readonly status: number | undefined;
      /** Milliseconds that the server asked us to wait. */
      readonly retryAfter: number | undefined;
      readonly timing: Timing;
    }
  | {
      readonly kind: "failed";
      readonly reason: Reason;
      readonly detail: string;
      readonly status: number | undefined;
      /** Whether a retry could help. */
      readonly mayHeal: boolean;
      /** True if the host, not the page, seems to be the cause: its other URLs wait too. */
      readonly hostFault: boolean;
      /** True if a connection was made, which shows that the host is reachable. */
      readonly wasReached?: boolean;
      /** True if this machine is the cause, not the page or the host: other requests would fail as well. */
      readonly isOurs?: boolean;
      readonly retryAfter: number | undefined;
      readonly timing: Timing;
    };

/** A value with its source. */
export interface Found<T> {
  readonly value: T;
  readonly source: string;
  /** Confidence 0–1, if the value was weighed against others. */
  readonly confidence?: number;
}

/** A possible value of a field; `rejected` is the reason why it cannot be used. */
export interface MetaCandidate<T> {
  readonly source: string;
  readonly value: T;
  readonly rejected?: string;
}

/** A metadata field of a page: the chosen value, its source, its confidence (0–1), and all candidates, best first. */
export interface MetaField<T> {
  readonly value: T | null;
  /** Empty if there is no value. */
  readonly source: string;
  readonly confidence: number;
  readonly candidates: readonly MetaCandidate<T>[];
}

export interface Topic {
  readonly name: string;
  readonly source: string;
  readonly confidence: number;
  /** From specific to general: `javascript`, `technology` for `react`. */
  readonly parents: readonly string[];
}

/** `ok` if the page is what was asked for, else what it is instead. */
export type PageVerdict = "ok" | "soft-404" | "bot-wall" | "consent-wall" | "login-wall" | "script-shell" | "parked";

/** An item that a page marks up in microdata or RDFa. */
export interface StructuredItem {
  /** With the URL of the vocabulary, if the page gives it. */
  readonly type: readonly string[];
  readonly id?: string;
  readonly properties: Readonly<Record<string, readonly (string | StructuredItem)[]>>;
}

/** The structured data of a page by syntax, as plain JSON of at most 64 KB. */
export interface StructuredData {
  /** As written, one entry per document. */
  readonly jsonld: readonly unknown[];
  readonly microdata: readonly StructuredItem[];
  readonly rdfa: readonly StructuredItem[];
  /** By name without `og:`. Each image, video and audio is an object with its `url` and further properties. */
  readonly opengraph: Readonly<Record<string, readonly (string | Readonly<Record<string, string>>)[]>>;
  readonly twitter: Readonly<Record<string, string>>;
  /** Whether something was left out because of its size. */
  readonly isCut: boolean;
}

/** A page's metadata with sources. Made by `src/analysis/extract` from the crawl's own parse. */
export interface Metadata {
  readonly title: MetaField<string>;
  readonly description: MetaField<string>;
  /** Absolute. */
  readonly image: MetaField<string>;
  readonly author: MetaField<readonly string[]>;
  /** ISO 8601: a date, or a time with its zone. */
  readonly publishedAt: MetaField<string>;
  readonly modifiedAt: MetaField<string>;
  /** BCP 47 with a language of two or three letters, and a region if the page gives one. */
  readonly lang: MetaField<string>;
  readonly siteName: MetaField<string>;
  readonly canonical: MetaField<string>;
  readonly topics: MetaField<readonly Topic[]>;
  /** The whole main text; `source` is the part of the page where it was found. */
  readonly text: MetaField<string>;
  readonly wordCount: number;
  /** Minutes. */
  readonly readingTime: number;
  readonly verdict: Found<PageVerdict>;
  readonly structured: StructuredData;
}

/** The metadata stored with each version: the known fields only. Losing candidates are stored separately, for the current version only. */
export interface PageMetadata {
  readonly title?: Found<string>;
  readonly description?: Found<string>;
  readonly image?: Found<string>;
  readonly author?: Found<readonly string[]>;
  readonly publishedAt?: Found<string>;
  readonly modifiedAt?: Found<string>;
  readonly lang?: Found<string>;
  readonly siteName?: Found<string>;
  readonly canonical?: Found<string>;
  readonly topics?: Found<readonly Topic[]>;
  /** Words of the main text; the source is the part of the page where it was found. */
  readonly wordCount?: Found<number>;
  /** Minutes. */
  readonly readingTime?: Found<number>;
  /** The page type that it declares, for example `article`. */
  readonly type?: Found<string>;
}

/** The metadata of one body on its way into the store. */
export interface ReadMetadata {
  readonly values: PageMetadata;
  readonly verdict: Found<PageVerdict>;
  /** The beginning of the main text. */
  readonly preview: string;
  /** The record without the text, packed: losing candidates and structured data. */
  readonly evidence: Uint8Array;
  /** Hashes of the blocks of the main text, to detect what repeats on a site. */
  readonly blocks: Uint32Array;
  /** Version of the extractor that made this. */
  readonly extractor: number;
}

/** Title and main text, with spaces between the words. */
export interface PageWords {
  readonly title: string;
  readonly text: string;
}

export type LinkKind = "a" | "area" | "iframe" | "next" | "alternate" | "canonical" | "refresh" | "embedded" | "feed" | "text";

/** A link of a page: absolute, with the text around it that a person sees. */
export interface Link {
  readonly url: string;
  readonly key: string;
  readonly hash: Hash64;
  readonly kind: LinkKind;
  readonly text: string;
  readonly title: string;
  readonly heading: string;
  readonly block: string;
  readonly rel: string;
  /** Index among the links of the document. */
  readonly position: number;
}

/** The links of a page, packed for transfer between threads: pairs of hash halves, one flag byte each, and the URLs in one string. */
export interface LinkTable {
  readonly hashes: Uint32Array;
  readonly flags: Uint8Array;
  readonly origin: string;
  /** One per line; a line that begins with a slash is a path on the origin. */
  readonly urls: string;
  /** Empty if every key equals its URL; else one line each, empty if the key equals the URL. */
  readonly keys: string;
}

/** How the run's keywords match the links of a page: one entry per link and keyword with a match above 0. */
export interface LinkMatches {
  /** Indexes into the page's link table. */
  readonly links: Uint32Array;
  /** Indexes into the run's list of keywords. */
  readonly words: Uint16Array;
  readonly matches: Float32Array;
}

/** Identifies the content of a page. Hex strings, so that they are readable in the database. */
export interface Fingerprint {
  readonly links: string;
  readonly text: string;
  readonly simhash: string;
}

export interface SitemapEntry {
  readonly url: string;
  readonly lastmod: number | undefined;
}

/** A sitemap entry with its normalized key. */
export interface SitemapLink extends SitemapEntry {
  readonly key: string;
  readonly hash: Hash64;
}

export type DocumentType = "html" | "markdown" | "text" | "feed" | "sitemap" | "binary";

/**
 * Hashes of a page's content: its blocks as they are, its blocks without words of links and URL, and trigrams of the unlinked words with
 * numbers, dates and words of the URL masked.
 */
export interface BlockHashes {
  readonly raw: Uint32Array;
  readonly unlinked: Uint32Array;
  readonly masked: Uint32Array;
}

/** The region of a page: its main part, or the parts around it. */
export type Zone = "main" | "header" | "nav" | "aside" | "footer";

/** A block or a picture of a page, for comparing two versions. */
export interface PagePart {
  /** For a picture, its alternative text. */
  readonly text: string;
  /** The address of a picture. */
  readonly picture?: string;
  /** For a picture in a link, the number of that link in `PageParts.links`. */
  readonly link?: number;
  readonly zone: Zone;
  /** Classes, ids and labels of the surrounding elements, nearest first. */
  readonly names: string;
  readonly heading: string;
  /** Headings of the lists and boxes around its own heading. */
  readonly outer: readonly string[];
  /** The element whose text it is. */
  readonly tag: string;
}

export interface PartLink {
  readonly url: string;
  readonly text: string;
  readonly heading: string;
  readonly outer: readonly string[];
  /** The beginning of the block that contains it. */
  readonly block: string;
  readonly zone: Zone;
  readonly names: string;
}

/** A value from the head of a page: title, description, or one from its structured data. */
export interface PageFact {
  readonly name: string;
  readonly value: string;
}

export interface PageParts {
  readonly parts: readonly PagePart[];
  readonly links: readonly PartLink[];
  readonly facts: readonly PageFact[];
}

/** The content of a body. Plain data, made by a pure function on a worker thread. */
export interface Reading {
  readonly type: DocumentType;
  readonly charset: string;
  readonly title: Found<string> | undefined;
  readonly description: Found<string> | undefined;
  /** The page type that it declares. */
  readonly pageType: Found<string> | undefined;
  readonly lang: Found<string> | undefined;
  readonly canonical: string | undefined;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly links: LinkTable;
  /** Including the links beyond the limit per page, which are not in `links`. */
  readonly linkCount: number;
  /** The links with their texts, packed as one document for the store. */
  readonly packedLinks: Uint8Array;
  /** Undefined without keywords. */
  readonly matches: LinkMatches | undefined;
  /** How well the page itself matches the keywords, 0–1. */
  readonly relevance: number;
  readonly fingerprint: Fingerprint;
  /** For comparing with another version of the page, if requested. */
  readonly parts?: PageParts | undefined;
  /** For measuring how much a page differs from similar ones. Made only for URLs that could belong to a trap. */
  readonly blocks: BlockHashes | undefined;
  readonly wordCount: number;
  /** Undefined if not requested or if extraction failed; a failure does not affect the page. */
  readonly metadata?: ReadMetadata | undefined;
  /** Words for the search index, if requested and the text is not the one already indexed. */
  readonly words?: PageWords | undefined;
  /** The main text was extracted and is empty. */
  readonly isBlank: boolean;
  /** The body holds scripts and next to no text: a browser would show more. */
  readonly looksScripted: boolean;
  /** Shows whether a browser would find, or found, more content. Only in a run that may use one. */
  readonly sight?: PageCheck | undefined;
  readonly sitemap: { readonly pages: readonly SitemapLink[]; readonly sitemaps: readonly SitemapLink[] } | undefined;
  /** What the links show about session ids on the host, if it is new. */
  readonly sessions?: SessionEvidence | undefined;
  readonly body: StoredBody;
}

/** What the links of one page show about the query parameters of its host. */
export interface SessionEvidence {
  /** Parameters that hold session ids. */
  readonly found: readonly string[];
  /** Parameters that look like session ids but distinguish pages. */
  readonly barred: readonly string[];
  /** True if the page has enough links to judge, and no parameter stands in nearly all of them. */
  readonly isOrdinary: boolean;
}

/** Shows whether a page is the one that was asked for. */
export interface PageCheck {
  readonly verdict: PageVerdict;
  /** Characters of the main text. */
  readonly letters: number;
  readonly hasScripts: boolean;
}

/** A body ready to be stored: addressed by its hash; compressed as the server sent it, else by us. */
export interface StoredBody {
  readonly hash: string;
  readonly size: number;
  readonly coding: "gzip" | "br" | "identity";
  /** Absent if only the hash is kept. */
  readonly data: Uint8Array | undefined;
}

export type Change = "new" | "changed" | "same" | "gone" | "unlinked" | "unknown";

export type Verdict = "queued" | "fetched" | "not-modified" | "deferred" | "skipped" | "failed";

/** Why a URL got its verdict; a plugin uses its own name. operations/reasons.ts has one sentence for each. */
export type Reason = KnownReason | `plugin:${string}`;

export type KnownReason =
  | "ok"
  | "scope.host"
  | "scope.exclude"
  | "scope.include"
  | "depth"
  | "components"
  | "length"
  | "params-cut"
  | "duplicate.url"
  | "duplicate.redirect"
  | "duplicate.canonical"
  | "duplicate.content"
  | "robots.disallow"
  | "robots.unreachable"
  | "meta.nofollow"
  | "scheme"
  | "type"
  | "account-action"
  | "size"
  | "trap.repeat"
  | "trap.calendar"
  | "trap.pagination"
  | "trap.session"
  | "trap.growing"
  | "score.below"
  | "max-links"
  | "limit.links"
  | "limit.sitemaps"
  | "limit.pages"
  | "limit.time"
  | "limit.bytes"
  | "private-network"
  | "host.blocked"
  | "host.crawl-delay"
  | "http.4xx"
  | "http.5xx"
  | "http.429"
  | "timeout"
  | "dns"
  | "tls"
  | "connection"
  | "proxy"
  | "encoding"
  | "protocol"
  | "redirect.loop"
  | "parse"
  | "render.timeout"
  | "render.crash"
  | "stuck"
  | "crash";

/** A link with its score under the keywords: 0–2. */
export interface TopLink {
  readonly url: string;
  readonly score: number;
  /** How well each keyword matches, 0–1. */
  readonly keywords: Readonly<Record<string, number>>;
}

/** The stored page as people and programs see it: the same in JSONL, library and API. */
export interface Page {
  readonly schemaVersion: 1;
  readonly id: number;
  readonly uid: string;
  readonly siteId: number;
  readonly crawlId: number;
  /** Position in the order of settling, for replay. */
  readonly seq: number;
  readonly url: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly depth: number;
  readonly parentUrl: string | null;
  readonly discoveredVia: Via;
  readonly fetchedAt: string;
  readonly durationMs: number;
  readonly bytes: number;
  /** True when the server said the stored copy is still good (304). */
  readonly fromCache: boolean;
  readonly rendered: boolean;
  readonly change: Change;
  readonly previousFetchedAt: string | null;
  readonly hash: { readonly text: string; readonly links: string };
  readonly metadata: PageMetadata;
  /** What the page is if it is not the one that was asked for; null if this was not examined. */
  readonly verdict: PageVerdict | null;
  readonly noindex: boolean;
  readonly canonicalUrl: string | null;
  /** An earlier page with the same text and links (`nearDuplicateOf`: nearly the same text). */
  readonly duplicateOf: string | null;
  readonly nearDuplicateOf: string | null;
  readonly linkCount: number;
  /** A person's note. Metadata values that a person corrected have the source `manual`. */
  readonly note: string;
  readonly tags: readonly string[];
  /** Its best links, if there are keywords. */
  readonly topLinks?: readonly TopLink[];
}

/** Shown for a page that was gone in an earlier run and answers again. */
export const REAPPEARED = "was gone, and is there again";

/**
 * Why a run ended. `stopped`: a person or a program asked for it. `no-pages`: requests were made, but no page was fetched. `failed`: an error
 * of ours. `died`: the process ended without recording a reason, which is detected when the run is read.
 */
export const stopReasons = [
  "finished",
  "limit.pages",
  "limit.time",
  "limit.bytes",
  "stopped",
  "deferred",
  "no-pages",
  "failed",
  "hung",
  "died",
] as const;
export type StopReason = (typeof stopReasons)[number];

/** What determined a host's next turn. */
export type DelayCause = "rate" | "crawl-delay" | "retry-after" | "slow" | "backoff" | "paused";

/** Number of the frontier's queues per host; 0 is the best. */
export const LEVELS = 8;
