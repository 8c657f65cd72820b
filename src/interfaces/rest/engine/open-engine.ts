/** The runs of this process: starts and keeps them by id, sends their events, and leaves them to the next process when this one ends. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Seed, seedsBy } from "../../../core/seed.ts";
import type { App } from "../../../engine/app.ts";
import type { Config } from "../../../engine/config/index.ts";
import type { CrawlEvent } from "../../../engine/crawl/index.ts";
import { adjustRun } from "../../../features/crawl/adjust-run.ts";
import { type Crawl, type CrawlRequest, crawl, resumeRun } from "../../../features/crawl/crawl.ts";
import { findRunningRun, runStatus } from "../../../features/crawl/run-control.ts";
import { enhance } from "../../../features/enrich/enhance.ts";
import { fetchOnePage } from "../../../features/fetch-page/fetch-page.ts";
import { setHostLimits } from "../../../features/hosts/hosts.ts";
import { preview } from "../../../features/preview/preview.ts";
import { hasEnded, type ServerRun as Kept, type Removal, type Run } from "../../../store/index.ts";
import { runEvent } from "../events/event-json.ts";
import { type RunOptions, withoutUndefined } from "../json/run-options.ts";
import { Problem } from "../problem.ts";
import type { ServerLog } from "../server-log.ts";
import type { Sample } from "../shapes/samples.ts";
import { ActiveRun } from "./active-run.ts";
import type { Engine, EngineEvent, Jobs, StartRequest, WantedRuns } from "./engine.ts";

export interface EngineSetup {
  readonly options: RunOptions;
  readonly jobs: Jobs;
  readonly emit: (event: EngineEvent) => void;
  readonly log: ServerLog;
}

/** Adds methods that only the engine process calls. */
export interface EngineRunner extends Engine {
  /** Resumes the runs of the previous process. */
  resumeAll(): Promise<void>;
  /** Stops every run so that another process can resume it. */
  suspend(): Promise<void>;
}

const TICK_MS = 1000;
/** Ticks between two stored samples. */
const TICKS_PER_SAVE = 30;
/** Interval for checking the runs of a process that is ending. */
const CHECK_INTERVAL_MS = 250;

type StartCrawl = (how: Pick<CrawlRequest, "emit" | "mayGoOn" | "wantsLinks">) => Promise<Crawl>;

export function openEngine(app: App, setup: EngineSetup): EngineRunner {
  const { store } = app;
  const { service } = store;
  const activeRuns = new Map<number, ActiveRun>();
  let wanted: WantedRuns = { isAll: false, runIds: [] };
  let isSuspending = false;
  let ticks = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** Serializes starts: two concurrent starts of one site would both find it free. */
  const serialize = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };

  const tick = setInterval(() => {
    ticks += 1;
    for (const run of activeRuns.values()) {
      run.emitProgress();
      if (ticks % TICKS_PER_SAVE === 0) void keepSamples(run);
    }
  }, TICK_MS);
  tick.unref();

  const keepSamples = (run: ActiveRun) =>
    service.saveSamples(run.run.id, run.samples).catch((cause: unknown) => setup.log.trouble(`samples of run ${run.run.id}: ${cause}`));

  async function startRun(begin: StartCrawl, isPaused = false): Promise<Run> {
    const one = new ActiveRun({ emit: setup.emit, hasListeners: (id) => wanted.isAll || wanted.runIds.includes(id), isPaused });
    const emit = (event: CrawlEvent) => {
      setup.log.event(event);
      one.onEvent(event);
    };
    const startedCrawl = await begin({ emit, mayGoOn: one.whenResumed, wantsLinks: setup.log.wantsLinks });
    const { run } = startedCrawl;
    await service.saveServerRun({ id: run.id, isPaused, isCancelled: false });
    one.attach(startedCrawl, ((await service.samples(run.id)) ?? []) as readonly Sample[]);
    activeRuns.set(run.id, one);
    one.emitProgress();
    void watchEnd(one);
    return run;
  }

  /** A run that ends normally or on request is not resumed by the next process. */
  async function watchEnd(one: ActiveRun): Promise<void> {
    const { id } = one.run;
    try {
      await one.control.result;
    } catch (cause) {
      one.isOver = true;
      setup.log.trouble(`run ${id} failed: ${cause instanceof Error ? cause.stack : String(cause)}`);
      if (!one.ending) setup.emit(runEvent(one.run, "crawl.failed", { message: "the crawl broke off; the server's log says more" }));
    }
    await keepSamples(one);
    activeRuns.delete(id);
    if (!isSuspending && one.ending !== "cancel") await releaseRun(id);
  }

  /** A failed write must not end the other runs. */
  const releaseRun = (runId: number) =>
    service
      .removeServerRun(runId)
      .catch((cause: unknown) => setup.log.trouble(`run ${runId} is over, and that could not be noted: ${cause}`));

  async function requireActive(runId: number): Promise<ActiveRun> {
    const one = activeRuns.get(runId);
    if (one) return one;
    await requireRun(runId);
    throw new Problem("conflict", `run ${runId} is not at work here`, { crawlId: runId });
  }

  async function requireRun(runId: number): Promise<Run> {
    const run = await store.run(runId);
    if (!run) throw new Problem("not-found", `there is no run ${runId}`);
    return run;
  }

  async function planOf({ seeds, siteId, options }: StartRequest): Promise<{ seeds: readonly Seed[]; config: Config }> {
    const sites = await store.sites();
    const site = siteId === undefined ? undefined : sites.find(({ id }) => id === siteId);
    if (siteId !== undefined && !site) throw new Problem("not-found", `there is no site ${siteId}`);
    const urls = site ? [site.url] : seeds;
    if (urls.length === 0) throw new Problem("validation", "say what to crawl: url, urls or siteId");
    const named = site ? [site] : sites.filter(({ url }) => urls.includes(url));
    const siteOptions = await Promise.all(named.map(async ({ id }) => (await store.userData.site(id))?.options ?? {}));
    return { seeds: seedsBy("api", urls), config: setup.options.configFor(urls, siteOptions, options) };
  }

  async function resumeStored(run: Run, isPaused: boolean): Promise<Run> {
    const config = setup.options.configForResume(run);
    return startRun((how) => resumeRun(app, run, { config, ...how }), isPaused);
  }

  async function discard(runId: number): Promise<Removal> {
    const plan = await store.maintenance.plan({ what: "run", runId, isUndone: true });
    const removed = await plan.execute();
    await service.removeServerRun(runId);
    return removed;
  }

  /** The previous process may still be finishing what is in flight. */
  async function resumeHeld({ id, isPaused, isCancelled, isElsewhere }: Kept): Promise<void> {
    if (isElsewhere) {
      setup.log.trouble(
        `run ${id} is not taken up: this is a copy of the file that it was at work in; nuthatch resume ${id} carries on with it`,
      );
      return service.removeServerRun(id);
    }
    for (;;) {
      const run = await store.run(id);
      if (!run || isSuspending) return run ? undefined : service.removeServerRun(id);
      if (!store.isAlive(run)) break;
      await sleep(CHECK_INTERVAL_MS, undefined, { ref: false });
    }
    if (isCancelled) return void (await discard(id));
    const run = (await store.run(id))!;
    // The run ended meanwhile; nothing to resume.
    if (hasEnded(run) || run.prunedAt !== undefined || run.stopReason?.startsWith("limit.")) return service.removeServerRun(id);
    await serialize(() => resumeStored(run, isPaused));
  }

  return {
    jobs: setup.jobs,
    listen: (next) => {
      wanted = next;
    },
    start: (request) =>
      serialize(async () => {
        const { seeds, config } = await planOf(request);
        const busy = await findRunningRun(app, seeds, config);
        if (busy) throw new Problem("already-running", `run ${busy.id} of this site is at work`, { crawlId: busy.id });
        return startRun((how) => crawl(app, { seeds, config, mode: request.isNew ? "new" : "auto", ...how }));
      }),
    async preview(request) {
      const { seeds, config } = await planOf(request);
      return preview(app, { seeds, config });
    },
    check: (urls, options = {}) => void setup.options.configFor(urls, [], options),
    scrape: ({ render, ...request }) =>
      fetchOnePage(app, { ...request, namedBy: "api", config: setup.options.configFor([request.url], [], withoutUndefined({ render })) }),
    enhance: (request) =>
      enhance(app, { ...request, config: setup.options.configFor([], [], {}), onRead: setup.log.sources, onFailed: setup.log.failed }),
    async pause(runId) {
      const one = await requireActive(runId);
      await service.saveServerRun({ id: runId, isPaused: true, isCancelled: false });
      one.pause();
      return requireRun(runId);
    },
    async resume(runId) {
      const one = activeRuns.get(runId);
      if (!one) {
        const run = await requireRun(runId);
        if (store.isAlive(run)) throw new Problem("conflict", `run ${runId} is at work in another process`, { crawlId: runId });
        if (hasEnded(run)) throw new Problem("conflict", `run ${runId} is ${runStatus(app, run)}: start another`, { crawlId: runId });
        return serialize(() => resumeStored(run, false));
      }
      await service.saveServerRun({ id: runId, isPaused: false, isCancelled: false });
      one.resume();
      return requireRun(runId);
    },
    async stop(runId, wait) {
      const one = activeRuns.get(runId);
      if (!one) {
        const run = await requireRun(runId);
        if (await store.maintenance.requestStop(runId)) return run;
        throw new Problem("conflict", `run ${runId} has ended: ${runStatus(app, run)}`, { crawlId: runId });
      }
      one.ending = "stop";
      await service.removeServerRun(runId);
      one.control.stop();
      one.releasePause();
      await Promise.race([one.control.result.catch(() => undefined), sleep(wait, undefined, { ref: false })]);
      return requireRun(runId);
    },
    async cancel(runId) {
      const one = await requireActive(runId);
      one.ending = "cancel";
      await service.saveServerRun({ id: runId, isPaused: false, isCancelled: true });
      one.control.abort();
      one.releasePause();
      await one.control.result.catch(() => undefined);
      const removed = await discard(runId);
      setup.emit(runEvent(one.run, "crawl.cancelled", { removed }));
      return removed;
    },
    async edit(runId, edit, isDry) {
      const one = await requireActive(runId);
      const adjusted = await adjustRun(app, { ...one.run, options: { ...one.options } }, one.control, edit, isDry);
      if (!isDry) {
        one.options = adjusted.options;
        one.emitProgress();
      }
      return adjusted;
    },
    async editHost(host, edit) {
      const siteOptions = await setHostLimits(app, host, edit);
      const hosts = await store.userData.hosts();
      for (const { control } of activeRuns.values()) control.applyHostSettings(hosts);
      return siteOptions;
    },
    async resumeAll() {
      for (const one of await service.serverRuns())
        void resumeHeld(one).catch(async (cause: unknown) => {
          setup.log.trouble(`run ${one.id} could not be taken up: ${cause instanceof Error ? cause.message : String(cause)}`);
          await releaseRun(one.id);
        });
    },
    async suspend() {
      isSuspending = true;
      for (const one of activeRuns.values()) {
        one.ending ??= "rest";
        one.control.stop();
        one.releasePause();
      }
      await Promise.allSettled([...activeRuns.values()].map(({ control }) => control.result));
    },
  };
}
