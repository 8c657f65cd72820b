import { pollEvery } from "../../core/clock.ts";
import type { StopReason, Visit } from "../../core/records.ts";
import { foundNothing } from "../../store/index.ts";
import type { Job } from "../frontier/index.ts";
import { adjustRun, hostSettingsOf } from "./adjust.ts";
import type { GuardMemory } from "./admit/guards.ts";
import { knownSessions } from "./admit/known-sessions.ts";
import type { CrawlEvent, RunResult } from "./events.ts";
import { countLinks } from "./read/link-counts.ts";
import { recordedVisit } from "./read/recording.ts";
import { SilentStoreError, withTimeouts } from "./read/timeouts.ts";
import { Watchdog } from "./read/watchdog.ts";
import { MAX_SHOWN_HOSTS, pausedHosts, reportHosts, seedResults, slowestHost, withPauseReasons } from "./report.ts";
import { createRunParts } from "./run-parts.ts";
import type { RunControl, RunSetup, RunState } from "./run-setup.ts";
import { leftDepthMentions } from "./settle/other-processes.ts";
import { removeGone } from "./settle/remove-gone.ts";
import { scoreSites } from "./settle/score-stored.ts";
import { RUN_POLL_MS, SharedRun } from "./shared-run.ts";
import { visit } from "./visit.ts";
import { WorkerPool } from "./worker-pool.ts";

/** New pages are compared for near-duplicates with the texts of at most this many pages of earlier runs. */
const MAX_STORED_TEXTS = 100_000;

/** Limit for the set that tells URLs that failed and wait for a retry from those never fetched. */
const MAX_REQUESTED = 10_000;

/** Delay before a visit is tried again while other processes hold what is left of the page limit (ms). */
const BUDGET_RETRY_MS = 250;

/** One run: workers pull from the frontier until it is empty, a limit is met, or the run is stopped. */
export function startRun(given: RunSetup): RunControl {
  const watchdog = new Watchdog(given.clock);
  const setup = withTimeouts(given, watchdog);
  const { store, reader, run, clock } = setup;
  // A reader thread takes about as long to start as the first page takes to arrive. With history all pages may be unchanged and need no
  // reader.
  if (!setup.hasHistory) reader.prepare?.();
  /** A copy, because options may be changed during the run. */
  const config = { ...setup.config };
  const startedAt = clock.now();
  const state = run.state as RunState;
  const { counters } = run;
  counters.changes.unknown -= state.unreached ?? 0;
  let stoppedBy: StopReason | undefined;
  let hasDeferred = false;
  let isBudgetSpent = false;
  /** URLs that failed and are queued for a retry. */
  const requested = new Set<string>();
  const emit = (event: CrawlEvent) => {
    if (event.type === "url.settled" && event.verdict === "deferred") hasDeferred = true;
    if (event.type === "url.settled" && event.verdict === "queued" && requested.size < MAX_REQUESTED) requested.add(event.url);
    setup.emit(event);
  };
  const hardStop = new AbortController();
  const pagesBefore = counters.pages;
  const parts = createRunParts({ ...setup, config, emit }, hardStop.signal);
  const {
    judge,
    siteIds,
    guards,
    seen,
    failed,
    knownTypes,
    near: nearDuplicates,
    due,
    gate,
    frontier,
    settler,
    sources,
    noise,
    tools,
    wishes: beforeFetch,
    budget,
  } = parts;
  const { sharing, sharedBudget } = parts;
  const isFollower = setup.isHand ?? false;
  /** The counters of all processes in this run, where there are several. */
  let total = counters;
  // A run of due or single pages makes no statement about the pages it did not visit.
  const coversAllPages = due === undefined && !setup.seedsOnly;

  const visitPage = config.save.includes("warc") ? recordedVisit : visit;

  let resolveStopped: () => void;
  const stopped = new Promise<false>((resolve) => {
    resolveStopped = () => resolve(false);
  });

  let isLeaving = false;
  const isLeader = async () => !isFollower && !isLeaving && (await store.workers.isLeader(run.id));
  const shared = sharing && new SharedRun({ store, run, sharing, isLeader, isStopped: () => stoppedBy !== undefined, stopped });

  function stopFor(reason: StopReason): void {
    stoppedBy ??= reason;
    halt();
    resolveStopped();
  }

  function halt(): void {
    frontier.stop();
    sharedBudget?.wakeAll();
  }

  /** Stops the run in all processes at once, not only after this one has ended it: requests in flight here may take long. */
  function stopAll(): void {
    // If this write fails, the end of the run says the same. If another process leads by now, the run is no longer ours to stop.
    if (shared)
      void isLeader()
        .then((isOurs) => isOurs && store.maintenance.requestStop(run.id))
        .catch(() => undefined);
    stopFor("stopped");
  }

  async function work(): Promise<void> {
    for (;;) {
      // Await only if there is something to wait for: this runs for every page.
      const pause = setup.mayGoOn();
      if (pause) await pause;
      const pagesPause = sharedBudget?.waitForPages();
      if (pagesPause) await pagesPause;
      if (!(await budget.take())) {
        isBudgetSpent = true;
        frontier.stop();
        return;
      }
      const job = await frontier.next();
      if (!job) {
        budget.giveBack();
        sharedBudget?.wakeAll();
        return;
      }
      if (sharedBudget && job.kind === "visit" && !(await mayFetch(job.visit))) {
        budget.giveBack();
        if (isBudgetSpent) return;
        continue;
      }
      // Only pages count against the limit; redirects, errors and errands do not.
      const isPage = await handleJob(job);
      if (job.kind === "visit") sharedBudget?.settle();
      if (isPage) budget.spend();
      else budget.giveBack();
      if (counters.bytes >= config.maxBytes || total.bytes >= config.maxBytes) stopFor("limit.bytes");
    }
  }

  /** Whether the shared page limit has a page left. If other processes hold the rest, the visit is put off and tried again soon. */
  async function mayFetch({ turn }: Visit): Promise<boolean> {
    const may = (await sharedBudget?.take()) ?? "yes";
    if (may === "yes") return true;
    await frontier.putOff(turn, BUDGET_RETRY_MS);
    if (may === "spent") {
      isBudgetSpent = true;
      halt();
    }
    return false;
  }

  /** Returns true if the job produced a page. */
  async function handleJob(job: Job): Promise<boolean> {
    if (shared && (await shared.hasLostLease(job, frontier))) return false;
    if (job.kind === "errand") {
      await gate.run(job.errand, job.turn, frontier, hardStop.signal);
      return false;
    }
    if (job.kind === "visit") {
      const requestChange = beforeFetch && (await beforeFetch.requestChange(job.visit));
      if (beforeFetch && !requestChange) return false;
      const outcome = await visitPage(job.visit, tools, requestChange?.headers);
      await settler.settle(outcome);
      return job.visit.kind === "page" && !outcome.again && (outcome.fetched.kind === "body" || outcome.fetched.kind === "not-modified");
    }
    tools.rendering?.dropPending(job.visit.id);
    const remembered = await store.findStored(siteIds, job.visit.hash, tools.readerName);
    await settler.settle({ visit: job.visit, fetched: job.fetched, reading: undefined, change: remembered && "unknown", remembered });
    return false;
  }

  const applyHostSettings: RunControl["applyHostSettings"] = (hosts) => frontier.repace(hostSettingsOf(hosts, clock));

  const pool = new WorkerPool(() =>
    work().catch((cause: unknown) => {
      halt();
      throw cause;
    }),
  );

  async function drain(): Promise<void> {
    for (;;) {
      const failure = await pool.run(config.maxConcurrent);
      if (failure && !hardStop.signal.aborted) throw failure.reason;
      if (!shared || hardStop.signal.aborted) return;
      // Also before this process leaves or ends the run: what is written afterwards would be counted a second time.
      await settler.settleAll();
      if (isBudgetSpent || frontier.ended === "stopped") return;
      await sharedBudget?.giveBack();
      if (!(await shared.waitForWork(frontier.patience))) return;
      await frontier.open();
    }
  }

  async function crawl(): Promise<RunResult> {
    emit({ type: "crawl.started", run, isResumed: setup.isResumed });
    const memory = ((await store.memory(run.id)) as GuardMemory | undefined) ?? state.guards;
    if (memory) guards.restore(memory);
    else if (setup.hasHistory) guards.sessions?.restore(await knownSessions(store, run));
    await parts.loadScope();
    if (judge && !isFollower) {
      await scoreSites(store, siteIds, { kind: parts.readSetup.scorer, emit, isStopped: () => stoppedBy !== undefined });
      counters.links = await currentLinkCounts();
    }
    // With several processes an in-memory set cannot be complete; the ledger is asked for each URL instead.
    if (!sharing) await store.forEachKnownUrl(run.id, (hash, depth, mentions) => seen.mention(hash, depth, mentions));
    if (setup.hasHistory) await store.forEachFailed(siteIds, (hash) => failed.mention(hash, 0));
    if (setup.hasHistory && !config.full) await knownTypes.load(store, siteIds, { types: config.types, now: clock.wall() });
    await store.simhashes(siteIds, MAX_STORED_TEXTS, (pageId, simhash) => nearDuplicates.add(pageId, simhash));
    if (due) await (isFollower ? due.load() : sources.admitDuePages(due));
    if (!isFollower) await sources.admitSeeds(due !== undefined);
    applyHostSettings(await store.userData.hosts());
    await frontier.open();
    await drain();
    while (shared && (await isLeader()) && (await propagateLeftDepths())) await drain();
    if (!(await isLeader())) {
      if (isBudgetSpent) await shared?.waitForEnd();
      return leave();
    }
    if (shared) {
      hasDeferred ||= await shared.hasRows("deferred");
      await count();
      isBudgetSpent ||= total.pages >= config.maxPages;
      if (isBudgetSpent && (await shared.hasRows("queued"))) stoppedBy ??= "limit.pages";
    }
    if (isBudgetSpent && frontier.queued > 0) stoppedBy ??= "limit.pages";
    if ((frontier.ended === "drained" || isBudgetSpent) && !hasDeferred && !stoppedBy && coversAllPages) {
      const { probes, unknown } = await sources.probeUnmentioned();
      counters.changes.unknown += unknown;
      // The limit was met by the site's last page, but the pages that nobody named are still unchecked.
      if (isBudgetSpent && probes > 0) stoppedBy = "limit.pages";
      else if (probes > 0) {
        emit({ type: "crawl.phase", phase: "probing", pages: probes });
        await drain();
        if (isBudgetSpent && (frontier.queued > 0 || (await shared?.hasRows("queued")))) stoppedBy ??= "limit.pages";
      }
    }
    return end();
  }

  /** Re-announce depth improvements that a killed worker recorded but never propagated. Returns true if there were any. */
  async function propagateLeftDepths(): Promise<boolean> {
    const urls = await store.workers.pendingDepths(run.id);
    if (urls.length === 0 || isBudgetSpent || frontier.ended === "stopped") return false;
    await settler.addMentions(leftDepthMentions(urls, seen));
    await settler.settleAll();
    await store.workers.markDepthsDone(run.id, urls);
    await frontier.open();
    return true;
  }

  /**
   * Leave a run that goes on in other processes or was ended by its leader. A process that led it once reports the result of the whole
   * run.
   */
  async function leave(): Promise<RunResult> {
    if (isLeaving && !isFollower) {
      await noise?.save();
      await store.workers.resignLead(run.id);
    }
    await store.releaseHosts(run.id);
    await store.workers.leave(run.id, counters);
    const now = (await store.run(run.id)) ?? run;
    const stopReason = stoppedBy ?? now.stopReason ?? "stopped";
    const result: RunResult = {
      runId: run.id,
      stopReason,
      isComplete: !isFollower && stopReason === "finished" && coversAllPages,
      stats: isFollower ? counters : now.counters,
      durationMs: Math.round(clock.now() - startedAt),
      seeds: isFollower ? [] : await seedResults(store, run, parts.key, guards.sessions),
      slowestHost: slowestHost(frontier),
    };
    if (!isFollower) emit({ type: "crawl.finished", run: now, result });
    return result;
  }

  const currentLinkCounts = () => countLinks(store, siteIds, { runId: run.id, ratio: config.scoreRatio });

  async function end(failure?: unknown): Promise<RunResult> {
    if (!(await isLeader())) return leave();
    const isDeferred = frontier.ended === "deferred" || hasDeferred;
    if (stoppedBy === "stopped" && !hardStop.signal.aborted) await shared?.waitForOthers();
    if (sharing) total = (await store.run(run.id))?.counters ?? counters;
    const hasFetchedNothing = foundNothing(sharing ? total : counters);
    const stopReason: StopReason = failure
      ? "failed"
      : (stoppedBy ?? (isDeferred ? "deferred" : hasFetchedNothing ? "no-pages" : "finished"));
    const at = clock.wall();
    if (judge && !failure) counters.links = await currentLinkCounts();
    const unreached = stopReason === "finished" || !coversAllPages ? 0 : await store.markUnreached(run.id, siteIds, at);
    counters.changes.unknown += unreached;
    const status = failure || stopReason === "no-pages" ? "failed" : stopReason === "finished" ? "finished" : "stopped";
    // A hard stop may have been asked for to discard the run, so nothing learned is saved.
    if (!hardStop.signal.aborted) await noise?.save();
    const paused = stopReason === "deferred" ? pausedHosts(frontier, clock) : [];
    const troubles = gate.troubles(paused.slice(0, MAX_SHOWN_HOSTS));
    await store.endRun(run.id, {
      status,
      stopReason,
      at,
      counters,
      state: { ...parts.state(), guards: guards.snapshot(), unreached, troubles, ...(due && { due: due.report() }) },
    });
    await store.releaseHosts(run.id);
    if (sharing) total = (await store.run(run.id))?.counters ?? counters;
    if (config.prune && stopReason === "finished" && coversAllPages) await removeGone(store, siteIds, config.keepVersions);
    const seeds = await seedResults(store, run, parts.key, guards.sessions);
    const result: RunResult = {
      runId: run.id,
      stopReason,
      isComplete: stopReason === "finished" && coversAllPages,
      ...(due && { due: due.report() }),
      ...(stopReason === "deferred" && { paused: paused.slice(0, MAX_SHOWN_HOSTS) }),
      stats: sharing ? total : counters,
      durationMs: Math.round(clock.now() - startedAt),
      seeds: withPauseReasons(seeds, paused, { requested, now: at, troubles }),
      slowestHost: slowestHost(frontier),
    };
    emit({ type: "crawl.finished", run: (await store.run(run.id)) ?? run, result });
    return result;
  }

  const cancelTimer = Number.isFinite(config.maxTime) ? clock.after(config.maxTime, () => stopFor("limit.time")) : undefined;
  const count = async () => {
    const now = await store.run(run.id);
    total = now?.counters ?? total;
    // The leader has ended the run.
    if (isFollower && now?.status !== "running") stopFor("stopped");
  };
  const stopCounting = sharing && pollEvery(RUN_POLL_MS, count);
  const result = crawl()
    .catch(async (cause: unknown) => {
      // If even the end cannot be written, the run looks like one whose process was killed, and resume treats it so.
      if (!(cause instanceof SilentStoreError)) await end(cause).catch(() => undefined);
      throw cause;
    })
    .finally(async () => {
      cancelTimer?.();
      stopCounting?.();
      watchdog.close();
      await reader.close();
    });

  return {
    result,
    stop: stopAll,
    leave: () => {
      isLeaving = sharing !== undefined;
      stopFor("stopped");
    },
    pause: () => frontier.pause(),
    resume: () => frontier.goOn(),
    abort: () => {
      if (isLeaving) stopFor("stopped");
      else stopAll();
      hardStop.abort(new Error("stopped"));
    },
    applyHostSettings,
    inBackOff: () => frontier.inBackOff(),
    endBackOff: (hosts) => frontier.forgive(hosts),
    adjust: (change, isDry) => adjustRun(parts, { config, run, store, pool, clock, pagesBefore }, change, isDry),
    progress: () => ({
      counters: sharing && total.pages > counters.pages ? total : counters,
      queued: frontier.queued,
      inFlight: frontier.inFlight,
      ...(tools.rendering && { shown: tools.rendering.inProgress }),
      hosts: reportHosts(frontier, clock.now()),
      waits: watchdog.longest(),
    }),
  };
}
