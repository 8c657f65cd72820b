/** The evidence for a link, each value 0–1, in the order of the weights. */
export type Evidence = readonly number[];

/** Learning rate. */
const LEARNING_RATE = 0.2;

/**
 * Initial weights, before anything is known about a site: bias, own words, inherited at best and on average, and the results of its
 * folder, its template and its page.
 */
const INITIAL_WEIGHTS: Evidence = [-2.5, 4, 1.5, 1.5, 2, 2, 2];

/** Online logistic regression: learns which evidence is reliable on this site. */
export class Estimate {
  #weights: number[] = [...INITIAL_WEIGHTS];

  of(evidence: Evidence): number {
    let sum = 0;
    for (let place = 0; place < evidence.length; place++) sum += evidence[place]! * this.#weights[place]!;
    return 1 / (1 + Math.exp(-sum));
  }

  /** Corrects the weights; `error` is the actual minus the expected value. */
  correct(evidence: Evidence, error: number): void {
    for (let place = 0; place < evidence.length; place++) this.#weights[place]! += LEARNING_RATE * error * evidence[place]!;
  }

  snapshot(): Evidence {
    return this.#weights.map((weight) => Math.round(weight * 1e4) / 1e4);
  }

  restore(weights: Evidence): void {
    if (weights.length === INITIAL_WEIGHTS.length) this.#weights = [...weights];
  }
}
