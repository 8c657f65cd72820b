/** Long jobs, a few at a time. Each is stored before it starts, so that the next process restarts jobs of a killed one. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Job, ServiceShelf } from "../store/index.ts";
import type { EngineEvent, Jobs } from "./engine.ts";
import { eventOf } from "./event-json.ts";
import { sweepExports } from "./export-files.ts";
import { type JobTools, jobWork } from "./job-kinds.ts";
import type { Problem } from "./problem.ts";

export interface JobSetup extends Pick<JobTools, "app" | "db" | "options" | "log"> {
  readonly emit: (event: EngineEvent) => void;
  readonly problemOf: (cause: unknown) => Problem;
}

export interface OwnJobs extends Jobs {
  /** Restarts the jobs that the previous process did not end. */
  carryOn(): Promise<void>;
  /** Leaves unfinished jobs to the next process. */
  rest(): Promise<void>;
}

const AT_ONCE = 2;
/** A job that was running in this many crashes may be their cause. */
const MOST_RESTARTS = 3;
const NOTE = 1000;
const SWEEP = 3_600_000;

/** Result of a cancelled job. */
const CANCELLED = { problem: "cancelled", message: "it was cancelled" };
/** How long `cancel` waits; a job that takes longer ends in the background. */
const ENDING = 10_000;

/** Looking at a page is a run of its site, and a site has at most one run at a time. */
const siteLookedAt = ({ kind, input }: Job) => (kind === "look" ? input.siteId : undefined);

const ofJob = ({ input }: Job) => ({ crawlId: null, siteId: (input.siteId as number | undefined) ?? null });

export function openJobs(setup: JobSetup): OwnJobs {
  const { app, db } = setup;
  const service: ServiceShelf = app.store.service;
  const waiting: Job[] = [];
  const atWork = new Map<number, { readonly job: Job; readonly abort: AbortController; readonly ended: Promise<void> }>();
  const ends = new Map<number, Promise<void>>();
  const resolvers = new Map<number, () => void>();
  let isResting = false;
  const now = () => app.world.clock.wall();
  setInterval(() => sweepExports(db, now()), SWEEP).unref();

  function add(job: Job): void {
    ends.set(job.id, new Promise((resolve) => resolvers.set(job.id, resolve)));
    waiting.push(job);
    next();
  }

  const mayBegin = (job: Job) => {
    const site = siteLookedAt(job);
    return site === undefined || ![...atWork.values()].some((other) => siteLookedAt(other.job) === site);
  };

  function next(): void {
    while (!isResting && atWork.size < AT_ONCE) {
      const at = waiting.findIndex(mayBegin);
      if (at < 0) return;
      const [job] = waiting.splice(at, 1) as [Job];
      const abort = new AbortController();
      const unwritten = (cause: unknown) =>
        setup.log.trouble(`job ${job.id} (${job.kind}) is over, and how it ended could not be noted: ${cause}`);
      const ended = work(job, abort.signal)
        .catch(unwritten)
        .finally(() => {
          atWork.delete(job.id);
          resolvers.get(job.id)?.();
          resolvers.delete(job.id);
          ends.delete(job.id);
          next();
        });
      atWork.set(job.id, { job, abort, ended });
    }
  }

  async function work(job: Job, signal: AbortSignal): Promise<void> {
    const state = { restarts: Number(job.result.restarts ?? 0), progress: { done: 0, total: null as number | null } };
    const tell = (type: "job.progress" | "job.finished", data: object) =>
      setup.emit(eventOf(type, ofJob(job), { id: job.id, kind: job.kind, ...data }));
    let notedAt = now();
    const progress = (done: number, total: number | null) => {
      // `total` is an estimate, and sometimes too low.
      state.progress = { done, total: total === null ? null : Math.max(done, total) };
      if (now() - notedAt < NOTE) return;
      notedAt = now();
      void service.noteJob(job.id, { status: "running", result: state }).catch(() => undefined);
      tell("job.progress", state.progress);
    };
    try {
      await service.noteJob(job.id, { status: "running", result: state });
      const result = await jobWork[job.kind](job, { ...setup, signal, progress });
      if (isResting) return;
      signal.throwIfAborted();
      const { done } = state.progress;
      const whole = { ...state, progress: { done, total: done }, result };
      await service.noteJob(job.id, { status: "finished", result: whole, endedAt: now() });
      tell("job.finished", { status: "finished" });
    } catch (cause) {
      if (isResting) return;
      const { problem, message } = signal.aborted ? CANCELLED : setup.problemOf(cause);
      tell("job.finished", { status: "failed", error: message });
      await service.noteJob(job.id, { status: "failed", result: { ...state, error: { type: problem, detail: message } }, endedAt: now() });
    }
  }

  const waitFor = async (id: number, wait: number) => {
    const end = ends.get(id);
    if (end && wait > 0) await Promise.race([end, sleep(wait, undefined, { ref: false })]);
    return service.job(id);
  };

  return {
    async start(kind, input, wait) {
      const job = await service.addJob(kind, input, now());
      add(job);
      return (await waitFor(job.id, wait)) ?? job;
    },
    await: waitFor,
    async cancel(id) {
      const end = ends.get(id);
      const waits = waiting.findIndex((job) => job.id === id);
      if (waits >= 0) {
        const [job] = waiting.splice(waits, 1);
        const error = { type: CANCELLED.problem, detail: CANCELLED.message };
        await service.noteJob(id, { status: "failed", result: { ...job!.result, error }, endedAt: now() });
        setup.emit(eventOf("job.finished", ofJob(job!), { id, kind: job!.kind, status: "failed", error: error.detail }));
        resolvers.get(id)?.();
        resolvers.delete(id);
        ends.delete(id);
      }
      atWork.get(id)?.abort.abort(new Error(CANCELLED.message));
      // Also where another request cancels it at this moment.
      if (end) await Promise.race([end, sleep(ENDING, undefined, { ref: false })]);
      return service.job(id);
    },
    async carryOn() {
      sweepExports(db, now());
      for (const job of await service.openJobs()) {
        const restarts = Number(job.result.restarts ?? 0) + (job.status === "running" ? 1 : 0);
        const result = { ...job.result, restarts };
        if (restarts < MOST_RESTARTS) add({ ...job, result });
        else {
          const error = { type: "internal", detail: `the server ended ${restarts} times while this was under way; it is not begun again` };
          await service.noteJob(job.id, { status: "failed", result: { ...result, error }, endedAt: now() });
        }
      }
    },
    async rest() {
      isResting = true;
      for (const { abort } of atWork.values()) abort.abort(new Error("the server ends"));
      await Promise.allSettled([...atWork.values()].map(({ ended }) => ended));
    },
  };
}
