import type { Clue } from "../../../analysis/score/index.ts";
import { hostOf } from "../../../analysis/url/index.ts";
import type { Candidate, Hash64, Reason, Via, VisitKind } from "../../../core/records.ts";
import type { MentionUpdate, NewUrl, UpdatedRow } from "../../../store/index.ts";
import type { Place, StoredCandidate } from "../../frontier/index.ts";
import type { LinkResult } from "../events.ts";
import type { LinkSet } from "../read/link-set.ts";

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
  readonly isNofollow: boolean;
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

export const hashText = (hash: Hash64) => `${hash.hi}.${hash.lo}`;

/** The page or seed that named a URL. */
export interface MentionSource {
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
  readonly isNofollow: boolean;
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
    this.isNofollow = links.isNofollow(index);
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

export type MutableNewUrl = { -readonly [K in keyof NewUrl]: NewUrl[K] };

/** The decision on a URL that was not known before. */
export interface Decision {
  readonly siteId: number;
  readonly place: Place;
  readonly reason: Reason;
  readonly rule: string;
}

/** Its row in the ledger. Written field by field: one is made per URL, and spreading objects takes ten times as long. */
export function newUrlOf(mention: Mention, from: MentionSource, { siteId, place, reason, rule }: Decision): MutableNewUrl {
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
const LIMIT_REASONS: ReadonlySet<Reason> = new Set(["depth", "components", "length"]);

/** From index `from` on: the hashes that are queued, and the number that lie past a limit. */
export function queuedHashesIn(newUrls: readonly NewUrl[], from: number): { fresh: Hash64[]; beyond: number } {
  const fresh: Hash64[] = [];
  let beyond = 0;
  for (let at = from; at < newUrls.length; at++) {
    const { verdict, hash, reason } = newUrls[at]!;
    if (verdict === "queued") fresh.push(hash);
    if (LIMIT_REASONS.has(reason)) beyond += 1;
  }
  return { fresh, beyond };
}

/** A row that is on disk, as the frontier's candidate. */
export function storedCandidateOf(
  { url, key, hash, host, kind, depth, hops, via, parent, siteId, level, priority }: Candidate,
  id: number,
): StoredCandidate {
  return { id, url, key, hash, host, kind, depth, hops, via, parent, siteId, level, priority, attempts: 0 };
}

/** What admission decided for one batch: rows to write, and what the frontier is told once they are written. */
export interface AdmissionPlan {
  readonly newUrls: MutableNewUrl[];
  readonly updatedRows: Map<number, UpdatedRow>;
  /** Repeat mentions: the new count to store, and the host needed to re-rank the queued row. */
  readonly mentionCounts: (MentionUpdate & { host: string })[];
  readonly requeued: StoredCandidate[];
  readonly skips: Reason[];
  /** The earlier skip reason of each URL that is admitted after all; its count is taken back. */
  readonly withdrawnSkips: Reason[];
  readonly moved: { host: string; id: number; depth: number; level: number; priority: number }[];
  readonly linkResults: { from: MentionSource; url: string; depth: number; via: Via; fate: LinkResult }[];
}

/**
 * The result for a page's links: new ones to visit, the number of new ones past a limit, and those that one other page had named before.
 */
export interface AdmittedLinks {
  readonly fresh: readonly Hash64[];
  readonly beyond: number;
  readonly secondMentions: readonly Hash64[];
  readonly newLinks: readonly NewLink[];
}

/** A link that nothing had named before, and the template of the trap it may belong to. */
export interface NewLink {
  readonly hash: Hash64;
  readonly template: string | undefined;
}

/** The new rows that are queued for a visit. */
export function queuedRowsOf(newUrls: AdmissionPlan["newUrls"], ids: readonly number[]): StoredCandidate[] {
  const fresh: StoredCandidate[] = [];
  for (const [index, one] of newUrls.entries()) {
    const id = ids[index]!;
    if (one.verdict === "queued" && id !== 0) fresh.push(storedCandidateOf(one, id));
  }
  return fresh;
}
