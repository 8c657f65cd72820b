import type { App } from "../app.ts";
import { type Config, SetupError } from "../config/index.ts";
import type { RunControl } from "../crawl/index.ts";
import { isPostgres, type Run } from "../store/index.ts";
import { CHANGEABLE, joinRun, resumeRun } from "./crawl.ts";
import { heedHosts, heedStop } from "./run-control.ts";

export interface WorkerRequest {
  readonly name: string;
  /** Maximum concurrent requests, over all runs. */
  readonly maxConcurrent: number;
  /** Whether it exits when no run is left. */
  readonly drains: boolean;
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

interface AtWork {
  readonly control: RunControl;
  readonly ended: Promise<void>;
  /** True while it leaves the run as a follower, to resume it as the leader. */
  isToLead: boolean;
  options: string;
}

/** Milliseconds between polls for runs that are new, changed or without a leader. */
const LOOK = 1000;
/** Milliseconds for which a run that failed here is left to other workers. */
const PAUSE_AFTER_FAILURE = 30_000;

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
  const working = new Working(app, request);
  return { done: working.work(), stop: () => working.stop(), abort: () => working.abort() };
}

class Working {
  readonly #app: App;
  readonly #request: WorkerRequest;
  readonly #atWork = new Map<number, AtWork>();
  /** Runs that failed here or that this worker may not join, with the end of their pause. */
  readonly #shunned = new Map<number, number>();
  #isStopped = false;
  #wake: () => void = () => undefined;
  #report = { runs: 0, pages: 0 };

  constructor(app: App, request: WorkerRequest) {
    this.#app = app;
    this.#request = request;
  }

  stop(): void {
    this.#isStopped = true;
    this.#app.store.workers.hurry();
    for (const { control } of this.#atWork.values()) control.leave();
    this.#wake();
  }

  abort(): void {
    this.stop();
    for (const { control } of this.#atWork.values()) control.abort();
  }

  async work(): Promise<WorkerReport> {
    const { clock } = this.#app.world;
    const startedAt = clock.now();
    while (!this.#isStopped) {
      const found = await this.#look().catch((cause: unknown) => {
        // The database is unreachable while stopping; other workers continue the runs.
        if (this.#isStopped) return 0;
        throw cause;
      });
      if (this.#request.drains && found === 0 && this.#atWork.size === 0) break;
      await this.#rest();
    }
    await Promise.all([...this.#atWork.values()].map(({ ended }) => ended));
    return { ...this.#report, durationMs: Math.round(clock.now() - startedAt) };
  }

  async #rest(): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    if (!this.#isStopped) await Promise.race([stopped, this.#app.store.workers.wake(LOOK)]);
  }

  /** Returns the number of crawls in progress that this worker could work on. */
  async #look(): Promise<number> {
    const { store, world } = this.#app;
    let count = 0;
    for (const { runId, isLed, isNext } of await store.workers.running()) {
      if ((this.#shunned.get(runId) ?? 0) > world.clock.now()) continue;
      const run = await store.run(runId);
      if (run?.kind !== "crawl" || run.status !== "running") continue;
      count += 1;
      const known = this.#atWork.get(runId);
      if (known && !isLed && isNext) this.#stepUp(known);
      else if (known) await this.#follow(known, run);
      else await this.#begin(run, isLed);
    }
    return count;
  }

  async #begin(run: Run, isLed: boolean): Promise<void> {
    const { say, configOf } = this.#request;
    try {
      const config = configOf(run);
      const mine = { ...config, maxConcurrent: this.#share(this.#atWork.size + 1) };
      const control = isLed
        ? await this.#join(run, mine)
        : (await resumeRun(this.#app, run, { config: mine, emit: () => undefined })).control;
      say(
        `${isLed ? "Working at" : "Leading"} run ${run.id}: ${run.seeds[0]}${run.seeds.length > 1 ? ` and ${run.seeds.length - 1} more` : ""}`,
      );
      this.#report.runs += 1;
      this.#atWork.set(run.id, { control, ended: this.#end(run.id, control), isToLead: false, options: JSON.stringify(run.options) });
      await this.#reshare();
    } catch (cause) {
      // Another worker took the lead first: the next poll joins it.
      if (!isLed && this.#app.store.isAlive(run)) return;
      this.#shun(run.id, cause);
    }
  }

  /** The run has no leader: leave it, releasing its hosts, so that the next poll resumes it as the leader. */
  #stepUp(known: AtWork): void {
    if (known.isToLead) return;
    known.isToLead = true;
    known.control.leave();
  }

  async #join(run: Run, config: Config): Promise<RunControl> {
    const control = await joinRun(this.#app, run, config);
    heedHosts(this.#app, control);
    void heedStop(this.#app, run, control);
    return control;
  }

  async #end(runId: number, control: RunControl): Promise<void> {
    const before = control.progress().counters.pages;
    try {
      const { stats, stopReason } = await control.result;
      this.#report.pages += stats.pages - before;
      if (!this.#atWork.get(runId)?.isToLead) this.#request.say(`Done with run ${runId}: ${stopReason}`);
    } catch (cause) {
      this.#shun(runId, cause);
    } finally {
      this.#atWork.delete(runId);
      await this.#reshare();
      this.#wake();
    }
  }

  /** Pauses a run here. It may work in another process, or later. */
  #shun(runId: number, cause: unknown): void {
    const { message, hint } = cause as Error & { hint?: string };
    this.#request.say(`Run ${runId} is left to others for a while: ${message}${hint ? ` (${hint})` : ""}`);
    this.#shunned.set(runId, this.#app.world.clock.now() + PAUSE_AFTER_FAILURE);
  }

  #share(runs: number): number {
    return Math.max(1, Math.floor(this.#request.maxConcurrent / Math.max(1, runs)));
  }

  async #reshare(): Promise<void> {
    const maxConcurrent = this.#share(this.#atWork.size);
    await Promise.all([...this.#atWork.values()].map(({ control }) => control.adjust({ maxConcurrent }, false)));
  }

  /** Applies changes that were stored for a running run: options, pause. */
  async #follow(known: AtWork, run: Run): Promise<void> {
    const held = (await this.#app.store.service.held()).find(({ id }) => id === run.id);
    if (held?.isPaused) known.control.pause();
    else known.control.goOn();
    const options = JSON.stringify(run.options);
    if (options === known.options) return;
    const before = JSON.parse(known.options) as Run["options"];
    known.options = options;
    const config = this.#request.configOf(run);
    const changed = CHANGEABLE.filter((name) => JSON.stringify(run.options[name]) !== JSON.stringify(before[name]));
    await known.control.adjust(Object.fromEntries(changed.map((name) => [name, config[name]])), false);
  }
}
