import type { Place, StoredCandidate } from "../frontier/index.ts";
import type { Candidate, Hash64, Reason, Via, VisitKind } from "../records.ts";
import type { Clue } from "../score/index.ts";
import type { Heard, HeardAgain, HeardMore } from "../store/index.ts";
import { hostOf } from "../url/index.ts";
import type { LinkFate } from "./events.ts";
import type { LinkSet } from "./link-set.ts";

/** One mention of a URL: by a page, a sitemap, a redirect, or as a seed. */
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
  /** rel=nofollow: queued behind other links. */
  readonly isUnloved: boolean;
  /** The URL is still packed in its link table; unpacking is only worth it for a new one. */
  readonly isPacked?: boolean;
  /** The robots.txt that names it names too many sitemaps before it. */
  readonly isSurplus?: boolean;
  /** A fixed queue position, if it is not to be calculated. */
  readonly place?: Place;
  /** The expected value under the keywords, calculated on first use. */
  readonly clue?: (() => Clue) | undefined;
}

/** The expected value of each link of a page, by index. */
export type Clues = (index: number) => Clue;

export const keyText = (hash: Hash64) => `${hash.hi}.${hash.lo}`;

/** The page or seed that named a URL. */
export interface Namer {
  readonly id: number | undefined;
  readonly url: string | undefined;
  readonly siteId: number;
}

/**
 * A link of a page. A class, because V8 gives each object literal with getters a hidden class of its own, so property access never gets
 * fast.
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

  /** Built on first access: most links are known by their hashes, and their URLs are never needed. */
  get url(): string {
    this.#url ??= this.#links.url(this.#index);
    return this.#url;
  }

  get key(): string {
    return this.#links.key(this.#index) || this.url;
  }
}

export type MutableHeard = { -readonly [K in keyof Heard]: Heard[K] };

/** The decision on a URL that was not known before. */
export interface Decided {
  readonly siteId: number;
  readonly place: Place;
  readonly reason: Reason;
  readonly rule: string;
}

/** Its row in the ledger. Written field by field: one is made per URL, and spreading objects takes ten times as long. */
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

/** Reasons that mean a URL was cut off by a limit rather than by its site. */
const BEYOND: ReadonlySet<Reason> = new Set(["depth", "components", "length"]);

/** From index `from` on: the hashes that are queued, and the number that lie past a limit. */
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

/** A row that is on disk, as the frontier's candidate. */
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
  /** Repeat mentions: the new count to store, and the host needed to re-rank the queued row. */
  readonly more: (HeardMore & { host: string })[];
  readonly requeued: StoredCandidate[];
  readonly skips: Reason[];
  /** The earlier skip reason of each URL that is admitted after all; its count is taken back. */
  readonly freed: Reason[];
  readonly moved: { host: string; id: number; depth: number; level: number; priority: number }[];
  readonly fates: { from: Namer; url: string; depth: number; via: Via; fate: LinkFate }[];
}

/**
 * The result for a page's links: new ones to visit, the number of new ones past a limit, and those that one other page had named before.
 */
export interface LinksHeard {
  readonly fresh: readonly Hash64[];
  readonly beyond: number;
  readonly second: readonly Hash64[];
  readonly news: readonly NewLink[];
}

/** A link that nothing had named before, and the template of the trap it may belong to. */
export interface NewLink {
  readonly hash: Hash64;
  readonly template: string | undefined;
}

/** The new rows that are queued for a visit. */
export function freshOf(heard: Plan["heard"], ids: readonly number[]): StoredCandidate[] {
  const fresh: StoredCandidate[] = [];
  for (const [index, one] of heard.entries()) {
    const id = ids[index]!;
    if (one.verdict === "queued" && id !== 0) fresh.push(storedOf(one, id));
  }
  return fresh;
}
