import type { StoredBody } from "../records.ts";

/** One request and its answer as they went over the wire, in a run that saves archives. */
export interface Exchange {
  readonly siteId: number;
  readonly url: string;
  readonly at: number;
  readonly status: number;
  /** The address that answered. */
  readonly address: string | undefined;
  /** First line and headers; a byte is a character. */
  readonly request: string;
  readonly response: string;
  /** What came, with its codings undone; after a 304 the name of what it vouches for. */
  readonly body: StoredBody | undefined;
  /** Why there is less of the body than the server had, in the words of WARC-Truncated. */
  readonly truncated: Truncated | undefined;
}

export type Truncated = "length" | "time" | "disconnect" | "unspecified";

export interface StoredExchange extends Omit<Exchange, "body"> {
  readonly id: number;
  readonly runId: number;
  readonly bodyHash: string | undefined;
}

/** All that is known of how a page answered when its current version came, where nobody kept the answer itself. */
export interface PageAnswer {
  readonly url: string;
  readonly at: number;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Undefined where later answers brought others. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly bodyHash: string | undefined;
}

export interface ExchangeRange {
  readonly siteId?: number | undefined;
  readonly runId?: number | undefined;
}

/** What archives are made of: part of every store. */
export interface ExchangeShelf {
  /** In the order they were settled. */
  all(range: ExchangeRange): AsyncIterable<StoredExchange>;
  /** The first in the range that brought this body from this address, and earlier than another if one is named. */
  original(
    of: { readonly url: string; readonly bodyHash: string },
    range: ExchangeRange,
    before?: number,
  ): Promise<StoredExchange | undefined>;
  /** Of pages whose body no exchange in the range brought. */
  answers(range: ExchangeRange): AsyncIterable<PageAnswer>;
}
