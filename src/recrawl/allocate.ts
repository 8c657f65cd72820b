/** How often a page changes a day, and what it is worth to have it fresh. */
export interface Wish {
  readonly rate: number;
  readonly importance: number;
}

/** The fewest and the most visits a day that a page gets. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

export const unbounded: Bounds = { least: 0, most: Number.POSITIVE_INFINITY };

/**
 * Visits a day at a price per visit, by the harmonic form of LambdaCrawl (Kolobov et al. 2019): the least of −Σ μ ln(ρ/(ρ+λ)) under a
 * budget. Whatever its rate, a page that changes at all is visited: the less that is spent on it, the more the next visit is worth.
 */
export function visitRate({ rate, importance }: Wish, price: number, { least, most }: Bounds): number {
  const visits = (-rate + Math.sqrt(rate * rate + (4 * importance * rate) / price)) / 2;
  return Math.min(most, Math.max(least, visits));
}

const STEPS = 100;

/** The price at which the pages together are visited this often a day. */
export function priceFor(wishes: readonly Wish[], visitsPerDay: number, bounds: Bounds): number {
  let [low, high] = [-30, 30]; // powers of ten: no budget lies beyond
  for (let step = 0; step < STEPS && high - low > 1e-9; step++) {
    const middle = (low + high) / 2;
    let visits = 0;
    for (const wish of wishes) visits += visitRate(wish, 10 ** middle, bounds);
    if (visits > visitsPerDay) low = middle;
    else high = middle;
  }
  return 10 ** high;
}
