import type { Clock } from "../clock.ts";
import type { Fetcher, FetchOptions } from "../fetch/index.ts";
import { Frontier, type FrontierOptions, type GateVerdict, type Job, type Queued, Seen } from "../frontier/index.ts";
import type { StopReason } from "../records.ts";
import type { RecrawlOptions } from "../recrawl/index.ts";
import { productTokenOf, type RobotsOptions } from "../robots/index.ts";
import { kindOf, type ScoreOptions, scoreUnder, topLinks } from "../score/index.ts";
import type { Run, Store } from "../store/index.ts";
import { compileScope, hostOf, keyOptionsOf, registrableDomain, type UrlOptions } from "../url/index.ts";
import type { AdmissionSetup } from "./admission.ts";
import { Budget } from "./budget.ts";
import { DuePages } from "./due.ts";
import type { CrawlEvent, Progress, RunResult } from "./events.ts";
import { Gate } from "./gate.ts";
import { type GuardMemory, Guards } from "./guards.ts";
import type { Hooks } from "./hooks.ts";
import { judgeOf } from "./judge.ts";
import { countLinks, tellLinks } from "./link-news.ts";
import { NearPages } from "./near-pages.ts";
import { NoiseJudge } from "./noise-judge.ts";
import type { CrawlOptions } from "./options.ts";
import { type ReadSetup, readerName } from "./read.ts";
import type { Reader } from "./reader.ts";
import { reportHosts, seedFates, slowestHost } from "./report.ts";
import { scoreSites } from "./score-stored.ts";
import { Settler } from "./settler.ts";
import { Sources } from "./sources.ts";
import { type Tools, visit } from "./visit.ts";
import { Wishes } from "./wishes.ts";

export type CrawlConfig = UrlOptions & RobotsOptions & FrontierOptions & FetchOptions & RecrawlOptions & ScoreOptions & CrawlOptions;

export interface RunSetup {
  readonly store: Store;
  readonly fetcher: Fetcher;
  /** Made for `readSetupOf` of the same config and store; closed when the run ends. */
  readonly reader: Reader;
  readonly config: CrawlConfig;
  readonly run: Run;
  readonly isResumed: boolean;
  /** Whether earlier runs knew these sites. */
  readonly hasHistory: boolean;
  /** Scope is measured from here instead of from the seeds. */
  readonly home: readonly string[] | undefined;
  readonly clock: Clock;
  readonly emit: (event: CrawlEvent) => void;
  /** Whether to tell what becomes of every link (`link.heard`), which costs something. */
  readonly wantsLinks: boolean;
  /** A promise while a listener needs a pause. */
  readonly mayGoOn: () => Promise<void> | undefined;
  /** Asked last, with what the gate says: a candidate that is held back is settled unasked. It can only close, never open. */
  readonly holdsBack?: ((candidate: Queued, verdict: GateVerdict) => boolean) | undefined;
  readonly hooks?: Hooks | undefined;
}

export interface RunControl {
  readonly result: Promise<RunResult>;
  /** Finishes what is in flight and keeps everything. */
  stop(): void;
  /** Finishes what is in flight and asks for nothing more until it is told to go on. */
  pause(): void;
  goOn(): void;
  /** Ends now; what was in flight is visited again when the run is resumed. */
  abort(): void;
  progress(): Progress;
}

interface RunState {
  readonly extraSeeds?: string[];
  readonly guards?: GuardMemory;
  /** Pages counted as unknown when the run was stopped before it reached them. */
  readonly unreached?: number;
}

/** Of so many pages of earlier runs the texts are compared with new ones. */
const REMEMBERED_TEXTS = 100_000;

export function readSetupOf(config: CrawlConfig, store: Store): ReadSetup {
  return {
    key: keyOptionsOf(config),
    embeddedLinks: config.embeddedLinks === "on",
    agent: productTokenOf(config.userAgent ?? "nuthatch"),
    hashSeed: store.hashSeed,
    keepBody: config.save.includes("raw"),
    isLean: config.save.includes("none"),
    keywords: Object.entries(config.keywords),
    scorer: kindOf(config.scorer),
    scoreRatio: config.scoreRatio,
  };
}

/** What a run that saw everything did not find is not kept. */
async function removeGone({ care }: Store, siteIds: readonly number[], keep: number): Promise<void> {
  for (const siteId of siteIds) await (await care.plan({ what: "old", siteId, keep, before: 0, gone: true })).carryOut();
}

function withheld(candidate: Queued, verdict: GateVerdict, holdsBack: NonNullable<RunSetup["holdsBack"]>): GateVerdict {
  if (!holdsBack(candidate, verdict) || verdict.kind === "refused") return verdict;
  const timing = { startedAt: 0, duration: 0 };
  const fetched = { kind: "refused", by: "robots", reason: "limit.pages", rule: "only looked ahead", timing } as const;
  return { kind: "refused", fetched: { ...fetched, status: undefined, retryAfter: undefined } };
}

/** One run: workers pull from the frontier until nothing is left, a limit is met, or somebody says stop. */
export function startRun(setup: RunSetup): RunControl {
  const { store, reader, config, run, clock, emit, hooks } = setup;
  const startedAt = clock.now();
  const state = run.state as RunState;
  const { counters } = run;
  counters.changes.unknown -= state.unreached ?? 0;
  const key = keyOptionsOf(config);
  const readSetup = readSetupOf(config, store);
  // Whoever scores links has a say without keywords, too.
  const judge = judgeOf(readSetup) ?? (hooks?.scoreLinks && { scorer: "", words: [] });
  const hardStop = new AbortController();
  const siteIds = run.sites.map(({ id }) => id);
  const homes = new Set(run.seeds.map(hostOf));
  const guards = new Guards(config, (host) => homes.has(host));
  const { traps, mazes, mirrors, aim } = guards;
  const extraSeeds = [...new Set([...(state.extraSeeds ?? []), ...(hooks?.seeds ?? [])])];
  const compile = () => compileScope([...(setup.home ?? run.seeds), ...extraSeeds], config);
  let scope = compile();
  let stoppedBy: StopReason | undefined;
  let hasDeferred = false;
  let isSpent = false;

  const listen = (event: CrawlEvent) => {
    if (event.type === "url.settled" && event.verdict === "deferred") hasDeferred = true;
    emit(event);
  };
  const gate = new Gate({
    store,
    fetcher: setup.fetcher,
    options: config,
    agent: readSetup.agent,
    traps,
    mazes,
    mirrors,
    clock,
    onRules: (origin, urls) => sources.hearSitemaps(origin, urls),
    onAnswer: (host) => settler.settleHost(host),
  });
  const seen = new Seen();
  const failed = new Seen();
  const near = new NearPages();
  const due = config.due ? new DuePages({ store, siteIds, options: config, key, clock }) : undefined;
  const { holdsBack } = setup;
  const check = holdsBack ? (candidate: Queued) => withheld(candidate, gate.check(candidate), holdsBack) : gate.check;
  const frontier = new Frontier(config, { backlog: store.backlog(run.id), gate: check, clock });
  const admission: AdmissionSetup = {
    store,
    runId: run.id,
    siteIds,
    seen,
    hurried: new Set(),
    aim,
    failed,
    waiting: due?.waiting,
    gate,
    traps,
    key,
    frontier: config,
    maxDepth: config.maxDepth,
    followLinks: config.sitemap !== "only",
    keepsDecisions: config.decisions === "full",
    wantsFates: setup.wantsLinks,
    hasHistory: setup.hasHistory,
    clock,
    hooks,
    scope: () => scope,
  };
  const settler = new Settler({
    store,
    runId: run.id,
    frontier,
    admission,
    traps,
    mazes,
    mirrors,
    counters,
    readerName: readerName(readSetup),
    near,
    due,
    random: Math.random,
    keepVersions: config.keepVersions,
    isFirstRun: !setup.isResumed && !setup.hasHistory,
    savesLinks: config.save.includes("links"),
    judge,
    top: judge && ((links) => topLinks(links, scoreUnder(config.keywords, config.scoreRatio))),
    onFound: (links) => counters.links && tellLinks(links, counters.links, { keywords: config.keywords, ratio: config.scoreRatio, emit }),
    clock,
    emit: listen,
    state: () => ({ extraSeeds }),
    memory: (visits) => guards.note(visits),
    onSeedMoved: widenScope,
  });
  const sources = new Sources({
    store,
    run,
    settler,
    key,
    agent: readSetup.agent,
    sitemap: config.sitemap,
    maxDepth: config.maxDepth,
    scope: (url) => scope(url),
    clock,
    hooks,
  });
  const noise = setup.hasHistory ? new NoiseJudge({ store, reader, comparedBy: config.fingerprint, clock }) : undefined;
  const tools: Tools = {
    fetcher: setup.fetcher,
    reader,
    store,
    siteIds,
    readerName: readerName(readSetup),
    hasHistory: setup.hasHistory,
    comparedBy: config.fingerprint,
    isFull: config.full,
    traps,
    mazes,
    clock,
    signal: hardStop.signal,
    hooks,
    noise,
  };
  const wishes = hooks?.beforeFetch && new Wishes(hooks.beforeFetch, { frontier, clock, perHost: config.perHost });
  const budget = new Budget(config.maxPages - counters.pages);

  function stopFor(reason: StopReason): void {
    stoppedBy ??= reason;
    frontier.stop();
  }

  /** `example.org` that answers "I live at www.example.org" is one site to everybody but a scope rule. */
  function widenScope(from: string, to: string): void {
    const [domain, target] = [from, to].map((url) => registrableDomain(new URL(url).hostname));
    if (setup.home || domain === undefined || domain !== target || extraSeeds.includes(to)) return;
    extraSeeds.push(to);
    scope = compile();
  }

  async function work(): Promise<void> {
    for (;;) {
      await setup.mayGoOn();
      if (!(await budget.take())) {
        isSpent = true;
        frontier.stop();
        return;
      }
      const job = await frontier.next();
      if (!job) {
        budget.giveBack();
        return;
      }
      // Only pages count against the limit; redirects, errors and errands do not.
      if (await attend(job)) budget.spend();
      else budget.giveBack();
      if (counters.bytes >= config.maxBytes) stopFor("limit.bytes");
    }
  }

  /** Answers whether a page came of it. */
  async function attend(job: Job): Promise<boolean> {
    if (job.kind === "errand") {
      await gate.run(job.errand, job.turn, frontier, hardStop.signal);
      return false;
    }
    if (job.kind === "visit") {
      const wish = wishes && (await wishes.of(job.visit));
      if (wishes && !wish) return false;
      const outcome = await visit(job.visit, tools, wish?.headers);
      await settler.settle(outcome);
      return (
        job.visit.kind === "page" && !outcome.isDoubtful && (outcome.fetched.kind === "body" || outcome.fetched.kind === "not-modified")
      );
    }
    const remembered = await store.remember(siteIds, job.visit.hash, tools.readerName);
    await settler.settle({ visit: job.visit, fetched: job.fetched, reading: undefined, change: remembered && "unknown", remembered });
    return false;
  }

  async function drain(): Promise<void> {
    const workers = Array.from({ length: config.maxConcurrent }, () =>
      work().catch((cause: unknown) => {
        frontier.stop();
        throw cause;
      }),
    );
    const ends = await Promise.allSettled(workers);
    const failure = ends.find((end) => end.status === "rejected");
    if (failure && !hardStop.signal.aborted) throw failure.reason;
  }

  async function crawl(): Promise<RunResult> {
    emit({ type: "crawl.started", run, isResumed: setup.isResumed });
    const memory = ((await store.memory(run.id)) as GuardMemory | undefined) ?? state.guards;
    if (memory) guards.restore(memory);
    if (judge) {
      await scoreSites(store, siteIds, { kind: readSetup.scorer, emit, isStopped: () => stoppedBy !== undefined });
      counters.links = await countedLinks();
    }
    await store.seen(run.id, (hash, depth, mentions) => seen.mention(hash, depth, mentions));
    if (setup.hasHistory) await store.failed(siteIds, (hash) => failed.mention(hash, 0));
    await store.simhashes(siteIds, REMEMBERED_TEXTS, (pageId, simhash) => near.add(pageId, simhash));
    if (due) await sources.hearDue(due);
    await sources.hearSeeds(due !== undefined);
    await frontier.open();
    await drain();
    if (isSpent && frontier.queued > 0) stoppedBy ??= "limit.pages";
    // A run that visits what is due says nothing of the others.
    if ((frontier.ended === "drained" || isSpent) && !hasDeferred && !stoppedBy && !due) {
      const { probes, unknown } = await sources.hearUnheard();
      counters.changes.unknown += unknown;
      // The last page of the limit was the last of the site, but what became of those that nobody names is left to ask.
      if (isSpent && probes > 0) stoppedBy = "limit.pages";
      else if (probes > 0) {
        emit({ type: "crawl.phase", phase: "probing", pages: probes });
        await drain();
      }
    }
    return end();
  }

  const countedLinks = () => countLinks(store, siteIds, { runId: run.id, ratio: config.scoreRatio });

  async function end(failure?: unknown): Promise<RunResult> {
    const isDeferred = frontier.ended === "deferred" || hasDeferred;
    const stopReason: StopReason = failure ? "failed" : (stoppedBy ?? (isDeferred ? "deferred" : "finished"));
    const at = clock.wall();
    if (judge && !failure) counters.links = await countedLinks();
    const unreached = stopReason === "finished" || due ? 0 : await store.markUnreached(run.id, siteIds, at);
    counters.changes.unknown += unreached;
    const status = failure ? "failed" : stopReason === "finished" ? "finished" : "stopped";
    await noise?.save();
    await store.endRun(run.id, {
      status,
      stopReason,
      at,
      counters,
      state: { extraSeeds, guards: guards.snapshot(), unreached, ...(due && { due: due.report() }) },
    });
    await store.releaseHosts(run.id);
    if (config.prune && stopReason === "finished" && !due) await removeGone(store, siteIds, config.keepVersions);
    const result: RunResult = {
      runId: run.id,
      stopReason,
      isComplete: stopReason === "finished" && !due,
      ...(due && { due: due.report() }),
      stats: counters,
      durationMs: Math.round(clock.now() - startedAt),
      seeds: await seedFates(store, run, key),
      slowestHost: slowestHost(frontier),
    };
    emit({ type: "crawl.finished", run: (await store.run(run.id)) ?? run, result });
    return result;
  }

  const forgetTimer = Number.isFinite(config.maxTime) ? clock.after(config.maxTime, () => stopFor("limit.time")) : undefined;
  const result = crawl()
    .catch(async (cause: unknown) => {
      // If even the end cannot be written, the run looks killed, and is taken up like one that was.
      await end(cause).catch(() => undefined);
      throw cause;
    })
    .finally(async () => {
      forgetTimer?.();
      await reader.close();
    });

  return {
    result,
    stop: () => stopFor("interrupted"),
    pause: () => frontier.pause(),
    goOn: () => frontier.goOn(),
    abort: () => {
      stopFor("interrupted");
      hardStop.abort(new Error("stopped"));
    },
    progress: () => ({ counters, queued: frontier.queued, inFlight: frontier.inFlight, hosts: reportHosts(frontier, clock.now()) }),
  };
}
