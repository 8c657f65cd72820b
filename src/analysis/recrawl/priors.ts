import type { Prior } from "./rate.ts";

/** Number of pages of one kind, and the moments of their rates. */
interface RateMoments {
  pages: number;
  sum: number;
  squares: number;
}

export type PriorSource = "template" | "site" | "none";

/** Prior without any data: one change in twenty days, with so little weight that a few looks outweigh it. */
export const unknownPrior: Prior = { changes: 0.05, days: 1 };
/** Pages needed for a template's or site's own prior. */
const MIN_PAGES = 5;
/** Bounds for the weight of a prior, in changes. */
const [MIN_CHANGES, MAX_CHANGES] = [0.05, 4];

/** Priors for similar pages: the rates of pages with enough looks, as a Gamma distribution fitted by its moments. */
export class Priors {
  readonly #templates = new Map<string, RateMoments>();
  readonly #site: RateMoments = { pages: 0, sum: 0, squares: 0 };

  learn(template: string, rate: number): void {
    const own = this.#templates.get(template) ?? { pages: 0, sum: 0, squares: 0 };
    this.#templates.set(template, own);
    for (const moments of [own, this.#site]) {
      moments.pages += 1;
      moments.sum += rate;
      moments.squares += rate * rate;
    }
  }

  of(template: string): Prior & { readonly source: PriorSource } {
    const own = this.#templates.get(template);
    if (own && own.pages >= MIN_PAGES) return { ...priorOf(own), source: "template" };
    return this.#site.pages >= MIN_PAGES ? { ...priorOf(this.#site), source: "site" } : { ...unknownPrior, source: "none" };
  }
}

function priorOf({ pages, sum, squares }: RateMoments): Prior {
  const mean = sum / pages;
  const variance = squares / pages - mean * mean;
  const changes = Math.min(MAX_CHANGES, Math.max(MIN_CHANGES, (mean * mean) / Math.max(variance, Number.MIN_VALUE)));
  return { changes, days: changes / mean };
}
