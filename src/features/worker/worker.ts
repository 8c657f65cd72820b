import type { App } from "../../engine/app.ts";
import { type Config, SetupError } from "../../engine/config/index.ts";
import type { RunControl } from "../../engine/crawl/index.ts";
import { isPostgres, type Run } from "../../store/index.ts";
import { CHANGEABLE, joinRun, resumeRun } from "../crawl/crawl.ts";
import { watchHostSettings, watchStopRequest } from "../crawl/run-control.ts";

export interface WorkerRequest {
  readonly name: string;
  /** Maximum concurrent requests, over all runs. */
  readonly maxConcurrent: number;
  /** Whether it exits when no run is left. */
  readonly exitsWhenIdle: boolean;
  /** The options of a run, with those that are not stored with runs. */
  readonly configOf: (run: Run) => Config;
  readonly say: (line: string) => void;
}

export interface Worker {
  readonly done: Promise<WorkerReport>;
  /** Finishes requests in flight, releases its hosts, and exits. */
  stop(): void;
  /** Ends at once. */
  abort(): void;
}

export interface WorkerReport {
  readonly runs: number;
  readonly pages: number;
  readonly durationMs: number;
}

interface ActiveRun {
  readonly control: RunControl;
  readonly ended: Promise<void>;
  /** True while it leaves the run as a follower, to resume it as the leader. */
  willLead: boolean;
  options: string;
}

/** Milliseconds between polls for runs that are new, changed or without a leader. */
const POLL_MS = 1000;
/** Milliseconds for which a run that failed here is left to other workers. */
const FAILURE_PAUSE_MS = 30_000;

/** Throws if the database cannot be shared. Opens nothing, so that a mistake creates no file. */
export function checkShared(db: string): void {
  if (isPostgres(db)) return;
  throw new SetupError(
    "a data file has one process at work in a run; workers share a database",
    "nuthatch worker --db postgres://user@host/name",
  );
}

/** Works on every crawl in a shared database, and leads those whose leader died, until it is stopped. */
export async function startWorker(app: App, request: WorkerRequest): Promise<Worker> {
  await app.store.workers.announce({ name: request.name, maxConcurrent: request.maxConcurrent });
  const loop = new WorkerLoop(app, request);
  return { done: loop.work(), stop: () => loop.stop(), abort: () => loop.abort() };
}

class WorkerLoop {
  readonly #app: App;
  readonly #request: WorkerRequest;
  readonly #activeRuns = new Map<number, ActiveRun>();
  /** Runs that failed here or that this worker may not join, with the end of their pause. */
  readonly #avoidedRuns = new Map<number, number>();
  #isStopped = false;
  #wake: () => void = () => undefined;
  #report = { runs: 0, pages: 0 };

  constructor(app: App, request: WorkerRequest) {
    this.#app = app;
    this.#request = request;
  }

  stop(): void {
    this.#isStopped = true;
    this.#app.store.workers.shortenWaits();
    for (const { control } of this.#activeRuns.values()) control.leave();
    this.#wake();
  }

  abort(): void {
    this.stop();
    for (const { control } of this.#activeRuns.values()) control.abort();
  }

  async work(): Promise<WorkerReport> {
    const { clock } = this.#app.world;
    const startedAt = clock.now();
    while (!this.#isStopped) {
      const found = await this.#pollRuns().catch((cause: unknown) => {
        // The database is unreachable while stopping; other workers continue the runs.
        if (this.#isStopped) return 0;
        throw cause;
      });
      if (this.#request.exitsWhenIdle && found === 0 && this.#activeRuns.size === 0) break;
      await this.#waitForPoll();
    }
    await Promise.all([...this.#activeRuns.values()].map(({ ended }) => ended));
    return { ...this.#report, durationMs: Math.round(clock.now() - startedAt) };
  }

  async #waitForPoll(): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (!this.#isStopped) await Promise.race([stopped, this.#app.store.workers.waitForSignal(POLL_MS)]);
  }

  /** Returns the number of crawls in progress that this worker could work on. */
  async #pollRuns(): Promise<number> {
    const { store, world } = this.#app;
    let count = 0;
    for (const { runId, hasLeader: isLed, isNext } of await store.workers.running()) {
      if ((this.#avoidedRuns.get(runId) ?? 0) > world.clock.now()) continue;
      const run = await store.run(runId);
      if (run?.kind !== "crawl" || run.status !== "running") continue;
      count += 1;
      const known = this.#activeRuns.get(runId);
      if (known && !isLed && isNext) this.#becomeLeader(known);
      else if (known) await this.#applyStoredChanges(known, run);
      else await this.#startRun(run, isLed);
    }
    return count;
  }

  async #startRun(run: Run, isLed: boolean): Promise<void> {
    const { say, configOf } = this.#request;
    try {
      const config = configOf(run);
      const workerConfig = { ...config, maxConcurrent: this.#concurrencyFor(this.#activeRuns.size + 1) };
      const control = isLed
        ? await this.#join(run, workerConfig)
        : (await resumeRun(this.#app, run, { config: workerConfig, emit: () => undefined })).control;
      say(
        `${isLed ? "Working at" : "Leading"} run ${run.id}: ${run.seeds[0]}${run.seeds.length > 1 ? ` and ${run.seeds.length - 1} more` : ""}`,
      );
      this.#report.runs += 1;
      this.#activeRuns.set(run.id, { control, ended: this.#end(run.id, control), willLead: false, options: JSON.stringify(run.options) });
      await this.#updateShares();
    } catch (cause) {
      // Another worker took the lead first: the next poll joins it.
      if (!isLed && this.#app.store.isAlive(run)) return;
      this.#avoidRun(run.id, cause);
    }
  }

  /** The run has no leader: leave it, releasing its hosts, so that the next poll resumes it as the leader. */
  #becomeLeader(known: ActiveRun): void {
    if (known.willLead) return;
    known.willLead = true;
    known.control.leave();
  }

  async #join(run: Run, config: Config): Promise<RunControl> {
    const control = await joinRun(this.#app, run, config);
    watchHostSettings(this.#app, control);
    void watchStopRequest(this.#app, run, control);
    return control;
  }

  async #end(runId: number, control: RunControl): Promise<void> {
    const before = control.progress().counters.pages;
    try {
      const { stats, stopReason } = await control.result;
      this.#report.pages += stats.pages - before;
      if (!this.#activeRuns.get(runId)?.willLead) this.#request.say(`Done with run ${runId}: ${stopReason}`);
    } catch (cause) {
      this.#avoidRun(runId, cause);
    } finally {
      this.#activeRuns.delete(runId);
      await this.#updateShares();
      this.#wake();
    }
  }

  /** Pauses a run here. It may work in another process, or later. */
  #avoidRun(runId: number, cause: unknown): void {
    const { message, hint } = cause as Error & { hint?: string };
    this.#request.say(`Run ${runId} is left to others for a while: ${message}${hint ? ` (${hint})` : ""}`);
    this.#avoidedRuns.set(runId, this.#app.world.clock.now() + FAILURE_PAUSE_MS);
  }

  #concurrencyFor(runs: number): number {
    return Math.max(1, Math.floor(this.#request.maxConcurrent / Math.max(1, runs)));
  }

  async #updateShares(): Promise<void> {
    const maxConcurrent = this.#concurrencyFor(this.#activeRuns.size);
    await Promise.all([...this.#activeRuns.values()].map(({ control }) => control.adjust({ maxConcurrent }, false)));
  }

  /** Applies changes that were stored for a running run: options, pause. */
  async #applyStoredChanges(known: ActiveRun, run: Run): Promise<void> {
    const serverRun = (await this.#app.store.service.serverRuns()).find(({ id }) => id === run.id);
    if (serverRun?.isPaused) known.control.pause();
    else known.control.resume();
    const options = JSON.stringify(run.options);
    if (options === known.options) return;
    const before = JSON.parse(known.options) as Run["options"];
    known.options = options;
    const config = this.#request.configOf(run);
    const changed = CHANGEABLE.filter((name) => JSON.stringify(run.options[name]) !== JSON.stringify(before[name]));
    await known.control.adjust(Object.fromEntries(changed.map((name) => [name, config[name]])), false);
  }
}
