import type { Place, StoredCandidate } from "../frontier/index.ts";
import type { Candidate, Hash64, Reason, Via, VisitKind } from "../records.ts";
import type { Clue } from "../score/index.ts";
import type { Heard, HeardAgain, HeardMore } from "../store/index.ts";
import { hostOf } from "../url/index.ts";
import type { LinkFate } from "./events.ts";
import type { LinkSet } from "./link-set.ts";

/** A URL somebody named. */
export interface Mention {
  readonly url: string;
  readonly key: string;
  readonly hash: Hash64;
  readonly kind: VisitKind;
  readonly via: Via;
  readonly depth: number;
  readonly hops: number;
  /** When the page last changed, if a sitemap says so. */
  readonly lastmod: number | undefined;
  /** rel=nofollow: asked for later than others. */
  readonly isUnloved: boolean;
  /** Its URL would have to be unpacked first, which is only worth it for a new one. */
  readonly isPacked?: boolean;
  /** Its robots.txt names too many sitemaps before it. */
  readonly isSurplus?: boolean;
  /** Where it stands, if that is not to be worked out. */
  readonly place?: Place;
  /** What it promises, where keywords are given; made when it is asked for. */
  readonly clue?: (() => Clue) | undefined;
}

/** What each link of a page promises. */
export type Clues = (index: number) => Clue;

export const keyText = (hash: Hash64) => `${hash.hi}.${hash.lo}`;

/** Who named it. */
export interface Namer {
  readonly id: number | undefined;
  readonly url: string | undefined;
  readonly siteId: number;
}

/**
 * A link that a page names. A class, because an object that is written with getters is of a kind of its own each time, and every look at it
 * is then as slow as the first.
 */
export class LinkMention implements Mention {
  readonly hash: Hash64;
  readonly kind = "page";
  readonly via: Via;
  readonly depth: number;
  readonly hops: number;
  readonly lastmod = undefined;
  readonly isUnloved: boolean;
  readonly isPacked: boolean;
  readonly clue: (() => Clue) | undefined;
  readonly #links: LinkSet;
  readonly #index: number;
  #url: string | undefined;

  constructor(links: LinkSet, index: number, { depth, hops }: Pick<Mention, "depth" | "hops">, clues?: Clues) {
    // A meta refresh is a redirect by other means: no click, so no depth.
    const isRefresh = links.isRefresh(index);
    this.#links = links;
    this.#index = index;
    this.hash = links.hash(index);
    this.via = isRefresh ? "refresh" : links.isCanonical(index) ? "canonical" : "link";
    this.depth = isRefresh ? depth : depth + 1;
    this.hops = isRefresh ? hops + 1 : 0;
    this.isUnloved = links.isUnloved(index);
    this.isPacked = links.isPacked;
    this.clue = clues && (() => clues(index));
  }

  /** Put together when it is asked for first: most links are known by their hashes. */
  get url(): string {
    this.#url ??= this.#links.url(this.#index);
    return this.#url;
  }

  get key(): string {
    return this.#links.key(this.#index) || this.url;
  }
}

export type MutableHeard = { -readonly [K in keyof Heard]: Heard[K] };

/** What becomes of a URL that nobody had named before. */
export interface Decided {
  readonly siteId: number;
  readonly place: Place;
  readonly reason: Reason;
  readonly rule: string;
}

/** Its row in the ledger. Field by field: one is made for every URL, and a record put together from others takes ten times as long. */
export function heardOf(mention: Mention, from: Namer, { siteId, place, reason, rule }: Decided): MutableHeard {
  const { url } = mention;
  return {
    url,
    key: mention.key,
    hash: mention.hash,
    host: hostOf(url),
    kind: mention.kind,
    depth: mention.depth,
    hops: mention.hops,
    via: mention.via,
    parent: from.url,
    siteId,
    level: place.level,
    priority: place.priority,
    verdict: reason === "ok" ? "queued" : "skipped",
    reason,
    rule,
    parentId: from.id,
  };
}

/** Limits that end what has no end of its own. */
const BEYOND: ReadonlySet<Reason> = new Set(["depth", "components", "length"]);

/** Of what was heard from a place on: what waits to be visited, and how many lie past a limit. */
export function freshIn(heard: readonly Heard[], from: number): { fresh: Hash64[]; beyond: number } {
  const fresh: Hash64[] = [];
  let beyond = 0;
  for (let at = from; at < heard.length; at++) {
    const { verdict, hash, reason } = heard[at]!;
    if (verdict === "queued") fresh.push(hash);
    if (BEYOND.has(reason)) beyond += 1;
  }
  return { fresh, beyond };
}

/** What was heard and is on disk, as it waits. */
export function storedOf(
  { url, key, hash, host, kind, depth, hops, via, parent, siteId, level, priority }: Candidate,
  id: number,
): StoredCandidate {
  return { id, url, key, hash, host, kind, depth, hops, via, parent, siteId, level, priority, attempts: 0 };
}

/** What admission decided for one batch: rows to write, and what the frontier is told once they are written. */
export interface Plan {
  readonly heard: MutableHeard[];
  readonly again: Map<number, HeardAgain>;
  /** Named once more; what is written, and what the frontier needs to find the row that waits. */
  readonly more: (HeardMore & { host: string })[];
  readonly requeued: StoredCandidate[];
  readonly skips: Reason[];
  /** Why those had been skipped that are let in after all. */
  readonly freed: Reason[];
  readonly moved: { host: string; id: number; depth: number; level: number; priority: number }[];
  readonly fates: { from: Namer; url: string; depth: number; via: Via; fate: LinkFate }[];
}

/** What became of a page's links: new ones to visit, the number of new ones past a limit, and those that one other page had named before. */
export interface LinksHeard {
  readonly fresh: readonly Hash64[];
  readonly beyond: number;
  readonly second: readonly Hash64[];
  readonly news: readonly NewLink[];
}

/** A link nobody had named before, and the template of the trap it could belong to. */
export interface NewLink {
  readonly hash: Hash64;
  readonly template: string | undefined;
}
