/** A page's changes per day, and how important it is to have it fresh. */
export interface PageDemand {
  readonly rate: number;
  readonly importance: number;
}

/** Fewest and most visits per day for a page. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export const unbounded: Bounds = { min: 0, max: Number.POSITIVE_INFINITY };

/**
 * Visits per day at a price per visit, by the harmonic form of LambdaCrawl (Kolobov et al. 2019): the minimum of −Σ μ ln(ρ/(ρ+λ)) under a
 * budget. Every page that changes at all gets visits: the fewer it has, the more the next one is worth.
 */
export function visitRate({ rate, importance }: PageDemand, price: number, { min, max }: Bounds): number {
  const visits = (-rate + Math.sqrt(rate * rate + (4 * importance * rate) / price)) / 2;
  return Math.min(max, Math.max(min, visits));
}

const MAX_STEPS = 100;

/** The price at which all pages together get this many visits per day. */
export function priceFor(demands: readonly PageDemand[], visitsPerDay: number, bounds: Bounds): number {
  let [low, high] = [-30, 30]; // powers of ten: no budget lies beyond
  for (let step = 0; step < MAX_STEPS && high - low > 1e-9; step++) {
    const middle = (low + high) / 2;
    let visits = 0;
    for (const demand of demands) visits += visitRate(demand, 10 ** middle, bounds);
    if (visits > visitsPerDay) low = middle;
    else high = middle;
  }
  return 10 ** high;
}
