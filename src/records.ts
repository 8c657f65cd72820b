/**
 * The records that travel between rooms. A record changes its name when it changes its meaning:
 *
 *   Candidate (heard of) → Visit (let out) → Fetched (came back) → Reading (understood) → Outcome (learned) → Page (kept)
 *
 * This file imports nothing and decides nothing.
 */

/** A 64-bit hash as two unsigned 32-bit halves: cheap to make, compare and keep in typed arrays. */
export interface Hash64 {
  readonly hi: number;
  readonly lo: number;
}

/** Who told us about a URL. */
export type Via = "seed" | "link" | "redirect" | "refresh" | "canonical" | "sitemap" | "probe" | "due";

/** What a visit is for. A robots errand is let out by the frontier like any page, so it takes its host's turn. */
export type VisitKind = "page" | "sitemap" | "robots";

/** A URL heard of. `url` is asked of the server; `key` decides whether two URLs are the same page. */
export interface Candidate {
  readonly url: string;
  readonly key: string;
  readonly hash: Hash64;
  /** The unit of politeness: host name, with the port unless it is 80 or 443. */
  readonly host: string;
  readonly kind: VisitKind;
  readonly depth: number;
  /** Redirects between the URL we first heard of and this one. */
  readonly hops: number;
  readonly via: Via;
  readonly parent: string | undefined;
  readonly siteId: number;
  /** Front queue, 0 is best. */
  readonly level: number;
  /** Place within the front queue, higher is earlier. */
  readonly priority: number;
}

/** The permission to ask one host once. Only the frontier makes one; a fetch spends it. */
export interface Turn {
  readonly host: string;
  spent: boolean;
  /** Where others may have the host if we stood still for too long: asked at the last moment before the request leaves. */
  readonly isStillOurs?: (() => boolean) | undefined;
}

/** What we remember of a page from earlier visits. */
export interface Remembered {
  readonly pageId: number;
  readonly siteId: number;
  readonly versionId: number | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly fingerprint: Fingerprint | undefined;
  /** True if the stored reading was made by today's reader with today's options, so a 304 can be trusted. */
  readonly isCurrent: boolean;
  readonly movedTo: string | undefined;
  readonly isGone: boolean;
  /** Nobody named it when it was last seen. */
  readonly isUnlinked: boolean;
  /** What the stored version says to robots. */
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** When the stored version was read. */
  readonly readAt: number | undefined;
  /** Name of the stored body, for reading it again when the reader has changed. */
  readonly bodyHash: string | undefined;
  readonly contentType: string | undefined;
  /** Whether the stored version is the page as a browser showed it. */
  readonly isRendered?: boolean;
  /** The looks at it after the first, packed. */
  readonly history?: Uint8Array | undefined;
}

/** One trip to one URL, let out by the frontier. */
export interface Visit extends Candidate {
  /** Row in the ledger; 0 for robots errands, which are not kept. */
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

/** What the web answered. The web failing is a value; only our own mistakes throw. */
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
      /** The body as the server compressed it, where it came so and whole. */
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
      /** Somebody said no: us (robots, address guard, type, size) or the server (4xx, 429, 503 with a time to come back). */
      readonly kind: "refused";
      readonly by: "robots" | "guard" | "type" | "size" | "server" | "pace";
      readonly reason: Reason;
      readonly rule: string;
      readonly status: number | undefined;
      /** Milliseconds the server asked us to stay away. */
      readonly retryAfter: number | undefined;
      readonly timing: Timing;
    }
  | {
      readonly kind: "failed";
      readonly reason: Reason;
      readonly detail: string;
      readonly status: number | undefined;
      /** Whether asking again later could help. */
      readonly mayHeal: boolean;
      /** True when the host, not the page, seems to be the trouble: its other URLs wait too. */
      readonly hostFault: boolean;
      /** True where a connection was made, so that the host is there. */
      readonly wasReached?: boolean;
      /** True when this machine is the trouble, and neither page nor host: nothing else could be asked either. */
      readonly isOurs?: boolean;
      readonly retryAfter: number | undefined;
      readonly timing: Timing;
    };

/** A value with the place it came from. */
export interface Found<T> {
  readonly value: T;
  readonly source: string;
  /** How sure we are, 0–1, where it was weighed against others. */
  readonly confidence?: number;
}

/** What spoke for a value of a field; `rejected` says why it could not be taken at all. */
export interface MetaCandidate<T> {
  readonly source: string;
  readonly value: T;
  readonly rejected?: string;
}

/** A field of a page's metadata: the value taken, where it stood, how sure we are (0–1), and everything else that was offered, best first. */
export interface MetaField<T> {
  readonly value: T | null;
  /** Empty where there is no value. */
  readonly source: string;
  readonly confidence: number;
  readonly candidates: readonly MetaCandidate<T>[];
}

export interface Topic {
  readonly name: string;
  readonly source: string;
  readonly confidence: number;
  /** From near to far: `javascript`, `technology` for `react`. */
  readonly parents: readonly string[];
}

/** What a page is when it is not what was asked for. */
export type PageVerdict = "ok" | "soft-404" | "bot-wall" | "consent-wall" | "login-wall" | "script-shell" | "parked";

/** A thing as a page marks it up in microdata or RDFa. */
export interface StructuredItem {
  /** With the address of its vocabulary, where it is given. */
  readonly type: readonly string[];
  readonly id?: string;
  readonly properties: Readonly<Record<string, readonly (string | StructuredItem)[]>>;
}

/** What a page says for machines, by syntax, as plain JSON of 64 KB at most. */
export interface StructuredData {
  /** As written, a document each. */
  readonly jsonld: readonly unknown[];
  readonly microdata: readonly StructuredItem[];
  readonly rdfa: readonly StructuredItem[];
  /** By name without `og:`. Each picture, video and sound is an object with its `url` and what else is said of it. */
  readonly opengraph: Readonly<Record<string, readonly (string | Readonly<Record<string, string>>)[]>>;
  readonly twitter: Readonly<Record<string, string>>;
  /** Whether something was left out for its size. */
  readonly isCut: boolean;
}

/** What a page says about itself, with provenance. Made by the extract room on the crawl's own parse. */
export interface Metadata {
  readonly title: MetaField<string>;
  readonly description: MetaField<string>;
  /** Absolute. */
  readonly image: MetaField<string>;
  readonly author: MetaField<readonly string[]>;
  /** ISO 8601: a day, or a moment with its zone. */
  readonly publishedAt: MetaField<string>;
  readonly modifiedAt: MetaField<string>;
  /** As in BCP 47, of two or three letters, with region where the page says it. */
  readonly lang: MetaField<string>;
  readonly siteName: MetaField<string>;
  readonly canonical: MetaField<string>;
  readonly topics: MetaField<readonly Topic[]>;
  /** The main text, whole; `source` is the part of the page it was found in. */
  readonly text: MetaField<string>;
  readonly wordCount: number;
  /** Minutes. */
  readonly readingTime: number;
  readonly verdict: Found<PageVerdict>;
  readonly structured: StructuredData;
}

/** What is kept of a page's metadata with each version: the fields that are known. Who lost is kept apart, for the current version alone. */
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
  /** Words of the main text; its source is the part of the page the text was found in. */
  readonly wordCount?: Found<number>;
  /** Minutes. */
  readonly readingTime?: Found<number>;
  /** What kind of page it says it is: `article`. */
  readonly type?: Found<string>;
}

/** The metadata of one body on its way into the store. */
export interface ReadMetadata {
  readonly values: PageMetadata;
  readonly verdict: Found<PageVerdict>;
  /** The beginning of the main text. */
  readonly preview: string;
  /** The whole record but for the text, packed: what lost, and what the page says for machines. */
  readonly evidence: Uint8Array;
  /** Hashes of the blocks of the main text, to tell what repeats on a site. */
  readonly blocks: Uint32Array;
  /** Version of the extractor that made it. */
  readonly extractor: number;
}

/** A title and a main text, with spaces between their words. */
export interface PageWords {
  readonly title: string;
  readonly text: string;
}

export type LinkKind = "a" | "area" | "iframe" | "next" | "alternate" | "canonical" | "refresh" | "embedded" | "feed" | "text";

/** A link as its page shows it: absolute, with what a person sees around it. */
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
  /** Place in the document, counted over the links. */
  readonly position: number;
}

/** The links of a page, packed for crossing threads: pairs of hash halves, a flag each, and the URLs in one string. */
export interface LinkTable {
  readonly hashes: Uint32Array;
  readonly flags: Uint8Array;
  readonly origin: string;
  /** One line each; what begins with a slash is a path on the origin. */
  readonly urls: string;
  /** Empty where every key is its URL; else one line each, empty where it is. */
  readonly keys: string;
}

/** Where the run's keywords apply to the links of a page: an entry for each link and keyword with a match above 0. */
export interface LinkMatches {
  /** Places in the page's link table. */
  readonly links: Uint32Array;
  /** Places in the run's list of keywords. */
  readonly words: Uint16Array;
  readonly matches: Float32Array;
}

/** How we recognise a page. Hex strings, so that they read well in the database. */
export interface Fingerprint {
  readonly links: string;
  readonly text: string;
  readonly simhash: string;
}

export interface SitemapEntry {
  readonly url: string;
  readonly lastmod: number | undefined;
}

/** A sitemap entry as a URL we can compare. */
export interface SitemapLink extends SitemapEntry {
  readonly key: string;
  readonly hash: Hash64;
}

export type DocumentType = "html" | "markdown" | "text" | "feed" | "sitemap" | "binary";

/** Hashes of what a page says: its blocks as they are, without the words of its links, and its words by threes where they are its own. */
export interface BlockHashes {
  readonly raw: Uint32Array;
  readonly unlinked: Uint32Array;
  readonly masked: Uint32Array;
}

/** Where on a page something stands: its main part, or what stands around it. */
export type Zone = "main" | "header" | "nav" | "aside" | "footer";

/** A block of a page, or a picture, as two looks at the page are compared. */
export interface PagePart {
  /** Of a picture its other text. */
  readonly text: string;
  /** The address of a picture. */
  readonly picture?: string;
  readonly zone: Zone;
  /** What the page calls the elements around it: classes, ids and labels, the nearest first. */
  readonly names: string;
  readonly heading: string;
  /** Headings of the lists and boxes around its own one. */
  readonly outer: readonly string[];
  /** The element that it is the text of. */
  readonly tag: string;
}

export interface PartLink {
  readonly url: string;
  readonly text: string;
  readonly heading: string;
  readonly outer: readonly string[];
  /** The beginning of the block it stands in. */
  readonly block: string;
  readonly zone: Zone;
  readonly names: string;
}

/** What the head of a page says: a title, a description, a value of its structured data. */
export interface PageFact {
  readonly name: string;
  readonly value: string;
}

export interface PageParts {
  readonly parts: readonly PagePart[];
  readonly links: readonly PartLink[];
  readonly facts: readonly PageFact[];
}

/** What a body says. Plain data, made by a pure function on a worker thread. */
export interface Reading {
  readonly type: DocumentType;
  readonly charset: string;
  readonly title: Found<string> | undefined;
  readonly description: Found<string> | undefined;
  /** What kind of page it says it is. */
  readonly pageType: Found<string> | undefined;
  readonly lang: Found<string> | undefined;
  readonly canonical: string | undefined;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly links: LinkTable;
  /** With those that are too many for one page, and are not among the links. */
  readonly linkCount: number;
  /** The links with all that was seen of them as one packed document, for the store. */
  readonly packedLinks: Uint8Array;
  /** Undefined where no keywords were given. */
  readonly matches: LinkMatches | undefined;
  /** How far the page itself fits the keywords, 0–1. */
  readonly relevance: number;
  readonly fingerprint: Fingerprint;
  /** For holding it against another look at the page, where that was asked for. */
  readonly parts?: PageParts | undefined;
  /** How new a page is among its like. Made only for URLs that could belong to a trap. */
  readonly blocks: BlockHashes | undefined;
  readonly wordCount: number;
  /** Undefined where nobody wanted it, and where it failed: the page is none the worse for it. */
  readonly metadata?: ReadMetadata | undefined;
  /** What the page is to be found by, where somebody wants that and its text is not the one that is known. */
  readonly words?: PageWords | undefined;
  /** Its text was read, and there is none. */
  readonly isBlank: boolean;
  /** The body holds scripts and next to no text: a browser would show more. */
  readonly looksScripted: boolean;
  /** What tells whether a browser would show more, or did, in a run that may ask one. */
  readonly sight?: PageSight | undefined;
  readonly sitemap: { readonly pages: readonly SitemapLink[]; readonly sitemaps: readonly SitemapLink[] } | undefined;
  /** What its links tell of session ids on its host, if that is news. */
  readonly sessions?: SessionNews | undefined;
  readonly body: StoredBody;
}

/** What the links of one page say of the parameters of its host. */
export interface SessionNews {
  /** Parameters that hold session ids. */
  readonly found: readonly string[];
  /** Parameters that look like it and tell pages apart. */
  readonly barred: readonly string[];
  /** Whether it has enough links to tell, and a parameter that nearly all of them carry is not among them. */
  readonly isOrdinary: boolean;
}

/** A page as one sees whether it is what was asked for. */
export interface PageSight {
  readonly verdict: PageVerdict;
  /** Letters of its main text. */
  readonly letters: number;
  readonly hasScripts: boolean;
}

/** A body ready to be kept: named by its content, and as the server compressed it, else packed by us. */
export interface StoredBody {
  readonly hash: string;
  readonly size: number;
  readonly coding: "gzip" | "br" | "identity";
  /** Absent when only the name is kept. */
  readonly data: Uint8Array | undefined;
}

export type Change = "new" | "changed" | "same" | "gone" | "unlinked" | "unknown";

export type Verdict = "queued" | "fetched" | "not-modified" | "deferred" | "skipped" | "failed";

/** Why a URL met its fate; a plugin speaks under its own name. One sentence for each is in operations/reasons.ts. */
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

/** A link, and what it is worth under the keywords: 0–2. */
export interface TopLink {
  readonly url: string;
  readonly score: number;
  /** How far each keyword applies, 0–1. */
  readonly keywords: Readonly<Record<string, number>>;
}

/** What is kept of a page and shown to people and programs: the same in JSONL, library and API. */
export interface Page {
  readonly schemaVersion: 1;
  readonly id: number;
  readonly uid: string;
  readonly siteId: number;
  readonly crawlId: number;
  /** Place in the order of settling, for replay. */
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
  /** What it is if it is not the page that was asked for; null where nobody looked. */
  readonly verdict: PageVerdict | null;
  readonly noindex: boolean;
  readonly canonicalUrl: string | null;
  /** The page with the same text and links, or nearly the same text, that was known before this one. */
  readonly duplicateOf: string | null;
  readonly nearDuplicateOf: string | null;
  readonly linkCount: number;
  /** What people wrote on it. Values of metadata that they corrected have the source `manual`. */
  readonly note: string;
  readonly tags: readonly string[];
  /** Its best links, where there are keywords. */
  readonly topLinks?: readonly TopLink[];
}

/**
 * Why a run ended. `stopped`: a person or a program asked for it. `no-pages`: it asked, and not one page came. `failed`: an error of ours.
 * `died`: its process ended without a word; nobody could write that down, so it is found out when the run is looked at.
 */
/** What is told of a page that was gone in an earlier run and answers now. */
export const BACK = "was gone, and is there again";

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

/** Why a host's next turn is when it is. */
export type DelayCause = "rate" | "crawl-delay" | "retry-after" | "slow" | "backoff" | "paused";
