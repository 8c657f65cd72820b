import type { Fetched, Link, Reason, Visit } from "../../core/records.ts";
import type { GivenMatch } from "../../store/index.ts";
import type { Factors } from "../frontier/index.ts";

/**
 * Plugin hooks of the crawl: a port, implemented by the library. A hook can only narrow or add, and can never make a request earlier: URLs
 * it names are admitted like any other, and a request it changes already has its turn.
 */
export interface Hooks {
  /** URLs to start from besides the seeds. They do not permit private addresses. */
  readonly seeds: readonly string[];
  /** Rewrites a URL before it is compared with known ones. */
  readonly rewrite?: ((url: string) => string | undefined) | undefined;
  readonly filter?: ((url: string, from: string | undefined) => { readonly reason: Reason; readonly rule: string } | undefined) | undefined;
  /** Added to the priority of a URL, which is 0–1 without it. */
  readonly bonus?: ((url: string, factors: Factors) => number) | undefined;
  readonly beforeFetch?: ((visit: Visit) => Promise<RequestChange>) | undefined;
  readonly afterFetch?: ((visit: Visit, fetched: Fetched) => Promise<void>) | undefined;
  /** Additional keyword matches for the links of a new or changed page, besides the embedded scorer's; by link position. */
  readonly scoreLinks?: ((visit: Visit, links: readonly Link[]) => Promise<PluginLinkScores>) | undefined;
  /** Called with the body of a page that was read, or with the stored body if the page did not change. */
  readonly look?: ((visit: Visit, body: PageBody) => Promise<PluginPageData>) | undefined;
}

export type PluginLinkScores = ReadonlyMap<number, readonly GivenMatch[]>;

/** Headers for the request, or a delay in milliseconds before the URL is tried again. */
export interface RequestChange {
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly defer?: number | undefined;
}

export interface PageBody {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
}

export interface PluginPageData {
  /** Absolute URLs that the page leads to besides its own links. */
  readonly links: readonly string[];
  /** Passed with the page to event listeners. */
  readonly data: unknown;
}

export const emptyBody: PageBody = { status: 0, contentType: undefined, bytes: new Uint8Array(0) };
