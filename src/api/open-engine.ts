/** The runs of this process: starts and keeps them by id, sends their events, and leaves them to the next process when this one ends. */
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app.ts";
import type { Config } from "../config/index.ts";
import type { CrawlEvent } from "../crawl/index.ts";
import { adjustRun } from "../operations/adjust-run.ts";
import { type Crawl, type CrawlRequest, crawl, resumeRun } from "../operations/crawl.ts";
import { enhance } from "../operations/enhance.ts";
import { visitPage } from "../operations/fetch-page.ts";
import { sayOfHost } from "../operations/hosts.ts";
import { preview } from "../operations/preview.ts";
import { runAtWork, runStatus } from "../operations/run-control.ts";
import { type Seed, seedsBy } from "../seed.ts";
import { hasEnded, type HeldRun as Kept, type Removal, type Run } from "../store/index.ts";
import type { Engine, EngineEvent, Jobs, StartRequest, Wanted } from "./engine.ts";
import { runEvent } from "./event-json.ts";
import { HeldRun } from "./held-run.ts";
import { Problem } from "./problem.ts";
import { type RunOptions, said } from "./run-options.ts";
import type { Sample } from "./samples.ts";
import type { ServerLog } from "./server-log.ts";

export interface EngineSetup {
  readonly options: RunOptions;
  readonly jobs: Jobs;
  readonly emit: (event: EngineEvent) => void;
  readonly log: ServerLog;
}

/** Adds methods that only the engine process calls. */
export interface OwnEngine extends Engine {
  /** Resumes the runs of the previous process. */
  carryOn(): Promise<void>;
  /** Stops every run so that another process can resume it. */
  rest(): Promise<void>;
}

const TICK = 1000;
/** Ticks between two stored samples. */
const NOTE = 30;
/** Interval for checking the runs of a process that is ending. */
const LOOK = 250;

type Begin = (how: Pick<CrawlRequest, "emit" | "mayGoOn" | "wantsLinks">) => Promise<Crawl>;

export function openEngine(app: App, setup: EngineSetup): OwnEngine {
  const { store } = app;
  const { service } = store;
  const held = new Map<number, HeldRun>();
  let wanted: Wanted = { isAll: false, runIds: [] };
  let isResting = false;
  let ticks = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** Serializes starts: two concurrent starts of one site would both find it free. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };

  const tick = setInterval(() => {
    ticks += 1;
    for (const run of held.values()) {
      run.look();
      if (ticks % NOTE === 0) void keepSamples(run);
    }
  }, TICK);
  tick.unref();

  const keepSamples = (run: HeldRun) =>
    service.keepSamples(run.run.id, run.samples).catch((cause: unknown) => setup.log.trouble(`samples of run ${run.run.id}: ${cause}`));

  async function hold(begin: Begin, isPaused = false): Promise<Run> {
    const one = new HeldRun({ emit: setup.emit, isHeard: (id) => wanted.isAll || wanted.runIds.includes(id), isPaused });
    const emit = (event: CrawlEvent) => {
      setup.log.event(event);
      one.hears(event);
    };
    const begun = await begin({ emit, mayGoOn: one.mayGoOn, wantsLinks: setup.log.wantsLinks });
    const { run } = begun;
    await service.hold({ id: run.id, isPaused, isCancelled: false });
    one.begin(begun, ((await service.samples(run.id)) ?? []) as readonly Sample[]);
    held.set(run.id, one);
    one.look();
    void watch(one);
    return run;
  }

  /** A run that ends normally or on request is not resumed by the next process. */
  async function watch(one: HeldRun): Promise<void> {
    const { id } = one.run;
    try {
      await one.control.result;
    } catch (cause) {
      one.isOver = true;
      setup.log.trouble(`run ${id} failed: ${cause instanceof Error ? cause.stack : String(cause)}`);
      if (!one.ending) setup.emit(runEvent(one.run, "crawl.failed", { message: "the crawl broke off; the server's log says more" }));
    }
    await keepSamples(one);
    held.delete(id);
    if (!isResting && one.ending !== "cancel") await letGo(id);
  }

  /** A failed write must not end the other runs. */
  const letGo = (runId: number) =>
    service.letGo(runId).catch((cause: unknown) => setup.log.trouble(`run ${runId} is over, and that could not be noted: ${cause}`));

  async function atWork(runId: number): Promise<HeldRun> {
    const one = held.get(runId);
    if (one) return one;
    await known(runId);
    throw new Problem("conflict", `run ${runId} is not at work here`, { crawlId: runId });
  }

  async function known(runId: number): Promise<Run> {
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
    const said = await Promise.all(named.map(async ({ id }) => (await store.cards.site(id))?.options ?? {}));
    return { seeds: seedsBy("api", urls), config: setup.options.of(urls, said, options) };
  }

  async function takeUp(run: Run, isPaused: boolean): Promise<Run> {
    const config = setup.options.again(run);
    return hold((how) => resumeRun(app, run, { config, ...how }), isPaused);
  }

  async function discard(runId: number): Promise<Removal> {
    const plan = await store.care.plan({ what: "run", runId, isUndone: true });
    const removed = await plan.carryOut();
    await service.letGo(runId);
    return removed;
  }

  /** The previous process may still be finishing what is in flight. */
  async function carryOnWith({ id, isPaused, isCancelled, isElsewhere }: Kept): Promise<void> {
    if (isElsewhere) {
      setup.log.trouble(
        `run ${id} is not taken up: this is a copy of the file that it was at work in; nuthatch resume ${id} carries on with it`,
      );
      return service.letGo(id);
    }
    for (;;) {
      const run = await store.run(id);
      if (!run || isResting) return run ? undefined : service.letGo(id);
      if (!store.isAlive(run)) break;
      await sleep(LOOK, undefined, { ref: false });
    }
    if (isCancelled) return void (await discard(id));
    const run = (await store.run(id))!;
    // The run ended meanwhile; nothing to resume.
    if (hasEnded(run) || run.prunedAt !== undefined || run.stopReason?.startsWith("limit.")) return service.letGo(id);
    await inTurn(() => takeUp(run, isPaused));
  }

  return {
    jobs: setup.jobs,
    listen: (next) => {
      wanted = next;
    },
    start: (request) =>
      inTurn(async () => {
        const { seeds, config } = await planOf(request);
        const busy = await runAtWork(app, seeds, config);
        if (busy) throw new Problem("already-running", `run ${busy.id} of this site is at work`, { crawlId: busy.id });
        return hold((how) => crawl(app, { seeds, config, mode: request.isNew ? "new" : "auto", ...how }));
      }),
    async preview(request) {
      const { seeds, config } = await planOf(request);
      return preview(app, { seeds, config });
    },
    check: (urls, options = {}) => void setup.options.of(urls, [], options),
    scrape: ({ render, ...request }) =>
      visitPage(app, { ...request, namedBy: "api", config: setup.options.of([request.url], [], said({ render })) }),
    enhance: (request) =>
      enhance(app, { ...request, config: setup.options.of([], [], {}), onRead: setup.log.sources, onFailed: setup.log.failed }),
    async pause(runId) {
      const one = await atWork(runId);
      await service.hold({ id: runId, isPaused: true, isCancelled: false });
      one.pause();
      return known(runId);
    },
    async goOn(runId) {
      const one = held.get(runId);
      if (!one) {
        const run = await known(runId);
        if (store.isAlive(run)) throw new Problem("conflict", `run ${runId} is at work in another process`, { crawlId: runId });
        if (hasEnded(run)) throw new Problem("conflict", `run ${runId} is ${runStatus(app, run)}: start another`, { crawlId: runId });
        return inTurn(() => takeUp(run, false));
      }
      await service.hold({ id: runId, isPaused: false, isCancelled: false });
      one.goOn();
      return known(runId);
    },
    async stop(runId, wait) {
      const one = held.get(runId);
      if (!one) {
        const run = await known(runId);
        if (await store.care.askToStop(runId)) return run;
        throw new Problem("conflict", `run ${runId} has ended: ${runStatus(app, run)}`, { crawlId: runId });
      }
      one.ending = "stop";
      await service.letGo(runId);
      one.control.stop();
      one.leave();
      await Promise.race([one.control.result.catch(() => undefined), sleep(wait, undefined, { ref: false })]);
      return known(runId);
    },
    async cancel(runId) {
      const one = await atWork(runId);
      one.ending = "cancel";
      await service.hold({ id: runId, isPaused: false, isCancelled: true });
      one.control.abort();
      one.leave();
      await one.control.result.catch(() => undefined);
      const removed = await discard(runId);
      setup.emit(runEvent(one.run, "crawl.cancelled", { removed }));
      return removed;
    },
    async edit(runId, edit, isDry) {
      const one = await atWork(runId);
      const adjusted = await adjustRun(app, { ...one.run, options: { ...one.options } }, one.control, edit, isDry);
      if (!isDry) {
        one.options = adjusted.options;
        one.look();
      }
      return adjusted;
    },
    async sayOfHost(host, edit) {
      const said = await sayOfHost(app, host, edit);
      const hosts = await store.cards.hosts();
      for (const { control } of held.values()) control.heed(hosts);
      return said;
    },
    async carryOn() {
      for (const one of await service.held())
        void carryOnWith(one).catch(async (cause: unknown) => {
          setup.log.trouble(`run ${one.id} could not be taken up: ${cause instanceof Error ? cause.message : String(cause)}`);
          await letGo(one.id);
        });
    },
    async rest() {
      isResting = true;
      for (const one of held.values()) {
        one.ending ??= "rest";
        one.control.stop();
        one.leave();
      }
      await Promise.allSettled([...held.values()].map(({ control }) => control.result));
    },
  };
}
