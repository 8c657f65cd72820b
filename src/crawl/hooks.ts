import type { Factors } from "../frontier/index.ts";
import type { Fetched, Link, Reason, Visit } from "../records.ts";
import type { SaidWord } from "../store/index.ts";

/**
 * What others may say along a URL's way: a port, implemented for plugins by the library. Each is asked where its answer can narrow or
 * add, never where it could hurry: a URL it names is admitted like any other, and a request it shapes has its turn already.
 */
export interface Hooks {
  /** URLs to begin with besides the seeds. They open no private address. */
  readonly seeds: readonly string[];
  /** Another spelling for a URL, before it is compared with those already heard of. */
  readonly rewrite?: ((url: string) => string | undefined) | undefined;
  readonly filter?: ((url: string, from: string | undefined) => { readonly reason: Reason; readonly rule: string } | undefined) | undefined;
  /** Added to the worth of a URL, which is 0–1 without it. */
  readonly bonus?: ((url: string, factors: Factors) => number) | undefined;
  readonly beforeFetch?: ((visit: Visit) => Promise<Wish>) | undefined;
  readonly afterFetch?: ((visit: Visit, fetched: Fetched) => Promise<void>) | undefined;
  /** What words apply to the links of a page that is new or changed, besides what the embedded scorer finds; by their places. */
  readonly scoreLinks?: ((visit: Visit, links: readonly Link[]) => Promise<SaidOfLinks>) | undefined;
  /** A look at the body of a page that was read, or of the stored one if it did not change. */
  readonly look?: ((visit: Visit, body: SeenBody) => Promise<Looked>) | undefined;
}

export type SaidOfLinks = ReadonlyMap<number, readonly SaidWord[]>;

/** Headers to send along, or how long to leave the URL alone, in milliseconds. */
export interface Wish {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly defer?: number | undefined;
}

export interface SeenBody {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

export interface Looked {
  /** Absolute URLs the page leads to besides its own links. */
  readonly links: readonly string[];
  /** Travels with the page to whoever listens. */
  readonly data: unknown;
}

export const nothingSeen: SeenBody = { status: 0, contentType: undefined, bytes: new Uint8Array(0) };
