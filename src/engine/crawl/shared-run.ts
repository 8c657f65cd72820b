import { setTimeout as sleep } from "node:timers/promises";
import type { Verdict } from "../../core/records.ts";
import type { Run, Store } from "../../store/index.ts";
import type { Frontier, Job, Sharing } from "../frontier/index.ts";

/** Milliseconds between two reads of the run's shared state. */
export const RUN_POLL_MS = 1000;
/** How long the process that stops a run waits for the others, and how often it checks. */
const MAX_WAIT_MS = 5000;
const OTHERS_POLL_MS = 100;

export interface SharedRunSetup {
  readonly store: Store;
  readonly run: Run;
  readonly sharing: Sharing;
  /** Whether this process leads the run. */
  readonly isLeader: () => Promise<boolean>;
  readonly isStopped: () => boolean;
  /** Resolves when this process must stop. */
  readonly stopped: Promise<false>;
}

/** One process's view of a run with several processes. */
export class SharedRun {
  readonly #setup: SharedRunSetup;

  constructor(setup: SharedRunSetup) {
    this.#setup = setup;
  }

  /** Waits for more work; returns false if there will be none for us. A follower stays as long as another process leads. */
  async waitForWork(maxWait: number): Promise<boolean> {
    const { sharing, isLeader, stopped } = this.#setup;
    for (;;) {
      if (await Promise.race([stopped, sharing.rest(maxWait)])) return true;
      if ((await isLeader()) || !(await this.#hasLeader())) return false;
      await this.#pause();
    }
  }

  /** The shared limit is spent; wait until the leader ends the run. */
  async waitForEnd(): Promise<void> {
    const { store, run } = this.#setup;
    await store.releaseHosts(run.id);
    while (await this.#hasLeader()) await this.#pause();
  }

  /** After a long stall the lease of a granted turn may have passed to another process; then the turn is put off and requested again. */
  async hasLostLease(job: Job, frontier: Frontier): Promise<boolean> {
    if (job.kind === "refused") return false;
    const { turn } = job.kind === "visit" ? job.visit : job;
    if (this.#setup.sharing.mayAsk(turn.host)) return false;
    await frontier.putOff(turn, 0);
    if (job.kind === "errand") frontier.send(turn.host, job.errand);
    return true;
  }

  /** Waits for processes that stop with us, so that their requests in flight are counted; not for longer than the limit. */
  async waitForOthers(): Promise<void> {
    const { store, run } = this.#setup;
    const hasOthers = async () => (await store.workers.list()).filter(({ isAlive, runs }) => isAlive && runs.includes(run.id)).length > 1;
    for (let waited = 0; waited < MAX_WAIT_MS && (await hasOthers()); waited += OTHERS_POLL_MS) await sleep(OTHERS_POLL_MS);
  }

  async hasRows(verdict: Verdict): Promise<boolean> {
    const { store, run } = this.#setup;
    for await (const _ of store.decisions({ runId: run.id, verdict: [verdict], limit: 1 })) return true;
    return false;
  }

  async #hasLeader(): Promise<boolean> {
    const { store, run, isStopped } = this.#setup;
    const now = isStopped() ? undefined : await store.run(run.id);
    return now?.status === "running" && store.isAlive(now);
  }

  async #pause(): Promise<void> {
    await Promise.race([this.#setup.stopped, this.#setup.store.workers.waitForSignal(RUN_POLL_MS)]);
  }
}
