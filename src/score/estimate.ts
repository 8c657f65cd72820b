/** What speaks for a link, each 0–1, in the order of the weights. */
export type Evidence = readonly number[];

/** How fast experience changes the weights. */
const RATE = 0.2;

/** What speaks for a link counts this much before anything is known of a site: nothing, its words, what it inherits at best and on
 * average, and what its folder, its template and its page have brought. */
const START: Evidence = [-2.5, 4, 1.5, 1.5, 2, 2, 2];

/** Logistic regression, one page at a time: finds out whose word is worth how much on this site. */
export class Estimate {
  #weights: number[] = [...START];

  of(evidence: Evidence): number {
    let sum = 0;
    for (let place = 0; place < evidence.length; place++) sum += evidence[place]! * this.#weights[place]!;
    return 1 / (1 + Math.exp(-sum));
  }

  /** It was worth so much more, or less, than was expected. */
  correct(evidence: Evidence, surprise: number): void {
    for (let place = 0; place < evidence.length; place++) this.#weights[place]! += RATE * surprise * evidence[place]!;
  }

  snapshot(): Evidence {
    return this.#weights.map((weight) => Math.round(weight * 1e4) / 1e4);
  }

  restore(weights: Evidence): void {
    if (weights.length === START.length) this.#weights = [...weights];
  }
}
