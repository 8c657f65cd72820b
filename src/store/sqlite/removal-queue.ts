import type { RemovalPlan, RemovalRequest } from "../maintenance.ts";
import { planRemoval } from "./removal.ts";
import type { MaintenanceContext } from "./removal-lists.ts";

/**
 * Removals of one connection, one after the other. The rows to remove are listed in temporary tables and removed in batches: a second plan
 * waits for the removal in progress, and a plan is made again if another one was made since.
 */
export class RemovalQueue {
  readonly #context: MaintenanceContext;
  #last: Promise<unknown> = Promise.resolve();
  #latestPlan: RemovalPlan | undefined;

  constructor(context: MaintenanceContext) {
    this.#context = context;
  }

  plan(request: RemovalRequest): Promise<RemovalPlan> {
    return this.#runAlone(async () => {
      const plan = this.#makePlan(request);
      return { removes: plan.removes, execute: () => this.#runAlone(() => this.#execute(plan, request)) };
    });
  }

  #makePlan(request: RemovalRequest): RemovalPlan {
    this.#latestPlan = planRemoval(this.#context, request);
    return this.#latestPlan;
  }

  #execute(plan: RemovalPlan, request: RemovalRequest) {
    const current = this.#latestPlan === plan ? plan : this.#makePlan(request);
    this.#latestPlan = undefined;
    return current.execute();
  }

  #runAlone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // The caller gets the error; the next task starts normally.
    this.#last = done.catch(() => undefined);
    return done;
  }
}
