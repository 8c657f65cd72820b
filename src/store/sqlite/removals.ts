import type { RemovalPlan, RemovalRequest } from "../care.ts";
import type { CareContext } from "./doomed.ts";
import { planRemoval } from "./removal.ts";

/**
 * Removals of one connection, one after the other. The rows to remove are listed in temporary tables and removed in batches: a second plan
 * waits for the removal in progress, and a plan is made again if another one was made since.
 */
export class Removals {
  readonly #context: CareContext;
  #last: Promise<unknown> = Promise.resolve();
  #latest: RemovalPlan | undefined;

  constructor(context: CareContext) {
    this.#context = context;
  }

  plan(request: RemovalRequest): Promise<RemovalPlan> {
    return this.#alone(async () => {
      const plan = this.#make(request);
      return { removes: plan.removes, carryOut: () => this.#alone(() => this.#carryOut(plan, request)) };
    });
  }

  #make(request: RemovalRequest): RemovalPlan {
    this.#latest = planRemoval(this.#context, request);
    return this.#latest;
  }

  #carryOut(plan: RemovalPlan, request: RemovalRequest) {
    const current = this.#latest === plan ? plan : this.#make(request);
    this.#latest = undefined;
    return current.carryOut();
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // The caller gets the error; the next task starts normally.
    this.#last = done.catch(() => undefined);
    return done;
  }
}
