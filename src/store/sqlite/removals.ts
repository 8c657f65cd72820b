import type { RemovalPlan, RemovalRequest } from "../care.ts";
import type { CareContext } from "./doomed.ts";
import { planRemoval } from "./removal.ts";

/**
 * Removals of one connection, one after the other. What goes is listed in temporary tables and removed a batch at a time: a second plan waits for the
 * removal that is under way, and a plan that another has come between since is made again.
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
    // Whoever asked is told; the next begins anew.
    this.#last = done.catch(() => undefined);
    return done;
  }
}
