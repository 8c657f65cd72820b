import type { StoredBody } from "../core/records.ts";

/** One request and its response as sent over the network, in a run that saves archives. */
export interface Exchange {
  readonly siteId: number;
  readonly url: string;
  readonly at: number;
  readonly status: number;
  /** The IP address that answered. */
  readonly address: string | undefined;
  /** First line and headers; each byte is one character (Latin-1). */
  readonly request: string;
  readonly response: string;
  /** The body with its codings decoded; after a 304, the hash of the body it confirms. */
  readonly body: StoredBody | undefined;
  /** Why the body is incomplete, as a WARC-Truncated value. */
  readonly truncated: Truncated | undefined;
}

export type Truncated = "length" | "time" | "disconnect" | "unspecified";

export interface StoredExchange extends Omit<Exchange, "body"> {
  readonly id: number;
  readonly runId: number;
  readonly bodyHash: string | undefined;
}

/** What is known about the response that brought a page's current version, if the exchange itself was not stored. */
export interface PageResponse {
  readonly url: string;
  readonly at: number;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Undefined if later responses had other values. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly bodyHash: string | undefined;
}

export interface ExchangeRange {
  readonly siteId?: number | undefined;
  readonly runId?: number | undefined;
}

/** The data for archives: part of every store. */
export interface ExchangeStore {
  /** In the order of settling. */
  all(range: ExchangeRange): AsyncIterable<StoredExchange>;
  /** The first exchange in the range with this body and URL, and with an id below `before` if given. */
  findOriginal(
    of: { readonly url: string; readonly bodyHash: string },
    range: ExchangeRange,
    before?: number,
  ): Promise<StoredExchange | undefined>;
  /** Pages whose body is in no exchange of the range. */
  pageResponses(range: ExchangeRange): AsyncIterable<PageResponse>;
}
