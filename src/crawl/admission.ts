import { isWrittenDown, type PageType, type Place, pageTypeOf, type Seen, sunk } from "../frontier/index.ts";
import type { Hash64, LinkMatches, Reason, Via, VisitKind } from "../records.ts";
import type { LedgerRow, Store } from "../store/index.ts";
import { hash64, hostOf, type KeyOptions, resolve, type ScopeVerdict, type SessionIds, type TrapGuard } from "../url/index.ts";
import type { LinkFate } from "./events.ts";
import type { Gate } from "./gate.ts";
import type { Hooks } from "./hooks.ts";
import type { KnownTypes } from "./known-types.ts";
import type { LinkSet } from "./link-set.ts";
import { linksOfPage } from "./links-of-page.ts";
import {
  type Decided,
  freshIn,
  heardOf,
  keyText,
  LinkMention,
  type LinksHeard,
  type Mention,
  type MutableHeard,
  type Namer,
  type NewLink,
  type Plan,
} from "./mention.ts";
import { type PlacingSetup, placing, urgent } from "./placing.ts";
import type { SitemapLimits } from "./sitemap-limits.ts";
import { Slices } from "./slices.ts";
import type { Strays } from "./strays.ts";

export interface AdmissionSetup extends PlacingSetup {
  readonly store: Store;
  readonly runId: number;
  readonly siteIds: readonly number[];
  readonly seen: Seen;
  /** URLs that failed permanently in earlier runs. */
  readonly failed: Seen;
  /** URLs fetched in earlier runs whose content type is not read. */
  readonly knownTypes: KnownTypes;
  /** In a run of due pages: the known URLs that are scheduled for a later visit. */
  readonly waiting: Seen | undefined;
  readonly gate: Gate;
  readonly traps: TrapGuard | undefined;
  readonly sessions: SessionIds | undefined;
  readonly key: KeyOptions;
  readonly maxDepth: number;
  readonly followLinks: boolean;
  /** Whether skipped URLs and mention counts are written to the ledger. */
  readonly keepsDecisions: boolean;
  /** Whether a listener wants the fate of each link. */
  readonly wantsFates: boolean;
  /** Whether earlier runs may have left permanent failures and known types. */
  readonly hasHistory: boolean;
  /** Can change during the run: a seed that redirects brings its target into scope. */
  readonly scope: () => (url: string) => ScopeVerdict;
  readonly strays: Strays;
  readonly sitemaps: SitemapLimits;
  /** Called when a source of URLs is skipped, so that the run knows its picture of the site is incomplete. */
  readonly onMissed: () => void;
}

type Placed = Parameters<typeof placing>[1];

/** The fields that decide the queue position, at the given depth. */
const atDepth = ({ hash, url, lastmod, isUnloved }: Placed, depth: number): Placed => ({ hash, url, depth, lastmod, isUnloved });

export const MAX_HOPS = 10;
const MOST_HURRIED = 1000;

const admitted = { verdict: "queued", reason: "ok", rule: "" } as const;

const isVisited = ({ verdict }: LedgerRow) => verdict === "fetched" || verdict === "not-modified";

/**
 * Admission checks scope and duplicates. Each URL is judged once per run; further mentions are only counted, unless they are nearer. Then
 * the smaller depth is stored, and the links of a page that was already visited are admitted again at the new depth, without a fetch.
 */
export class Admission {
  readonly #setup: AdmissionSetup;
  readonly #inPlan = new Map<string, MutableHeard>();
  readonly #nearer: { row: LedgerRow; mention: Mention; depth: number }[] = [];
  /** Links and redirect targets of pages in the current batch, by ledger id; their rows are not written yet. */
  readonly #leads = new Map<number, { readonly links?: LinkSet; readonly target?: string }>();
  #heardAt = 0;
  readonly #news: NewLink[] = [];
  readonly #slices = new Slices();
  readonly plan: Plan = { heard: [], again: new Map(), more: [], skips: [], freed: [], requeued: [], moved: [], fates: [] };

  constructor(setup: AdmissionSetup, heardAt: number) {
    this.#setup = setup;
    this.#heardAt = heardAt;
  }

  /** The links of a page, in document order. */
  async hearLinks(links: LinkSet, from: Namer, depth: number, hops: number, matches?: LinkMatches): Promise<LinksHeard> {
    const { followLinks, aim } = this.#setup;
    const planned = this.plan.heard.length;
    const second: Hash64[] = [];
    const clues = aim?.cluesOf(links, matches, from.url);
    if (!followLinks) return { fresh: [], beyond: 0, second, news: [] };
    if (from.id !== undefined) this.#leads.set(from.id, { links });
    const known = this.#news.length;
    // Depth-first order visits the latest mention first, so a page's links are numbered backwards.
    const first = this.#heardAt + links.count;
    this.#heardAt = first;
    const again = clues && ((index: number) => aim?.hearAgain(links.hash(index), () => clues(index), from.url));
    for (let index = this.#next(links, 0, depth, again); index < links.count; index = this.#next(links, index + 1, depth, again)) {
      const hash = links.hash(index);
      const heard = this.hear(new LinkMention(links, index, { depth, hops }, clues), from, first - index);
      const fate = typeof heard === "string" ? heard : await heard;
      if (fate === "known" && this.#isSecond(hash, from) && (links.isPacked || this.#setup.scope()(links.url(index)).ok)) second.push(hash);
    }
    const { fresh, beyond } = freshIn(this.plan.heard, planned);
    return { fresh, beyond, second, news: this.#news.slice(known) };
  }

  /** Index of the next link that needs more than a count. Most links lead to known URLs, and `isCounted` counts those here. */
  #next(links: LinkSet, from: number, depth: number, hearAgain: ((index: number) => void) | undefined): number {
    const { seen, wantsFates, hooks } = this.#setup;
    const mayCount = !wantsFates && !hooks?.rewrite;
    for (let index = from; index < links.count; index++) {
      hearAgain?.(index);
      if (!mayCount || !seen.isCounted(links.hashes, 2 * index, links.isRefresh(index) ? depth : depth + 1)) return index;
    }
    return links.count;
  }

  /** Number of the latest mention; in depth-first order a higher number is visited earlier. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** True if one other page named it before and it is not next to the seeds. */
  #isSecond(hash: Hash64, from: Namer): boolean {
    const { seen, maxDepth } = this.#setup;
    const depth = seen.depthOf(hash) ?? 0;
    return seen.mentionsOf(hash) === 2 && depth > 1 && depth <= maxDepth && this.#inPlan.get(keyText(hash))?.parentId !== from.id;
  }

  /** Moves a queued URL to the front, deepest first. The host finds the row of a URL that was admitted in an earlier batch. */
  hurry(hash: Hash64, host = ""): void {
    const { seen, frontier, hurried } = this.#setup;
    if (frontier.order !== "best") return;
    if (hurried.has(keyText(hash))) return;
    if (hurried.size >= MOST_HURRIED) hurried.clear();
    hurried.add(keyText(hash));
    const heard = this.#inPlan.get(keyText(hash));
    const place = urgent(heard?.depth ?? seen.depthOf(hash) ?? 0);
    if (heard) Object.assign(heard, place);
    else if (host !== "") this.plan.more.push({ hash, mentions: seen.mentionsOf(hash), place, host });
  }

  /** Re-ranks queued URLs whose expected value has changed. Call after everything in the batch was heard. */
  moveShifted(): void {
    const { aim, seen } = this.#setup;
    for (const awaited of aim?.shifted() ?? []) {
      const mentions = seen.mentionsOf(awaited.hash);
      const place = placing(this.#setup, awaited, 0, mentions);
      const heard = this.#inPlan.get(keyText(awaited.hash));
      if (heard) Object.assign(heard, place);
      else this.plan.more.push({ hash: awaited.hash, mentions, place, host: hostOf(awaited.url) });
    }
  }

  /** Records the links of a nofollow page as skipped, unless they are known already. */
  refuseLinks(links: LinkSet, from: Namer, depth: number): void {
    for (let index = 0; index < links.count; index++) {
      const hash = links.hash(index);
      if (this.#setup.seen.depthOf(hash) !== undefined || this.#inPlan.has(keyText(hash))) continue;
      const mention = new LinkMention(links, index, { depth, hops: 0 });
      this.#write(mention, from, { siteId: from.siteId, place: sunk, reason: "meta.nofollow", rule: `${from.url} says nofollow` });
    }
  }

  /** URLs that a plugin names for a page, besides the links in the page itself. */
  async hearNamed(urls: readonly string[], from: Namer, depth: number): Promise<void> {
    if (!this.#setup.followLinks) return;
    for (const url of urls) {
      const mention = this.mention(url, { via: "link", depth: depth + 1, hops: 0 });
      if (mention) await this.hear(mention, from);
    }
  }

  /**
   * Synchronous where possible: most links need nothing from the store, and three promises per link would cost more than the work itself.
   */
  hear(given: Mention, from: Namer, heardAt = ++this.#heardAt): LinkFate | Promise<LinkFate> {
    const pause = this.#slices.next();
    return pause ? pause.then(() => this.#hearNow(given, from, heardAt)) : this.#hearNow(given, from, heardAt);
  }

  #hearNow(given: Mention, from: Namer, heardAt: number): LinkFate | Promise<LinkFate> {
    const mention = this.#setup.hooks?.rewrite ? this.#rewritten(given, this.#setup.hooks.rewrite) : given;
    if (mention.via === "redirect" && from.id !== undefined) this.#leads.set(from.id, { target: mention.url });
    const fate = this.#fateOf(mention, from, heardAt);
    return this.#setup.wantsFates ? this.#tellFate(mention, from, fate) : fate;
  }

  async #tellFate(mention: Mention, from: Namer, pending: LinkFate | Promise<LinkFate>): Promise<LinkFate> {
    const fate = await pending;
    this.plan.fates.push({ from, url: mention.url, depth: mention.depth, via: mention.via, fate });
    return fate;
  }

  /** Plugins do not rewrite seeds, stored URLs (probe, due) or sitemaps. */
  #rewritten(given: Mention, rewrite: NonNullable<Hooks["rewrite"]>): Mention {
    if (given.via === "seed" || given.via === "probe" || given.via === "due" || given.kind !== "page") return given;
    const url = rewrite(given.url);
    const named = url === undefined || url === given.url ? undefined : this.mention(url, given);
    return named ? { ...named, lastmod: given.lastmod, isUnloved: given.isUnloved } : given;
  }

  #fateOf(mention: Mention, from: Namer, heardAt: number): LinkFate | Promise<LinkFate> {
    const { seen, waiting } = this.#setup;
    if (waiting && mention.via !== "due" && mention.via !== "seed" && waiting.depthOf(mention.hash) !== undefined) return "known";
    const news = seen.mention(mention.hash, mention.depth);
    if (news === "new") return this.#judgeNew(mention, from, heardAt);
    const inPlan = this.#inPlan.get(keyText(mention.hash));
    if (inPlan && inPlan.reason !== "meta.nofollow") {
      if (mention.depth < inPlan.depth) this.#bringNearer(inPlan, mention, heardAt);
      return "known";
    }
    const mentions = seen.mentionsOf(mention.hash);
    if (news === "known" && !isWrittenDown(mentions)) return "known";
    if (news === "known" && !this.#setup.keepsDecisions) return "known";
    if (news === "known") {
      const depth = seen.depthOf(mention.hash) ?? mention.depth;
      const isUnknown = mention.isPacked || this.#setup.aim?.isAwaited(mention.hash) === false;
      const place = isUnknown ? undefined : this.#placeOf(atDepth(mention, depth), heardAt, mentions);
      this.plan.more.push({ hash: mention.hash, mentions, place, host: mention.isPacked ? "" : hostOf(mention.url) });
      return "known";
    }
    return this.#fateInLedger(mention, from, { news, mentions, heardAt });
  }

  async #fateInLedger(
    mention: Mention,
    from: Namer,
    { news, mentions, heardAt }: { news: "nearer" | "unsure"; mentions: number; heardAt: number },
  ): Promise<LinkFate> {
    const [row] = await this.#setup.store.ledgerRows(this.#setup.runId, [mention.hash]);
    if (!row) return news === "unsure" || !this.#setup.keepsDecisions ? this.#judgeNew(mention, from, heardAt) : "known";
    this.#hearAgain(row, mention, from, { mentions: news === "unsure" ? row.mentions + 1 : mentions, heardAt });
    // Another process may have written this smaller depth while the page was being visited; its links were admitted at the old depth.
    if (news === "nearer" && row.depth === mention.depth && isVisited(row)) this.#nearer.push({ row, mention, depth: row.depth });
    return "known";
  }

  /** The URL was admitted earlier in this batch and its row is not written yet, so its depth can be changed in place. */
  #bringNearer(heard: MutableHeard, mention: Mention, heardAt: number): void {
    heard.depth = mention.depth;
    const isTooDeep = mention.depth > this.#setup.maxDepth;
    const isFreed = heard.reason === "depth" && !isTooDeep;
    if (isFreed) this.plan.freed.push(heard.reason);
    if (isFreed) Object.assign(heard, admitted);
    const isSunk = isFreed ? this.#hasFailed(mention.hash) : heard.priority === sunk.priority;
    if (heard.verdict === "queued" && !isSunk) Object.assign(heard, this.#placeOf(mention, heardAt, 1));
  }

  /** The scope has grown: admit URLs that were skipped because of it. */
  async hearStrays(): Promise<void> {
    const { strays, scope, store, runId } = this.#setup;
    for (const { url, given, from, reason } of strays.take((one) => scope()(one).ok)) {
      this.plan.freed.push(reason);
      const mention = this.mention(url, given);
      if (!mention) continue;
      const inPlan = this.#inPlan.get(keyText(mention.hash));
      const heardAt = ++this.#heardAt;
      const [row] = inPlan ? [] : await store.ledgerRows(runId, [mention.hash]);
      if (row) this.#hearAgain(row, mention, from, { mentions: row.mentions, heardAt });
      else if (!inPlan) await this.#judgeNew(mention, from, heardAt);
      else if (inPlan.reason.startsWith("scope.") && inPlan.depth <= this.#setup.maxDepth) {
        const place = this.#placeOf(mention, heardAt, 1);
        Object.assign(inPlan, admitted, place, { siteId: this.#siteOf(scope()(url), from.siteId) });
      }
    }
  }

  /** True if the reason for which the URL was skipped no longer applies. */
  #isFree({ verdict, reason, url }: LedgerRow, depth: number): boolean {
    if (verdict !== "skipped" || depth > this.#setup.maxDepth) return false;
    return reason === "depth" || (reason.startsWith("scope.") && this.#setup.scope()(url).ok);
  }

  #hearAgain(row: LedgerRow, mention: Mention, from: Namer, { mentions, heardAt }: { mentions: number; heardAt: number }): void {
    const known = this.plan.again.get(row.id);
    const before = known?.depth ?? row.depth;
    const depth = Math.min(before, mention.depth);
    const requeue = (known?.requeue ?? false) || this.#isFree(row, depth);
    const place = this.#placeOf(atDepth(mention, depth), heardAt, mentions);
    this.plan.again.set(row.id, { id: row.id, depth, isNearer: depth < row.depth, ...place, mentions, requeue });
    const host = hostOf(mention.url);
    if (requeue && !known?.requeue) {
      if (row.reason === "depth") this.plan.freed.push(row.reason);
      this.plan.requeued.push({ ...this.#candidate(mention, host, from, place), id: row.id, attempts: 0 });
    } else if (row.verdict === "queued") this.plan.moved.push({ host, id: row.id, depth, ...place });
    if (depth < before && (isVisited(row) || this.#leads.has(row.id))) this.#nearer.push({ row, mention, depth });
  }

  /** Propagate smaller depths to the links of visited pages. Call after everything in the batch was heard. */
  async spreadNearness(): Promise<void> {
    for (let next = this.#nearer.shift(); next; next = this.#nearer.shift()) {
      const { row, depth, mention } = next;
      const from: Namer = { id: row.id, url: row.url, siteId: this.#siteOf(this.#setup.scope()(row.url), this.#setup.siteIds[0]!) };
      const { links, target: movedTo = row.target } = this.#leads.get(row.id) ?? {};
      if (movedTo !== undefined) {
        const target = this.mention(movedTo, { via: "redirect", depth, hops: mention.hops + 1 });
        if (target) await this.hear(target, from);
      }
      const stored = links || row.pageId === undefined ? undefined : await linksOfPage(this.#setup.store, row.pageId, this.#setup.aim);
      if (links) await this.hearLinks(links, from, depth, 0);
      else if (stored && !stored.nofollow) await this.hearLinks(stored, from, depth, 0);
    }
  }

  /** Builds a mention from a URL that is not from a page's link table. */
  mention(url: string, given: { via: Via; depth: number; hops: number; kind?: VisitKind }): Mention | undefined {
    const { key, sessions } = this.#setup;
    const resolved = resolve(url, undefined, sessions?.keyOptions(hostOf(url), key) ?? key);
    if (!resolved) return undefined;
    const hash = hash64(resolved.key, this.#setup.store.hashSeed);
    const { via, depth, hops, kind = "page" } = given;
    return { kind, via, depth, hops, url: resolved.url, key: resolved.key, hash, lastmod: undefined, isUnloved: false };
  }

  #judgeNew(mention: Mention, from: Namer, heardAt: number): LinkFate | Promise<LinkFate> {
    const verdict = this.#setup.scope()(mention.url);
    const siteId = this.#siteOf(verdict, from.siteId);
    const refusal = this.#refusalOf(mention, from, verdict);
    if (refusal) {
      if (refusal.reason.startsWith("scope.")) this.#setup.strays.keep(mention, from, refusal.reason);
      this.#write(mention, from, { siteId, place: sunk, reason: refusal.reason, rule: refusal.rule });
      return refusal.reason;
    }
    const add = (place: Place): LinkFate => {
      this.#write(mention, from, { siteId, place, reason: "ok", rule: "" });
      return "added";
    };
    const place = this.#placeOfNew(mention, from, heardAt);
    return place instanceof Promise ? place.then(add) : add(place);
  }

  /** The site of the seed that brings the URL into scope, else the site of the page that named it. */
  #siteOf(verdict: ScopeVerdict, otherwise: number): number {
    return verdict.ok && verdict.seed >= 0 ? (this.#setup.siteIds[verdict.seed] ?? otherwise) : otherwise;
  }

  #refusalOf(mention: Mention, from: Namer, verdict: ScopeVerdict): { reason: Reason; rule: string } | undefined {
    const { maxDepth, traps, gate, hooks } = this.#setup;
    // robots.txt may name a sitemap on any host; whatever it lists is checked like any other URL.
    if (!verdict.ok && mention.kind !== "sitemap") return { reason: verdict.reason, rule: verdict.rule };
    if (mention.depth > maxDepth) return { reason: "depth", rule: `deeper than --max-depth ${maxDepth}` };
    if (mention.hops > MAX_HOPS) return { reason: "redirect.loop", rule: `more than ${MAX_HOPS} redirects in a row` };
    const isOpen = mention.via === "seed" || mention.kind !== "page";
    const surplus = mention.kind === "sitemap" ? this.#setup.sitemaps.refuse(mention, from.siteId) : undefined;
    if (surplus !== undefined) {
      // The skipped sitemap may name pages that nothing else names.
      this.#setup.onMissed();
      return { reason: "limit.sitemaps", rule: surplus };
    }
    const type = isOpen ? undefined : this.#setup.knownTypes.refuse(mention.hash);
    if (type !== undefined) return { reason: "type", rule: type };
    const refusal = isOpen ? undefined : hooks?.filter?.(mention.url, from.url);
    if (refusal) return refusal;
    if (mention.via === "link" && from.url !== undefined) traps?.hear(mention.url, from.url);
    const suspicion = mention.via === "link" ? traps?.suspect(mention.url, from.url) : undefined;
    if (suspicion && !traps!.admit(suspicion)) return { reason: suspicion.kind, rule: suspicion.rule };
    this.#news.push({ hash: mention.hash, template: suspicion?.isLoose ? undefined : suspicion?.template });
    return gate.foresee(mention.url);
  }

  /** True if this URL failed permanently in an earlier run. */
  #hasFailed(hash: Hash64): boolean {
    return this.#setup.hasHistory && this.#setup.failed.depthOf(hash) !== undefined;
  }

  #placeOfNew(mention: Mention, from: Namer, heardAt: number): Place | Promise<Place> {
    const { store, hasHistory, aim } = this.#setup;
    if (mention.place) return mention.place;
    if (mention.kind === "sitemap") return { level: 0, priority: 2 };
    if (this.#hasFailed(mention.hash)) return sunk;
    aim?.expect(mention, from.url);
    if (!hasHistory) return this.#placeOf(mention, heardAt, 1);
    return store.knownType(mention.hash).then((type) => this.#placeOf(mention, heardAt, 1, pageTypeOf(type)));
  }

  #placeOf(mention: Placed, heardAt: number, mentions: number, type?: PageType): Place {
    return placing(this.#setup, mention, heardAt, mentions, type);
  }

  #candidate(mention: Mention, host: string, from: Namer, place: Place) {
    const { url, key, hash, kind, depth, hops, via } = mention;
    const siteId = this.#siteOf(this.#setup.scope()(url), from.siteId);
    return { url, key, hash, host, kind, depth, hops, via, parent: from.url, siteId, ...place };
  }

  #write(mention: Mention, from: Namer, decided: Decided): void {
    const { reason } = decided;
    if (reason !== "ok") this.plan.skips.push(reason);
    if (reason !== "ok" && !this.#setup.keepsDecisions) return;
    const heard = heardOf(mention, from, decided);
    this.plan.heard.push(heard);
    this.#inPlan.set(keyText(mention.hash), heard);
  }
}
