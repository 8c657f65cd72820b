import { setTimeout as sleep } from "node:timers/promises";
import type { Frontier, Job, Sharing } from "../frontier/index.ts";
import type { Verdict } from "../records.ts";
import type { Run, Store } from "../store/index.ts";

/** How soon to look again how the whole stands. */
export const LOOK_AT_RUN = 1000;
/** How long whoever stops a run waits for the others, and how often it looks. */
const WAIT_FOR_OTHERS = 5000;
const LOOK_AT_OTHERS = 100;

export interface SharedRunSetup {
  readonly store: Store;
  readonly run: Run;
  readonly sharing: Sharing;
  /** Whether it is ours to end. */
  readonly leads: () => Promise<boolean>;
  readonly isStopped: () => boolean;
  /** Resolves when this process is to stop. */
  readonly stopped: Promise<false>;
}

/** A run that several processes are at work in, as one of them sees it. */
export class SharedRun {
  readonly #setup: SharedRunSetup;

  constructor(setup: SharedRunSetup) {
    this.#setup = setup;
  }

  /** Whether there is more to do for us, once there may be. A hand stays for as long as somebody else leads. */
  async rest(maxWait: number): Promise<boolean> {
    const { sharing, leads, stopped } = this.#setup;
    for (;;) {
      if (await Promise.race([stopped, sharing.rest(maxWait)])) return true;
      if ((await leads()) || !(await this.#isLed())) return false;
      await this.#pause();
    }
  }

  /** Nothing more may be fetched, but whoever leads has not found out yet. */
  async waitForEnd(): Promise<void> {
    const { store, run } = this.#setup;
    await store.releaseHosts(run.id);
    while (await this.#isLed()) await this.#pause();
  }

  /** Who stood still since a turn was granted may have lost it to another process, and asks for one anew. */
  async isLate(job: Job, frontier: Frontier): Promise<boolean> {
    if (job.kind === "refused") return false;
    const { turn } = job.kind === "visit" ? job.visit : job;
    if (this.#setup.sharing.mayAsk(turn.host)) return false;
    await frontier.putOff(turn, 0);
    if (job.kind === "errand") frontier.send(turn.host, job.errand);
    return true;
  }

  /** Those who were asked to stop with us: what they have in flight is counted, unless it takes them long. */
  async waitForOthers(): Promise<void> {
    const { store, run } = this.#setup;
    const others = async () => (await store.workers.list()).filter(({ isAlive, runs }) => isAlive && runs.includes(run.id)).length > 1;
    for (let waited = 0; waited < WAIT_FOR_OTHERS && (await others()); waited += LOOK_AT_OTHERS) await sleep(LOOK_AT_OTHERS);
  }

  async hasRows(verdict: Verdict): Promise<boolean> {
    const { store, run } = this.#setup;
    for await (const _ of store.decisions({ runId: run.id, verdict: [verdict], limit: 1 })) return true;
    return false;
  }

  async #isLed(): Promise<boolean> {
    const { store, run, isStopped } = this.#setup;
    const now = isStopped() ? undefined : await store.run(run.id);
    return now?.status === "running" && store.isAlive(now);
  }

  async #pause(): Promise<void> {
    await Promise.race([this.#setup.stopped, this.#setup.store.workers.wake(LOOK_AT_RUN)]);
  }
}
