import {
  hash64,
  hostOf,
  type KeyOptions,
  resolve,
  type ScopeVerdict,
  type SessionIds,
  type TrapGuard,
} from "../../../analysis/url/index.ts";
import type { Hash64, LinkMatches, Reason, Via, VisitKind } from "../../../core/records.ts";
import type { LedgerRow, Store } from "../../../store/index.ts";
import { isWrittenDown, type PageType, type Place, pageTypeOf, type Seen, sunk } from "../../frontier/index.ts";
import type { LinkResult } from "../events.ts";
import type { Hooks } from "../hooks.ts";
import type { LinkSet } from "../read/link-set.ts";
import { storedLinksOfPage } from "../read/stored-links-of-page.ts";
import type { Gate } from "./gate.ts";
import type { KnownTypes } from "./known-types.ts";
import {
  type AdmissionPlan,
  type AdmittedLinks,
  type Decision,
  hashText,
  LinkMention,
  type Mention,
  type MentionSource,
  type MutableNewUrl,
  type NewLink,
  newUrlOf,
  queuedHashesIn,
} from "./mention.ts";
import type { OutOfScopeUrls } from "./out-of-scope.ts";
import { frontPlace, type QueuePlaceSetup, queuePlaceOf } from "./queue-place.ts";
import type { SitemapLimits } from "./sitemap-limits.ts";
import { TimeSlicer } from "./time-slicer.ts";

export interface AdmissionSetup extends QueuePlaceSetup {
  readonly store: Store;
  readonly runId: number;
  readonly siteIds: readonly number[];
  readonly seen: Seen;
  /** URLs that failed permanently in earlier runs. */
  readonly failed: Seen;
  /** URLs fetched in earlier runs whose content type is not read. */
  readonly knownTypes: KnownTypes;
  /** In a run of due pages: the known URLs that are scheduled for a later visit. */
  readonly notDue: Seen | undefined;
  readonly gate: Gate;
  readonly traps: TrapGuard | undefined;
  readonly sessions: SessionIds | undefined;
  readonly key: KeyOptions;
  readonly maxDepth: number;
  readonly followLinks: boolean;
  /** Whether skipped URLs and mention counts are written to the ledger. */
  readonly storesDecisions: boolean;
  /** Whether a listener wants the fate of each link. */
  readonly wantsLinkResults: boolean;
  /** Whether earlier runs may have left permanent failures and known types. */
  readonly hasHistory: boolean;
  /** Can change during the run: a seed that redirects brings its target into scope. */
  readonly scope: () => (url: string) => ScopeVerdict;
  readonly outOfScope: OutOfScopeUrls;
  readonly sitemaps: SitemapLimits;
  /** Called when a source of URLs is skipped, so that the run knows its picture of the site is incomplete. */
  readonly onIncomplete: () => void;
}

type PlacementInput = Parameters<typeof queuePlaceOf>[1];

/** The fields that decide the queue position, at the given depth. */
const atDepth = ({ hash, url, lastmod, isNofollow }: PlacementInput, depth: number): PlacementInput => ({
  hash,
  url,
  depth,
  lastmod,
  isNofollow,
});

export const MAX_HOPS = 10;
const MAX_MOVED_TO_FRONT = 1000;

const admitted = { verdict: "queued", reason: "ok", rule: "" } as const;

const isVisited = ({ verdict }: LedgerRow) => verdict === "fetched" || verdict === "not-modified";

/**
 * Admission checks scope and duplicates. Each URL is judged once per run; further mentions are only counted, unless they are nearer. Then
 * the smaller depth is stored, and the links of a page that was already visited are admitted again at the new depth, without a fetch.
 */
export class Admission {
  readonly #setup: AdmissionSetup;
  readonly #inPlan = new Map<string, MutableNewUrl>();
  readonly #nearer: { row: LedgerRow; mention: Mention; depth: number }[] = [];
  /** Links and redirect targets of pages in the current batch, by ledger id; their rows are not written yet. */
  readonly #targetsInBatch = new Map<number, { readonly links?: LinkSet; readonly target?: string }>();
  #mentionNumber = 0;
  readonly #news: NewLink[] = [];
  readonly #slicer = new TimeSlicer();
  readonly plan: AdmissionPlan = {
    newUrls: [],
    updatedRows: new Map(),
    mentionCounts: [],
    skips: [],
    withdrawnSkips: [],
    requeued: [],
    moved: [],
    linkResults: [],
  };

  constructor(setup: AdmissionSetup, mentionNumber: number) {
    this.#setup = setup;
    this.#mentionNumber = mentionNumber;
  }

  /** The links of a page, in document order. */
  async admitLinks(links: LinkSet, from: MentionSource, depth: number, hops: number, matches?: LinkMatches): Promise<AdmittedLinks> {
    const { followLinks, estimator } = this.#setup;
    const planned = this.plan.newUrls.length;
    const secondMentions: Hash64[] = [];
    const linkClues = estimator?.cluesOf(links, matches, from.url);
    if (!followLinks) return { fresh: [], beyond: 0, secondMentions, newLinks: [] };
    if (from.id !== undefined) this.#targetsInBatch.set(from.id, { links });
    const known = this.#news.length;
    // Depth-first order visits the latest mention first, so a page's links are numbered backwards.
    const first = this.#mentionNumber + links.count;
    this.#mentionNumber = first;
    const again = linkClues && ((index: number) => estimator?.addMention(links.hash(index), () => linkClues(index), from.url));
    for (let index = this.#next(links, 0, depth, again); index < links.count; index = this.#next(links, index + 1, depth, again)) {
      const hash = links.hash(index);
      const heard = this.admit(new LinkMention(links, index, { depth, hops }, linkClues), from, first - index);
      const linkResult = typeof heard === "string" ? heard : await heard;
      if (linkResult === "known" && this.#isSecondMention(hash, from) && (links.isPacked || this.#setup.scope()(links.url(index)).ok))
        secondMentions.push(hash);
    }
    const { fresh, beyond } = queuedHashesIn(this.plan.newUrls, planned);
    return { fresh, beyond, secondMentions, newLinks: this.#news.slice(known) };
  }

  /** Index of the next link that needs more than a count. Most links lead to known URLs, and `isCounted` counts those here. */
  #next(links: LinkSet, from: number, depth: number, updateKnown: ((index: number) => void) | undefined): number {
    const { seen, wantsLinkResults, hooks } = this.#setup;
    const mayCount = !wantsLinkResults && !hooks?.rewrite;
    for (let index = from; index < links.count; index++) {
      updateKnown?.(index);
      if (!mayCount || !seen.isCounted(links.hashes, 2 * index, links.isRefresh(index) ? depth : depth + 1)) return index;
    }
    return links.count;
  }

  /** Number of the latest mention; in depth-first order a higher number is visited earlier. */
  get mentionNumber(): number {
    return this.#mentionNumber;
  }

  /** True if one other page named it before and it is not next to the seeds. */
  #isSecondMention(hash: Hash64, from: MentionSource): boolean {
    const { seen, maxDepth } = this.#setup;
    const depth = seen.depthOf(hash) ?? 0;
    return seen.mentionsOf(hash) === 2 && depth > 1 && depth <= maxDepth && this.#inPlan.get(hashText(hash))?.parentId !== from.id;
  }

  /** Moves a queued URL to the front, deepest first. The host finds the row of a URL that was admitted in an earlier batch. */
  moveToFront(hash: Hash64, host = ""): void {
    const { seen, frontier, movedToFront } = this.#setup;
    if (frontier.order !== "best") return;
    if (movedToFront.has(hashText(hash))) return;
    if (movedToFront.size >= MAX_MOVED_TO_FRONT) movedToFront.clear();
    movedToFront.add(hashText(hash));
    const heard = this.#inPlan.get(hashText(hash));
    const place = frontPlace(heard?.depth ?? seen.depthOf(hash) ?? 0);
    if (heard) Object.assign(heard, place);
    else if (host !== "") this.plan.mentionCounts.push({ hash, mentions: seen.mentionsOf(hash), place, host });
  }

  /** Re-ranks queued URLs whose expected value has changed. Call after everything in the batch was heard. */
  rerank(): void {
    const { estimator, seen } = this.#setup;
    for (const awaited of estimator?.changedEstimates() ?? []) {
      const mentions = seen.mentionsOf(awaited.hash);
      const place = queuePlaceOf(this.#setup, awaited, 0, mentions);
      const heard = this.#inPlan.get(hashText(awaited.hash));
      if (heard) Object.assign(heard, place);
      else this.plan.mentionCounts.push({ hash: awaited.hash, mentions, place, host: hostOf(awaited.url) });
    }
  }

  /** Records the links of a nofollow page as skipped, unless they are known already. */
  refuseLinks(links: LinkSet, from: MentionSource, depth: number): void {
    for (let index = 0; index < links.count; index++) {
      const hash = links.hash(index);
      if (this.#setup.seen.depthOf(hash) !== undefined || this.#inPlan.has(hashText(hash))) continue;
      const mention = new LinkMention(links, index, { depth, hops: 0 });
      this.#write(mention, from, { siteId: from.siteId, place: sunk, reason: "meta.nofollow", rule: `${from.url} says nofollow` });
    }
  }

  /** URLs that a plugin names for a page, besides the links in the page itself. */
  async admitUrls(urls: readonly string[], from: MentionSource, depth: number): Promise<void> {
    if (!this.#setup.followLinks) return;
    for (const url of urls) {
      const mention = this.mention(url, { via: "link", depth: depth + 1, hops: 0 });
      if (mention) await this.admit(mention, from);
    }
  }

  /**
   * Synchronous where possible: most links need nothing from the store, and three promises per link would cost more than the work itself.
   */
  admit(given: Mention, from: MentionSource, mentionNumber = ++this.#mentionNumber): LinkResult | Promise<LinkResult> {
    const pause = this.#slicer.next();
    return pause ? pause.then(() => this.#admitNow(given, from, mentionNumber)) : this.#admitNow(given, from, mentionNumber);
  }

  #admitNow(given: Mention, from: MentionSource, mentionNumber: number): LinkResult | Promise<LinkResult> {
    const mention = this.#setup.hooks?.rewrite ? this.#rewritten(given, this.#setup.hooks.rewrite) : given;
    if (mention.via === "redirect" && from.id !== undefined) this.#targetsInBatch.set(from.id, { target: mention.url });
    const linkResult = this.#resultOf(mention, from, mentionNumber);
    return this.#setup.wantsLinkResults ? this.#recordResult(mention, from, linkResult) : linkResult;
  }

  async #recordResult(mention: Mention, from: MentionSource, pending: LinkResult | Promise<LinkResult>): Promise<LinkResult> {
    const linkResult = await pending;
    this.plan.linkResults.push({ from, url: mention.url, depth: mention.depth, via: mention.via, fate: linkResult });
    return linkResult;
  }

  /** Plugins do not rewrite seeds, stored URLs (probe, due) or sitemaps. */
  #rewritten(given: Mention, rewrite: NonNullable<Hooks["rewrite"]>): Mention {
    if (given.via === "seed" || given.via === "probe" || given.via === "due" || given.kind !== "page") return given;
    const url = rewrite(given.url);
    const named = url === undefined || url === given.url ? undefined : this.mention(url, given);
    return named ? { ...named, lastmod: given.lastmod, isNofollow: given.isNofollow } : given;
  }

  #resultOf(mention: Mention, from: MentionSource, mentionNumber: number): LinkResult | Promise<LinkResult> {
    const { seen, notDue } = this.#setup;
    if (notDue && mention.via !== "due" && mention.via !== "seed" && notDue.depthOf(mention.hash) !== undefined) return "known";
    const news = seen.mention(mention.hash, mention.depth);
    if (news === "new") return this.#decideNew(mention, from, mentionNumber);
    const inPlan = this.#inPlan.get(hashText(mention.hash));
    if (inPlan && inPlan.reason !== "meta.nofollow") {
      if (mention.depth < inPlan.depth) this.#reduceDepth(inPlan, mention, mentionNumber);
      return "known";
    }
    const mentions = seen.mentionsOf(mention.hash);
    if (news === "known" && !isWrittenDown(mentions)) return "known";
    if (news === "known" && !this.#setup.storesDecisions) return "known";
    if (news === "known") {
      const depth = seen.depthOf(mention.hash) ?? mention.depth;
      const isUnknown = mention.isPacked || this.#setup.estimator?.isTracked(mention.hash) === false;
      const place = isUnknown ? undefined : this.#placeOf(atDepth(mention, depth), mentionNumber, mentions);
      this.plan.mentionCounts.push({ hash: mention.hash, mentions, place, host: mention.isPacked ? "" : hostOf(mention.url) });
      return "known";
    }
    return this.#resultFromLedger(mention, from, { news, mentions, mentionNumber });
  }

  async #resultFromLedger(
    mention: Mention,
    from: MentionSource,
    { news, mentions, mentionNumber }: { news: "nearer" | "unsure"; mentions: number; mentionNumber: number },
  ): Promise<LinkResult> {
    const [row] = await this.#setup.store.ledgerRows(this.#setup.runId, [mention.hash]);
    if (!row) return news === "unsure" || !this.#setup.storesDecisions ? this.#decideNew(mention, from, mentionNumber) : "known";
    this.#updateKnown(row, mention, from, { mentions: news === "unsure" ? row.mentions + 1 : mentions, mentionNumber });
    // Another process may have written this smaller depth while the page was being visited; its links were admitted at the old depth.
    if (news === "nearer" && row.depth === mention.depth && isVisited(row)) this.#nearer.push({ row, mention, depth: row.depth });
    return "known";
  }

  /** The URL was admitted earlier in this batch and its row is not written yet, so its depth can be changed in place. */
  #reduceDepth(heard: MutableNewUrl, mention: Mention, mentionNumber: number): void {
    heard.depth = mention.depth;
    const isTooDeep = mention.depth > this.#setup.maxDepth;
    const isReadmitted = heard.reason === "depth" && !isTooDeep;
    if (isReadmitted) this.plan.withdrawnSkips.push(heard.reason);
    if (isReadmitted) Object.assign(heard, admitted);
    const isLast = isReadmitted ? this.#hasFailed(mention.hash) : heard.priority === sunk.priority;
    if (heard.verdict === "queued" && !isLast) Object.assign(heard, this.#placeOf(mention, mentionNumber, 1));
  }

  /** The scope has grown: admit URLs that were skipped because of it. */
  async admitNowInScope(): Promise<void> {
    const { outOfScope, scope, store, runId } = this.#setup;
    for (const { url, given, from, reason } of outOfScope.take((one) => scope()(one).ok)) {
      this.plan.withdrawnSkips.push(reason);
      const mention = this.mention(url, given);
      if (!mention) continue;
      const inPlan = this.#inPlan.get(hashText(mention.hash));
      const mentionNumber = ++this.#mentionNumber;
      const [row] = inPlan ? [] : await store.ledgerRows(runId, [mention.hash]);
      if (row) this.#updateKnown(row, mention, from, { mentions: row.mentions, mentionNumber });
      else if (!inPlan) await this.#decideNew(mention, from, mentionNumber);
      else if (inPlan.reason.startsWith("scope.") && inPlan.depth <= this.#setup.maxDepth) {
        const place = this.#placeOf(mention, mentionNumber, 1);
        Object.assign(inPlan, admitted, place, { siteId: this.#siteOf(scope()(url), from.siteId) });
      }
    }
  }

  /** True if the reason for which the URL was skipped no longer applies. */
  #isAllowedNow({ verdict, reason, url }: LedgerRow, depth: number): boolean {
    if (verdict !== "skipped" || depth > this.#setup.maxDepth) return false;
    return reason === "depth" || (reason.startsWith("scope.") && this.#setup.scope()(url).ok);
  }

  #updateKnown(
    row: LedgerRow,
    mention: Mention,
    from: MentionSource,
    { mentions, mentionNumber }: { mentions: number; mentionNumber: number },
  ): void {
    const known = this.plan.updatedRows.get(row.id);
    const before = known?.depth ?? row.depth;
    const depth = Math.min(before, mention.depth);
    const requeue = (known?.requeue ?? false) || this.#isAllowedNow(row, depth);
    const place = this.#placeOf(atDepth(mention, depth), mentionNumber, mentions);
    this.plan.updatedRows.set(row.id, { id: row.id, depth, isNearer: depth < row.depth, ...place, mentions, requeue });
    const host = hostOf(mention.url);
    if (requeue && !known?.requeue) {
      if (row.reason === "depth") this.plan.withdrawnSkips.push(row.reason);
      this.plan.requeued.push({ ...this.#candidate(mention, host, from, place), id: row.id, attempts: 0 });
    } else if (row.verdict === "queued") this.plan.moved.push({ host, id: row.id, depth, ...place });
    if (depth < before && (isVisited(row) || this.#targetsInBatch.has(row.id))) this.#nearer.push({ row, mention, depth });
  }

  /** Propagate smaller depths to the links of visited pages. Call after everything in the batch was heard. */
  async propagateDepths(): Promise<void> {
    for (let next = this.#nearer.shift(); next; next = this.#nearer.shift()) {
      const { row, depth, mention } = next;
      const from: MentionSource = { id: row.id, url: row.url, siteId: this.#siteOf(this.#setup.scope()(row.url), this.#setup.siteIds[0]!) };
      const { links, target: movedTo = row.target } = this.#targetsInBatch.get(row.id) ?? {};
      if (movedTo !== undefined) {
        const target = this.mention(movedTo, { via: "redirect", depth, hops: mention.hops + 1 });
        if (target) await this.admit(target, from);
      }
      const stored =
        links || row.pageId === undefined ? undefined : await storedLinksOfPage(this.#setup.store, row.pageId, this.#setup.estimator);
      if (links) await this.admitLinks(links, from, depth, 0);
      else if (stored && !stored.nofollow) await this.admitLinks(stored, from, depth, 0);
    }
  }

  /** Builds a mention from a URL that is not from a page's link table. */
  mention(url: string, given: { via: Via; depth: number; hops: number; kind?: VisitKind }): Mention | undefined {
    const { key, sessions } = this.#setup;
    const resolved = resolve(url, undefined, sessions?.keyOptions(hostOf(url), key) ?? key);
    if (!resolved) return undefined;
    const hash = hash64(resolved.key, this.#setup.store.hashSeed);
    const { via, depth, hops, kind = "page" } = given;
    return { kind, via, depth, hops, url: resolved.url, key: resolved.key, hash, lastmod: undefined, isNofollow: false };
  }

  #decideNew(mention: Mention, from: MentionSource, mentionNumber: number): LinkResult | Promise<LinkResult> {
    const verdict = this.#setup.scope()(mention.url);
    const siteId = this.#siteOf(verdict, from.siteId);
    const refusal = this.#refusalOf(mention, from, verdict);
    if (refusal) {
      if (refusal.reason.startsWith("scope.")) this.#setup.outOfScope.keep(mention, from, refusal.reason);
      this.#write(mention, from, { siteId, place: sunk, reason: refusal.reason, rule: refusal.rule });
      return refusal.reason;
    }
    const add = (place: Place): LinkResult => {
      this.#write(mention, from, { siteId, place, reason: "ok", rule: "" });
      return "added";
    };
    const place = this.#placeOfNew(mention, from, mentionNumber);
    return place instanceof Promise ? place.then(add) : add(place);
  }

  /** The site of the seed that brings the URL into scope, else the site of the page that named it. */
  #siteOf(verdict: ScopeVerdict, otherwise: number): number {
    return verdict.ok && verdict.seed >= 0 ? (this.#setup.siteIds[verdict.seed] ?? otherwise) : otherwise;
  }

  #refusalOf(mention: Mention, from: MentionSource, verdict: ScopeVerdict): { reason: Reason; rule: string } | undefined {
    const { maxDepth, traps, gate, hooks } = this.#setup;
    // robots.txt may name a sitemap on any host; whatever it lists is checked like any other URL.
    if (!verdict.ok && mention.kind !== "sitemap") return { reason: verdict.reason, rule: verdict.rule };
    if (mention.depth > maxDepth) return { reason: "depth", rule: `deeper than --max-depth ${maxDepth}` };
    if (mention.hops > MAX_HOPS) return { reason: "redirect.loop", rule: `more than ${MAX_HOPS} redirects in a row` };
    const isOpen = mention.via === "seed" || mention.kind !== "page";
    const sitemapLimit = mention.kind === "sitemap" ? this.#setup.sitemaps.refuse(mention, from.siteId) : undefined;
    if (sitemapLimit !== undefined) {
      // The skipped sitemap may name pages that nothing else names.
      this.#setup.onIncomplete();
      return { reason: "limit.sitemaps", rule: sitemapLimit };
    }
    const type = isOpen ? undefined : this.#setup.knownTypes.refuse(mention.hash);
    if (type !== undefined) return { reason: "type", rule: type };
    const refusal = isOpen ? undefined : hooks?.filter?.(mention.url, from.url);
    if (refusal) return refusal;
    if (mention.via === "link" && from.url !== undefined) traps?.hear(mention.url, from.url);
    const suspicion = mention.via === "link" ? traps?.suspect(mention.url, from.url) : undefined;
    if (suspicion && !traps!.admit(suspicion)) return { reason: suspicion.kind, rule: suspicion.rule };
    this.#news.push({ hash: mention.hash, template: suspicion?.isLoose ? undefined : suspicion?.template });
    return gate.knownRefusal(mention.url);
  }

  /** True if this URL failed permanently in an earlier run. */
  #hasFailed(hash: Hash64): boolean {
    return this.#setup.hasHistory && this.#setup.failed.depthOf(hash) !== undefined;
  }

  #placeOfNew(mention: Mention, from: MentionSource, mentionNumber: number): Place | Promise<Place> {
    const { store, hasHistory, estimator } = this.#setup;
    if (mention.place) return mention.place;
    if (mention.kind === "sitemap") return { level: 0, priority: 2 };
    if (this.#hasFailed(mention.hash)) return sunk;
    estimator?.track(mention, from.url);
    if (!hasHistory) return this.#placeOf(mention, mentionNumber, 1);
    return store.knownType(mention.hash).then((type) => this.#placeOf(mention, mentionNumber, 1, pageTypeOf(type)));
  }

  #placeOf(mention: PlacementInput, mentionNumber: number, mentions: number, type?: PageType): Place {
    return queuePlaceOf(this.#setup, mention, mentionNumber, mentions, type);
  }

  #candidate(mention: Mention, host: string, from: MentionSource, place: Place) {
    const { url, key, hash, kind, depth, hops, via } = mention;
    const siteId = this.#siteOf(this.#setup.scope()(url), from.siteId);
    return { url, key, hash, host, kind, depth, hops, via, parent: from.url, siteId, ...place };
  }

  #write(mention: Mention, from: MentionSource, decided: Decision): void {
    const { reason } = decided;
    if (reason !== "ok") this.plan.skips.push(reason);
    if (reason !== "ok" && !this.#setup.storesDecisions) return;
    const heard = newUrlOf(mention, from, decided);
    this.plan.newUrls.push(heard);
    this.#inPlan.set(hashText(mention.hash), heard);
  }
}
