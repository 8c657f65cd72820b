import type { MazeGuard, MirrorGuard, SamePages, TrapGuard } from "../../../analysis/url/index.ts";
import type { TopLink } from "../../../core/records.ts";
import type {
  Counters,
  Exchange,
  FoundLink,
  HostUpdate,
  PageLink,
  ScorerSpec,
  SettledVisit,
  SettleResult,
  Store,
} from "../../../store/index.ts";
import type { Frontier, HostQueue, Queued } from "../../frontier/index.ts";
import { Admission, type AdmissionSetup } from "../admit/admission.ts";
import { hostAnswerOf } from "../admit/gate.ts";
import { type AdmissionPlan, type Mention, type MentionSource, queuedRowsOf } from "../admit/mention.ts";
import type { DuePages } from "../due.ts";
import type { CrawlEvent } from "../events.ts";
import type { Outcome } from "../visit.ts";
import { BatchQueue } from "./batch-queue.ts";
import { copyCounters, countOutcome, countSkip, uncountSkip } from "./count.ts";
import { judgeAnswer } from "./judge-answer.ts";
import type { NearDuplicates } from "./near-duplicates.ts";
import { forgetMentions, knownToOthers, mentionsBesideStale, mentionsWithLessDepth, uncountStale } from "./other-processes.ts";
import { OutcomeHandler } from "./outcome-handler.ts";
import { emitEvents, hostUpdateOf } from "./outcome-records.ts";
import { settleLargeParts } from "./settle-large-parts.ts";

export interface SettlerSetup {
  readonly store: Store;
  readonly runId: number;
  readonly frontier: Frontier;
  readonly admission: AdmissionSetup;
  readonly traps: TrapGuard | undefined;
  readonly mazes: MazeGuard | undefined;
  readonly mirrors: MirrorGuard | undefined;
  readonly same: SamePages | undefined;
  readonly nearDuplicates: NearDuplicates;
  /** Set in a run that visits due pages. */
  readonly due: DuePages | undefined;
  readonly counters: Counters;
  readonly readerName: string;
  readonly random: () => number;
  readonly keepVersions: number;
  /** These sites have no stored pages except those that this process has settled. */
  readonly isFirstRun: boolean;
  /** Other processes work in the same run and admit URLs too. */
  readonly isShared: boolean;
  /** Whether links are also kept as rows that people can query. */
  readonly savesLinks: boolean;
  /** Matches links with the keywords; undefined without keywords. */
  readonly judge: ScorerSpec | undefined;
  readonly top: ((links: readonly PageLink[]) => readonly TopLink[]) | undefined;
  readonly onFound: (links: readonly FoundLink[]) => void;
  readonly clock: { now(): number; wall(): number };
  readonly emit: (event: CrawlEvent) => void;
  /** Facts of the run that a resume needs besides the ledger. */
  readonly state: () => Record<string, unknown>;
  /** URLs that became seeds since the last settlement. */
  readonly newSeeds: () => readonly string[];
  /** The snapshot of the guards, which is larger, so it is returned only when it is time to write it again. */
  readonly memory: (visits: number) => unknown;
  /** Called when a seed redirects: its target joins the scope where that is safe. Returns true if the scope grew. */
  readonly onSeedMoved: (from: string, to: string) => boolean;
  /** A sitemap could not be read, so the pages it names are unknown. */
  readonly onIncomplete: () => void;
}

/**
 * An entry of the queue: an outcome, mentions without a visit (seeds, sitemaps named by robots.txt, probes), a host's pace, or an errand's
 * exchange for the archive.
 */
type Entry =
  | { readonly outcome: Outcome; readonly state: Queued | undefined }
  | { readonly mentions: readonly [Mention, MentionSource][] }
  | { readonly host: HostQueue }
  | { readonly exchange: Exchange };

/** Limits the links of one batch: thousands of rows block the main thread for too long. */
const MAX_LINKS_PER_BATCH = 8000;

/**
 * Writes outcomes in batches, one transaction per batch. A worker's slot is freed only when its outcome is on disk, so a crash repeats at
 * most the visits that were in flight.
 */
export class Settler {
  readonly #setup: SettlerSetup;
  readonly #batches: BatchQueue<Entry>;
  #fingerprints = new Set<string>();
  #linksInBatch = 0;
  #mentionNumber = 0;
  readonly #outcomeHandler: OutcomeHandler;

  constructor(setup: SettlerSetup) {
    this.#setup = setup;
    this.#outcomeHandler = new OutcomeHandler(setup);
    this.#batches = new BatchQueue({
      settle: (batch) => this.#settleOrRollBack(batch),
      mustDefer: (entry) => this.#hasTooManyLinks(entry) || this.#isDuplicateInBatch(entry),
      inFlight: setup.isShared ? () => setup.frontier.inFlight : undefined,
    });
  }

  settle(outcome: Outcome): Promise<void> {
    const { turn } = outcome.visit;
    return this.#batches.add({ outcome, state: this.#setup.frontier.stateOf(turn) });
  }

  addMentions(mentions: readonly [Mention, MentionSource][]): Promise<void> {
    return this.#batches.add({ mentions });
  }

  settleHost(host: HostQueue): Promise<void> {
    return this.#batches.add({ host });
  }

  addExchange(exchange: Exchange): Promise<void> {
    return this.#batches.add({ exchange });
  }

  /** Limits the number of links per batch: pages with many links do not share one. */
  #hasTooManyLinks(entry: Entry): boolean {
    const links = "outcome" in entry ? (entry.outcome.reading?.links.flags.length ?? 0) : 0;
    if (this.#linksInBatch > 0 && this.#linksInBatch + links > MAX_LINKS_PER_BATCH) return true;
    this.#linksInBatch += links;
    return false;
  }

  /** Defers an outcome whose fingerprint is already in this batch, so that the next batch's duplicate lookup finds the first one. */
  #isDuplicateInBatch(entry: Entry): boolean {
    if (!("outcome" in entry)) return false;
    const { reading, change } = entry.outcome;
    if (!reading || change === "same") return false;
    const print = `${reading.fingerprint.text}${reading.fingerprint.links}`;
    if (this.#fingerprints.has(print)) return true;
    this.#fingerprints.add(print);
    return false;
  }

  async #settleOrRollBack(batch: readonly Entry[]): Promise<void> {
    this.#fingerprints.clear();
    this.#linksInBatch = 0;
    const { counters } = this.#setup;
    const before = copyCounters(counters);
    try {
      await this.#settleBatch(batch, copyCounters(counters));
    } catch (cause) {
      // The batch was rolled back, so its counts are too.
      Object.assign(counters, before);
      throw cause;
    }
  }

  async #settleBatch(entries: readonly Entry[], before: Counters): Promise<void> {
    const { store, runId, counters, clock } = this.#setup;
    const admission = new Admission(this.#setup.admission, this.#mentionNumber);
    const visits: SettledVisit[] = [];
    const hosts = new Map<string, { host: HostQueue; settledRequests: number }>();
    const retries: Queued[] = [];
    const outcomes: Outcome[] = [];
    const exchanges: Exchange[] = [];
    const addHost = (host: HostQueue) => hosts.set(host.name, { host, settledRequests: (hosts.get(host.name)?.settledRequests ?? 0) + 1 });
    const arrived: Outcome[] = [];
    for (const entry of entries) if ("outcome" in entry) arrived.push(entry.outcome);
    await this.#outcomeHandler.findDuplicates(arrived);
    for (const entry of entries) {
      if ("mentions" in entry) {
        for (const [mention, source] of entry.mentions) await admission.admit(mention, source);
        continue;
      }
      if ("host" in entry) {
        addHost(entry.host);
        continue;
      }
      if ("exchange" in entry) {
        exchanges.push(entry.exchange);
        continue;
      }
      const { outcome, state } = entry;
      const host = this.#setup.frontier.learn(outcome.visit.turn, hostAnswerOf(outcome.fetched), outcome.fetched.timing.duration);
      if (host) addHost(host);
      const settled = await this.#settleOne(outcome, admission);
      if (settled.isRetry && state) retries.push(respelt(state, settled.respelt));
      visits.push(settled);
      outcomes.push(outcome);
      if (outcome.exchange) exchanges.push(outcome.exchange);
    }
    await admission.propagateDepths();
    admission.rerank();
    this.#mentionNumber = admission.mentionNumber;
    for (const reason of admission.plan.skips) countSkip(counters, reason);
    for (const reason of admission.plan.withdrawnSkips) uncountSkip(counters, reason);
    const at = clock.wall();
    const linksWritten = this.#setup.isShared
      ? undefined
      : await settleLargeParts(this.#setup, { plan: admission.plan, visits, counters: before });
    const hostUpdates: HostUpdate[] = [];
    for (const { host, settledRequests } of hosts.values()) hostUpdates.push(hostUpdateOf(host, clock.now(), settledRequests));
    const { newUrls, updatedRows: again, mentionCounts } = admission.plan;
    const { due } = this.#setup;
    const hints = due && outcomes.flatMap(({ visit, change }) => due.evaluateHint(visit.hash, change) ?? []);
    const facts = {
      counters,
      ...(hints && { hints }),
      state: this.#setup.state(),
      homes: this.#setup.newSeeds(),
      memory: this.#setup.memory(visits.length),
    };
    const settlement = {
      runId,
      at,
      visits,
      heard: newUrls,
      again: [...again.values()],
      more: mentionCounts,
      hosts: hostUpdates,
      exchanges,
      judge: this.#setup.judge,
      keepVersions: this.#setup.keepVersions,
      ...(linksWritten && { linksWritten }),
      ...facts,
    };
    const settled = await store.settle(settlement);
    const { known, nearer, stale, notUnfollowed } = settled;
    uncountSkip(counters, "meta.nofollow", notUnfollowed);
    const { seen } = this.#setup.admission;
    if (known) this.#enqueueMentions(knownToOthers(newUrls, known, seen, counters));
    if (nearer) this.#enqueueMentions(mentionsWithLessDepth(visits, nearer, seen));
    if (stale?.size) {
      uncountStale(counters, visits, outcomes, stale);
      forgetMentions(newUrls, visits, stale, { seen, counters });
      // Always enqueued, even without mentions: the counters just written still include the stale visits, and no other batch may follow.
      void this.#batches.add({ mentions: mentionsBesideStale(visits, stale, seen) }, true).catch(() => undefined);
    }
    this.#updateFrontier(admission.plan, settled, outcomes, retries);
    const isSettled = (_: unknown, index: number) => !stale?.has(index);
    const settledPages = { pages: this.#pagesOf(settled).filter(isSettled), seqs: settled.seqs.filter(isSettled) };
    emitEvents(this.#setup.emit, admission.plan, visits.filter(isSettled), outcomes.filter(isSettled), settledPages, hostUpdates);
    if (settled.newLinks.length > 0) this.#setup.onFound(settled.newLinks);
    this.#rememberSimhashes(visits, settled.pageIds);
  }

  /** Enqueued at once: if this process is killed before, no other process repeats these mentions. `settleAll` waits for them. */
  #enqueueMentions(mentions: readonly [Mention, MentionSource][]): void {
    if (mentions.length > 0) void this.#batches.add({ mentions }, true).catch(() => undefined);
  }

  /** Resolves when the queue is empty. */
  async settleAll(): Promise<void> {
    while (this.#batches.isBusy) await this.addMentions([]);
  }

  /** Adds the best links of each page, where there are keywords. */
  #pagesOf({ pages, pageIds, linksOf }: SettleResult): SettleResult["pages"] {
    const { top } = this.#setup;
    return top ? pages.map((load, index) => load && (() => ({ ...load(), topLinks: top(linksOf(pageIds[index]!)) }))) : pages;
  }

  async #settleOne(outcome: Outcome, admission: Admission): Promise<SettledVisit> {
    const { visit, fetched, remembered } = outcome;
    if (outcome.again) return this.#requeueVisit(outcome, outcome.again);
    const judgement = judgeAnswer(fetched, visit.attempts, this.#setup.random);
    const { again, attempts, needsProbe } = judgement.mayRetry
      ? this.#setup.frontier.retry(visit.turn, hostAnswerOf(fetched), judgement.pause)
      : { again: false, attempts: visit.attempts, needsProbe: false };
    if (needsProbe) this.#setup.frontier.send(visit.host, this.#setup.admission.gate.probeOf(visit.url));
    const depth = Math.min(visit.depth, this.#setup.admission.seen.depthOf(visit.hash) ?? visit.depth);
    const status = "status" in fetched ? fetched.status : fetched.kind === "not-modified" ? 304 : undefined;
    if (again) {
      const { reason, rule } = judgement;
      return {
        candidate: visit,
        depth,
        verdict: "queued",
        reason,
        rule,
        status,
        isRetry: true,
        attempts,
        target: undefined,
        page: undefined,
        remembered,
      };
    }
    if (!outcome.reading) this.#setup.admission.estimator?.learn(visit, fetched.kind === "gone" ? 0 : undefined);
    const settled = await this.#outcomeHandler.apply(outcome, judgement, admission, depth);
    // A page that redirects to another spelling of its URL is fetched again, so it does not count as visited yet.
    const verdict = settled.verdict ?? judgement.verdict;
    const reason = settled.reason ?? judgement.reason;
    countOutcome(this.#setup.counters, settled.respelt === undefined ? outcome : { ...outcome, change: undefined }, { verdict, reason });
    const rule = outcome.trouble ? `kept as it came: ${outcome.trouble} in a browser` : (this.#linkLimitRule(outcome) ?? judgement.rule);
    // Written field by field: one is made per visit, and spreading objects takes ten times as long.
    return {
      candidate: visit,
      depth,
      verdict,
      reason,
      rule: settled.rule ?? rule,
      status,
      isRetry: settled.isRetry ?? false,
      attempts,
      target: settled.target,
      respelt: settled.respelt,
      page: settled.page,
      remembered,
    };
  }

  /** The ledger's rule for a page that names more links than are followed. */
  #linkLimitRule({ reading }: Outcome): string | undefined {
    const left = reading ? reading.linkCount - reading.links.flags.length : 0;
    if (left === 0) return undefined;
    this.#setup.onIncomplete();
    countSkip(this.#setup.counters, "limit.links", left);
    return `names ${reading!.linkCount} links: the last ${left} are not followed`;
  }

  /** Puts the page back into the queue for its host's next turn. */
  #requeueVisit({ visit, fetched, remembered }: Outcome, why: NonNullable<Outcome["again"]>): SettledVisit {
    const { counters } = this.#setup;
    if (why === "noise") counters.looksAgain = (counters.looksAgain ?? 0) + 1;
    if (fetched.kind === "body") counters.bytes += fetched.wireBytes;
    const { depth, attempts } = visit;
    const rule = REQUEUE_RULES[why];
    const noAnswer = { status: undefined, target: undefined, page: undefined };
    return { ...noAnswer, candidate: visit, depth, attempts, remembered, verdict: "queued", reason: "ok", rule, isRetry: true };
  }

  #rememberSimhashes(visits: readonly SettledVisit[], pageIds: readonly (number | undefined)[]): void {
    for (const [index, { page }] of visits.entries()) {
      const pageId = pageIds[index];
      if (page?.version && pageId !== undefined) this.#setup.nearDuplicates.add(pageId, page.version.fingerprint.simhash);
    }
  }

  #updateFrontier(plan: AdmissionPlan, settled: SettleResult, outcomes: readonly Outcome[], retries: readonly Queued[]): void {
    const { frontier } = this.#setup;
    const fresh = queuedRowsOf(plan.newUrls, settled.heardIds);
    for (const { host, id, ...change } of plan.moved) frontier.move(host, id, change);
    for (const [index, { host, place }] of plan.mentionCounts.entries()) {
      const id = settled.queuedIds[index];
      if (id !== undefined && place) frontier.move(host, id, place);
    }
    frontier.add([...fresh, ...plan.requeued]);
    for (const { visit } of outcomes) frontier.free(visit.turn);
    for (const state of retries) frontier.putBack(state);
  }
}

const REQUEUE_RULES = {
  noise: "looked at again, to tell what changes by itself",
  render: "asked for again, by another browser than before",
} as const;

const respelt = (state: Queued, url: string | undefined): Queued => (url === undefined ? state : { ...state, url, hops: state.hops + 1 });
