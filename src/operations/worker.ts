import type { App } from "../app.ts";
import { type Config, SetupError } from "../config/index.ts";
import type { RunControl } from "../crawl/index.ts";
import { isPostgres, type Run } from "../store/index.ts";
import { CHANGEABLE, joinRun, resumeRun } from "./crawl.ts";
import { heedHosts, heedStop } from "./run-control.ts";

export interface WorkerRequest {
  readonly name: string;
  /** Requests at once, over all runs. */
  readonly maxConcurrent: number;
  /** Leaves when nothing is left to do. */
  readonly drains: boolean;
  /** The options of a run, with what no run keeps. */
  readonly configOf: (run: Run) => Config;
  readonly say: (line: string) => void;
}

export interface Worker {
  readonly done: Promise<WorkerReport>;
  /** Finishes what is in flight, gives back its hosts, and leaves. */
  stop(): void;
  /** Now. */
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
  /** Lets go of it as one of many, to lead it. */
  isToLead: boolean;
  options: string;
}

/** How often it looks for runs that are new, changed or without a leader. */
const LOOK = 1000;
/** A run that failed here is left to others for so long. */
const PAUSE_AFTER_FAILURE = 30_000;

/** Throws where there is nothing that workers could share. Opens nothing, so that a mistake leaves no file behind. */
export function checkShared(db: string): void {
  if (isPostgres(db)) return;
  throw new SetupError(
    "a data file has one process at work in a run; workers share a database",
    "nuthatch worker --db postgres://user@host/name",
  );
}

/** Takes part in every crawl under way in a shared database, and leads those whose leader died, until it is told to stop. */
export async function startWorker(app: App, request: WorkerRequest): Promise<Worker> {
  await app.store.workers.announce({ name: request.name, maxConcurrent: request.maxConcurrent });
  const working = new Working(app, request);
  return { done: working.work(), stop: () => working.stop(), abort: () => working.abort() };
}

class Working {
  readonly #app: App;
  readonly #request: WorkerRequest;
  readonly #atWork = new Map<number, AtWork>();
  /** Runs that failed here or that we may not join, and until when they are left alone. */
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
        // The database is away: what was to be done there others will do.
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

  /** Answers how many crawls are under way that we could take part in. */
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
      // Another was faster to take the lead: the next look joins it.
      if (!isLed && this.#app.store.isAlive(run)) return;
      this.#shun(run.id, cause);
    }
  }

  /** Nobody leads any more: what it holds it gives back, and the next look takes the run up. */
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

  /** A run that does not work here may work elsewhere, or later. */
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

  /** What is said of a run that is under way, by whoever leads it: other options, a pause. */
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
