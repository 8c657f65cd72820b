/** Long jobs, a few at a time. Each is stored before it starts, so that the next process restarts jobs of a killed one. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Job, ServiceStore } from "../../../store/index.ts";
import { eventOf } from "../events/event-json.ts";
import { sweepExports } from "../export-files.ts";
import type { Problem } from "../problem.ts";
import type { EngineEvent, Jobs } from "./engine.ts";
import { type JobTools, jobFunctions } from "./job-kinds.ts";

export interface JobSetup extends Pick<JobTools, "app" | "db" | "options" | "log"> {
  readonly emit: (event: EngineEvent) => void;
  readonly problemOf: (cause: unknown) => Problem;
}

export interface JobRunner extends Jobs {
  /** Restarts the jobs that the previous process did not end. */
  resumeAll(): Promise<void>;
  /** Leaves unfinished jobs to the next process. */
  suspend(): Promise<void>;
}

const MAX_RUNNING = 2;
/** A job that was running in this many crashes may be their cause. */
const MAX_RESTARTS = 3;
const SAVE_INTERVAL_MS = 1000;
const SWEEP_INTERVAL_MS = 3_600_000;

/** Result of a cancelled job. */
const CANCELLED = { problem: "cancelled", message: "it was cancelled" };
/** How long `cancel` waits; a job that takes longer ends in the background. */
const CANCEL_TIMEOUT_MS = 10_000;

/** Looking at a page is a run of its site, and a site has at most one run at a time. */
const refetchedSite = ({ kind, input }: Job) => (kind === "look" ? input.siteId : undefined);

const eventContextOf = ({ input }: Job) => ({ crawlId: null, siteId: (input.siteId as number | undefined) ?? null });

export function openJobs(setup: JobSetup): JobRunner {
  const { app, db } = setup;
  const service: ServiceStore = app.store.service;
  const queued: Job[] = [];
  const running = new Map<number, { readonly job: Job; readonly abort: AbortController; readonly ended: Promise<void> }>();
  const endPromises = new Map<number, Promise<void>>();
  const resolvers = new Map<number, () => void>();
  let isSuspending = false;
  const now = () => app.world.clock.wall();
  setInterval(() => sweepExports(db, now()), SWEEP_INTERVAL_MS).unref();

  function add(job: Job): void {
    endPromises.set(job.id, new Promise((resolve) => resolvers.set(job.id, resolve)));
    queued.push(job);
    startNext();
  }

  const mayStart = (job: Job) => {
    const site = refetchedSite(job);
    return site === undefined || ![...running.values()].some((other) => refetchedSite(other.job) === site);
  };

  function startNext(): void {
    while (!isSuspending && running.size < MAX_RUNNING) {
      const at = queued.findIndex(mayStart);
      if (at < 0) return;
      const [job] = queued.splice(at, 1) as [Job];
      const abort = new AbortController();
      const logUnsaved = (cause: unknown) =>
        setup.log.trouble(`job ${job.id} (${job.kind}) is over, and how it ended could not be noted: ${cause}`);
      const ended = runJob(job, abort.signal)
        .catch(logUnsaved)
        .finally(() => {
          running.delete(job.id);
          resolvers.get(job.id)?.();
          resolvers.delete(job.id);
          endPromises.delete(job.id);
          startNext();
        });
      running.set(job.id, { job, abort, ended });
    }
  }

  async function runJob(job: Job, signal: AbortSignal): Promise<void> {
    const state = { restarts: Number(job.result.restarts ?? 0), progress: { done: 0, total: null as number | null } };
    const emitEvent = (type: "job.progress" | "job.finished", data: object) =>
      setup.emit(eventOf(type, eventContextOf(job), { id: job.id, kind: job.kind, ...data }));
    let savedAt = now();
    const progress = (done: number, total: number | null) => {
      // `total` is an estimate, and sometimes too low.
      state.progress = { done, total: total === null ? null : Math.max(done, total) };
      if (now() - savedAt < SAVE_INTERVAL_MS) return;
      savedAt = now();
      void service.updateJob(job.id, { status: "running", result: state }).catch(() => undefined);
      emitEvent("job.progress", state.progress);
    };
    try {
      await service.updateJob(job.id, { status: "running", result: state });
      const result = await jobFunctions[job.kind](job, { ...setup, signal, progress });
      if (isSuspending) return;
      signal.throwIfAborted();
      const { done } = state.progress;
      const finalState = { ...state, progress: { done, total: done }, result };
      await service.updateJob(job.id, { status: "finished", result: finalState, endedAt: now() });
      emitEvent("job.finished", { status: "finished" });
    } catch (cause) {
      if (isSuspending) return;
      const { problem, message } = signal.aborted ? CANCELLED : setup.problemOf(cause);
      emitEvent("job.finished", { status: "failed", error: message });
      await service.updateJob(job.id, {
        status: "failed",
        result: { ...state, error: { type: problem, detail: message } },
        endedAt: now(),
      });
    }
  }

  const waitFor = async (id: number, wait: number) => {
    const end = endPromises.get(id);
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
      const end = endPromises.get(id);
      const queueIndex = queued.findIndex((job) => job.id === id);
      if (queueIndex >= 0) {
        const [job] = queued.splice(queueIndex, 1);
        const error = { type: CANCELLED.problem, detail: CANCELLED.message };
        await service.updateJob(id, { status: "failed", result: { ...job!.result, error }, endedAt: now() });
        setup.emit(eventOf("job.finished", eventContextOf(job!), { id, kind: job!.kind, status: "failed", error: error.detail }));
        resolvers.get(id)?.();
        resolvers.delete(id);
        endPromises.delete(id);
      }
      running.get(id)?.abort.abort(new Error(CANCELLED.message));
      // Also where another request cancels it at this moment.
      if (end) await Promise.race([end, sleep(CANCEL_TIMEOUT_MS, undefined, { ref: false })]);
      return service.job(id);
    },
    async resumeAll() {
      sweepExports(db, now());
      for (const job of await service.unfinishedJobs()) {
        const restarts = Number(job.result.restarts ?? 0) + (job.status === "running" ? 1 : 0);
        const result = { ...job.result, restarts };
        if (restarts < MAX_RESTARTS) add({ ...job, result });
        else {
          const error = { type: "internal", detail: `the server ended ${restarts} times while this was under way; it is not begun again` };
          await service.updateJob(job.id, { status: "failed", result: { ...result, error }, endedAt: now() });
        }
      }
    },
    async suspend() {
      isSuspending = true;
      for (const { abort } of running.values()) abort.abort(new Error("the server ends"));
      await Promise.allSettled([...running.values()].map(({ ended }) => ended));
    },
  };
}
