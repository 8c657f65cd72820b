import { printOf } from "../dedupe/index.ts";
import { type Frontier, type HostQueue, type Queued, Seen, type StoredCandidate } from "../frontier/index.ts";
import type { TopLink, Visit } from "../records.ts";
import type { Counters, FoundLink, Judge, PageLink, Settled, SettledVisit, Store, Twin, VersionToKeep } from "../store/index.ts";
import type { MazeGuard, MirrorGuard, TrapGuard } from "../url/index.ts";
import { Admission, type AdmissionSetup, linksOfPage, MAX_HOPS } from "./admission.ts";
import { countOutcome, countSkip } from "./count.ts";
import type { DuePages } from "./due.ts";
import type { CrawlEvent } from "./events.ts";
import { answerOf } from "./gate.ts";
import { keptLinks } from "./kept-links.ts";
import { learnTraps } from "./learn-traps.ts";
import { type LinkSet, readLinks } from "./link-set.ts";
import type { Mention, Namer, NewLink, Plan } from "./mention.ts";
import type { NearPages } from "./near-pages.ts";
import { duplicateReason, hostNews, pageNews, saysOf, tell, versionOf } from "./news.ts";
import { type Judgement, judge } from "./verdict.ts";
import type { Outcome } from "./visit.ts";

const MOST_PRINTS = 5_000_000;

export interface SettlerSetup {
  readonly store: Store;
  readonly runId: number;
  readonly frontier: Frontier;
  readonly admission: AdmissionSetup;
  readonly traps: TrapGuard | undefined;
  readonly mazes: MazeGuard | undefined;
  readonly mirrors: MirrorGuard | undefined;
  readonly near: NearPages;
  /** In a run that visits what is due. */
  readonly due: DuePages | undefined;
  readonly counters: Counters;
  readonly readerName: string;
  readonly random: () => number;
  readonly keepVersions: number;
  /** Nothing is known of these sites but what this process has settled. */
  readonly isFirstRun: boolean;
  /** Whether links are also kept as rows that people can query. */
  readonly savesLinks: boolean;
  /** Who holds links against the keywords, where there are some. */
  readonly judge: Judge | undefined;
  readonly top: ((links: readonly PageLink[]) => readonly TopLink[]) | undefined;
  readonly onFound: (links: readonly FoundLink[]) => void;
  readonly clock: { now(): number; wall(): number };
  readonly emit: (event: CrawlEvent) => void;
  /** Facts of the run that a resume needs besides the ledger. */
  readonly state: () => Record<string, unknown>;
  /** And what is larger, where it is time to write it again. */
  readonly memory: (visits: number) => unknown;
  /** A seed that redirects takes its scope with it, where that is safe. */
  readonly onSeedMoved: (from: string, to: string) => void;
}

/** What waits to be settled: an outcome, mentions without a visit (seeds, sitemaps named by robots.txt, probes), or a host's pace. */
type Entry =
  | { readonly outcome: Outcome; readonly state: Queued | undefined }
  | { readonly mentions: readonly [Mention, Namer][] }
  | { readonly host: HostQueue };
interface Waiting {
  readonly entry: Entry;
  readonly resolve: () => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Writes outcomes in batches, each batch one transaction. A batch begins when the one before has ended, without a timer,
 * and a worker's slot is freed only when its outcome is on disk: a crash repeats at most the visits that were out.
 */
export class Settler {
  readonly #setup: SettlerSetup;
  #waiting: Waiting[] = [];
  #isBusy = false;
  #heardAt = 0;
  /** Of the pages settled by this process: what they say and where they lead. */
  readonly #prints = new Seen(MOST_PRINTS);

  constructor(setup: SettlerSetup) {
    this.#setup = setup;
  }

  settle(outcome: Outcome): Promise<void> {
    const { turn } = outcome.visit;
    return this.#add({ outcome, state: this.#setup.frontier.stateOf(turn) });
  }

  hear(mentions: readonly [Mention, Namer][]): Promise<void> {
    return this.#add({ mentions });
  }

  settleHost(host: HostQueue): Promise<void> {
    return this.#add({ host });
  }

  #add(entry: Entry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject });
      if (this.#isBusy) return;
      this.#isBusy = true;
      setImmediate(() => void this.#work());
    });
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      const { counters } = this.#setup;
      const before = structuredClone(counters);
      try {
        await this.#settleBatch(batch);
      } catch (cause) {
        // What is not on disk does not count.
        Object.assign(counters, before);
        for (const { reject } of batch) reject(cause);
      }
    }
    this.#isBusy = false;
  }

  async #settleBatch(batch: readonly Waiting[]): Promise<void> {
    const { store, runId, counters, clock } = this.#setup;
    const admission = new Admission(this.#setup.admission, this.#heardAt);
    const visits: SettledVisit[] = [];
    const hosts = new Map<string, { host: HostQueue; leaving: number }>();
    const retries: Queued[] = [];
    const prints = new Set<string>();
    const outcomes: Outcome[] = [];
    const leave = (host: HostQueue) => hosts.set(host.name, { host, leaving: (hosts.get(host.name)?.leaving ?? 0) + 1 });
    for (const waiting of batch) {
      const { entry } = waiting;
      if ("mentions" in entry) {
        for (const [mention, namer] of entry.mentions) await admission.hear(mention, namer);
        continue;
      }
      if ("host" in entry) {
        leave(entry.host);
        continue;
      }
      if (this.#hasTwinIn(prints, entry.outcome)) {
        // Its twin is not on disk yet: the next batch will find it there.
        this.#waiting.push(waiting);
        continue;
      }
      const { outcome, state } = entry;
      const host = this.#setup.frontier.learn(outcome.visit.turn, answerOf(outcome.fetched), outcome.fetched.timing.duration);
      if (host) leave(host);
      const settled = await this.#settleOne(outcome, admission);
      if (settled.isRetry && state) retries.push(respelt(state, settled.respelt));
      visits.push(settled);
      outcomes.push(outcome);
    }
    await admission.spreadNearness();
    admission.moveShifted();
    this.#heardAt += admission.plan.fates.length + 1;
    for (const reason of admission.plan.skips) countSkip(counters, reason);
    const at = clock.wall();
    const news = [...hosts.values()].map(({ host, leaving }) => hostNews(host, clock.now(), leaving));
    const { heard, again, more } = admission.plan;
    const { due } = this.#setup;
    const hints = due && outcomes.flatMap(({ visit, change }) => due.judge(visit.hash, change) ?? []);
    const facts = { counters, ...(hints && { hints }), state: this.#setup.state(), memory: this.#setup.memory(visits.length) };
    const settlement = {
      runId,
      at,
      visits,
      heard,
      again: [...again.values()],
      more,
      hosts: news,
      judge: this.#setup.judge,
      keepVersions: this.#setup.keepVersions,
      ...facts,
    };
    const settled = await store.settle(settlement);
    this.#tellFrontier(admission.plan, settled, outcomes, retries);
    tell(this.#setup.emit, admission.plan, visits, outcomes, this.#pagesOf(settled), news);
    if (settled.found.length > 0) this.#setup.onFound(settled.found);
    this.#rememberTexts(visits, settled.pageIds);
    for (const waiting of batch) if (!this.#waiting.includes(waiting)) waiting.resolve();
  }

  /** With their best links, where there are keywords. */
  #pagesOf({ pages, pageIds, linksOf }: Settled): Settled["pages"] {
    const { top } = this.#setup;
    return top ? pages.map((load, index) => load && (() => ({ ...load(), topLinks: top(linksOf(pageIds[index]!)) }))) : pages;
  }

  #hasTwinIn(prints: Set<string>, outcome: Outcome): boolean {
    const print = outcome.reading && `${outcome.reading.fingerprint.text}${outcome.reading.fingerprint.links}`;
    if (!print || outcome.change === "same") return false;
    if (prints.has(print)) return true;
    prints.add(print);
    return false;
  }

  async #settleOne(outcome: Outcome, admission: Admission): Promise<SettledVisit> {
    const { visit, fetched, remembered } = outcome;
    if (outcome.isDoubtful) return this.#lookAgain(outcome);
    const judgement = judge(fetched, visit.attempts, this.#setup.random);
    const { again, attempts, needsProbe } = judgement.mayHeal
      ? this.#setup.frontier.retry(visit.turn, answerOf(fetched), judgement.pause)
      : { again: false, attempts: visit.attempts, needsProbe: false };
    if (needsProbe) this.#setup.frontier.send(visit.host, this.#setup.admission.gate.probeOf(visit.url));
    const depth = Math.min(visit.depth, this.#setup.admission.seen.depthOf(visit.hash) ?? visit.depth);
    const status = "status" in fetched ? fetched.status : fetched.kind === "not-modified" ? 304 : undefined;
    const base = { candidate: visit, depth, status, attempts, remembered, target: undefined, page: undefined };
    if (again) return { ...base, verdict: "queued", reason: judgement.reason, rule: judgement.rule, isRetry: true };
    if (!outcome.reading) this.#setup.admission.aim?.meet(visit, fetched.kind === "gone" ? 0 : undefined);
    const settled = await this.#consequencesOf(outcome, judgement, admission, depth);
    // A page that answers under another spelling has not been looked at yet.
    countOutcome(this.#setup.counters, settled.respelt === undefined ? outcome : { ...outcome, change: undefined });
    return { ...base, ...judgement, isRetry: false, ...settled };
  }

  async #consequencesOf(outcome: Outcome, judgement: Judgement, admission: Admission, depth: number): Promise<Partial<SettledVisit>> {
    if (outcome.visit.kind === "sitemap") return this.#expandSitemap(outcome, judgement, admission, depth);
    if (outcome.fetched.kind === "moved") return this.#followRedirect(outcome, admission, depth);
    return this.#pageOf(outcome, admission, depth);
  }

  /** Back into the queue, for its host's next turn. */
  #lookAgain({ visit, fetched, remembered }: Outcome): SettledVisit {
    const { counters } = this.#setup;
    counters.looksAgain = (counters.looksAgain ?? 0) + 1;
    if (fetched.kind === "body") counters.bytes += fetched.wireBytes;
    const { depth, attempts } = visit;
    const rule = "looked at again, to tell what changes by itself";
    const nothing = { status: undefined, target: undefined, page: undefined };
    return { ...nothing, candidate: visit, depth, attempts, remembered, verdict: "queued", reason: "ok", rule, isRetry: true };
  }

  /** A page that was read, was not modified, or is no longer what it was. */
  async #pageOf(outcome: Outcome, admission: Admission, depth: number): Promise<Partial<SettledVisit>> {
    const { visit, fetched, reading, change, remembered } = outcome;
    if (change === undefined || (!reading && fetched.kind !== "not-modified")) {
      return remembered && change ? { page: pageNews(outcome, change, this.#setup.readerName) } : {};
    }
    const from: Namer = { id: visit.id, url: visit.url, siteId: visit.siteId };
    if (!reading) {
      const { aim } = this.#setup.admission;
      const links = visit.via === "probe" ? undefined : await linksOfPage(this.#setup.store, remembered!.pageId, aim);
      if (links?.nofollow) admission.refuseLinks(links, from, depth);
      else if (links) {
        await this.#follow(links, visit, admission, { depth, hops: 0 });
        if (outcome.looked) await admission.hearNamed(outcome.looked.links, from, depth);
      }
      return { page: pageNews(outcome, change, this.#setup.readerName) };
    }
    const isKnown = change === "same" || (change === "unlinked" && remembered?.fingerprint?.text === reading.fingerprint.text);
    const isReread = isKnown && remembered?.versionId !== undefined && !remembered.isCurrent;
    const version = isKnown && remembered?.versionId !== undefined && !isReread ? undefined : this.#versionOf(outcome);
    const twin = version && !reading.isBlank ? await this.#twinOf(outcome) : undefined;
    const near = version && !twin ? this.#setup.near.find(reading.fingerprint.simhash) : undefined;
    const isExpandedTwin = twin?.depthInRun !== undefined && twin.depthInRun <= depth;
    const mirrored = !reading.isBlank ? this.#setup.mirrors?.learn(visit.url, saysOf(reading), visit.parent) : undefined;
    const links = readLinks(reading.links);
    this.#setup.admission.aim?.meet(visit, twin || mirrored !== undefined ? 0 : reading.relevance);
    let news: readonly NewLink[] = [];
    if (reading.nofollow) admission.refuseLinks(links, from, depth);
    else if (visit.via !== "probe" && !isExpandedTwin && mirrored === undefined) {
      news = await this.#follow(links, visit, admission, { depth, hops: visit.hops }, outcome);
      if (outcome.looked) await admission.hearNamed(outcome.looked.links, from, depth);
    }
    await this.#hearHints(outcome, admission, from);
    const { traps } = this.#setup;
    if (traps) learnTraps(traps, outcome, { links, news, left: this.#setup.admission.maxDepth - depth - 1 }, admission);
    const page = {
      ...pageNews(outcome, change, this.#setup.readerName),
      duplicateOf: twin?.pageId,
      nearDuplicateOf: near,
      version,
      isReread,
    };
    if (mirrored !== undefined) return { page, reason: "duplicate.content", rule: `mirrors ${mirrored}, like many pages of this site` };
    return { page, ...duplicateReason(outcome, twin?.url) };
  }

  /** Answers the links that nobody had named before. */
  async #follow(
    links: LinkSet,
    visit: Visit,
    admission: Admission,
    { depth, hops }: { depth: number; hops: number },
    outcome?: Outcome,
  ): Promise<readonly NewLink[]> {
    const from: Namer = { id: visit.id, url: visit.url, siteId: visit.siteId };
    const heard = await admission.hearLinks(links, from, depth, hops, outcome?.reading?.matches);
    const [says, isMixed] = [outcome?.reading?.blocks?.masked, outcome?.suspicion?.isMixed];
    const scouts = this.#setup.mazes?.learn({ url: visit.url, hash: visit.hash, depth, ...heard, says, isMixed: isMixed !== undefined });
    for (const scout of scouts ?? []) admission.hurry(scout);
    return heard.news;
  }

  #versionOf({ reading, said }: Outcome): VersionToKeep {
    const { savesLinks: keepsAll, store, judge } = this.#setup;
    return versionOf(reading!, keptLinks(reading!, { keepsAll, seed: store.hashSeed, words: judge?.words ?? [] }, said));
  }

  async #twinOf({ visit, reading }: Outcome): Promise<Twin | undefined> {
    const { isFirstRun, store, runId } = this.#setup;
    // In a first run every page went through here: what says something never said before has no twin on disk.
    if (isFirstRun && this.#prints.mention(printOf(reading!.fingerprint), 0) === "new") return undefined;
    return store.twin(runId, visit.siteId, visit.hash, reading!.fingerprint);
  }

  async #followRedirect(outcome: Outcome, admission: Admission, depth: number): Promise<Partial<SettledVisit>> {
    const { visit, fetched, change, remembered } = outcome;
    const location = fetched.kind === "moved" ? fetched.location : "";
    const page = remembered && change ? pageNews(outcome, change, this.#setup.readerName) : undefined;
    const rule = `moved to ${location}`;
    const target = admission.mention(location, { via: "redirect", depth, hops: visit.hops + 1, kind: visit.kind });
    if (!target) return { verdict: "skipped", reason: "scheme", rule, target: undefined, page };
    if (target.url === visit.url || (target.key === visit.key && visit.hops >= MAX_HOPS))
      return { verdict: "failed", reason: "redirect.loop", rule: "redirects to itself", target: undefined, page };
    if (visit.via === "seed" || (visit.via === "redirect" && visit.depth === 0)) this.#setup.onSeedMoved(visit.url, location);
    if (target.key === visit.key) {
      const scope = this.#setup.admission.scope()(target.url);
      if (!scope.ok && visit.kind === "page") return { verdict: "skipped", reason: scope.reason, rule: scope.rule, target: location, page };
      return { verdict: "queued", reason: "ok", rule, target: undefined, page: undefined, respelt: target.url, isRetry: true };
    }
    if (visit.via === "probe") return { verdict: "fetched", reason: "ok", rule, target: location, page };
    const fate = await admission.hear(target, { id: visit.id, url: visit.url, siteId: visit.siteId });
    if (fate === "added" && this.#setup.mazes?.moved(visit, target)) admission.hurry(target.hash);
    return { verdict: "fetched", reason: fate === "known" ? "duplicate.redirect" : "ok", rule, target: location, page };
  }

  async #expandSitemap(outcome: Outcome, judgement: Judgement, admission: Admission, depth: number) {
    const { visit, reading, fetched } = outcome;
    if (fetched.kind === "moved") return this.#followRedirect(outcome, admission, depth);
    const from: Namer = { id: visit.id, url: visit.url, siteId: visit.siteId };
    const mention = { via: "sitemap", hops: 0, isUnloved: false } as const;
    await this.#hearHints(outcome, admission, from);
    for (const entry of reading?.sitemap?.pages ?? []) await admission.hear({ ...entry, ...mention, kind: "page", depth: 1 }, from);
    for (const entry of reading?.sitemap?.sitemaps ?? []) {
      await admission.hear({ ...entry, ...mention, kind: "sitemap", depth: 0, hops: visit.hops + 1 }, from);
    }
    return judgement;
  }

  async #hearHints({ visit, reading }: Outcome, admission: Admission, from: Namer): Promise<void> {
    const { due } = this.#setup;
    if (!due || !reading?.sitemap) return;
    for (const mention of await due.hear(visit, reading.sitemap.pages)) await admission.hear(mention, from);
  }

  #rememberTexts(visits: readonly SettledVisit[], pageIds: readonly (number | undefined)[]): void {
    for (const [index, { page }] of visits.entries()) {
      const pageId = pageIds[index];
      if (page?.version && pageId !== undefined) this.#setup.near.add(pageId, page.version.fingerprint.simhash);
    }
  }

  #tellFrontier(plan: Plan, settled: Settled, outcomes: readonly Outcome[], retries: readonly Queued[]): void {
    const { frontier } = this.#setup;
    const fresh: StoredCandidate[] = plan.heard.flatMap((heard, index) => {
      const id = settled.heardIds[index]!;
      return heard.verdict === "queued" && id !== 0 ? [{ ...heard, id, attempts: 0 }] : [];
    });
    for (const { host, id, ...change } of plan.moved) frontier.move(host, id, change);
    for (const [index, { host, place }] of plan.more.entries()) {
      const id = settled.waitingIds[index];
      if (id !== undefined && place) frontier.move(host, id, place);
    }
    frontier.add([...fresh, ...plan.requeued]);
    for (const { visit } of outcomes) frontier.free(visit.turn);
    for (const state of retries) frontier.putBack(state);
  }
}

const respelt = (state: Queued, url: string | undefined): Queued => (url === undefined ? state : { ...state, url, hops: state.hops + 1 });
