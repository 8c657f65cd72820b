import {
  type KnownPage,
  type Observation,
  type PageDemand,
  planVisits,
  priceFor,
  unbounded,
  visitRate,
} from "../src/analysis/recrawl/index.ts";
import type { Policy, Virtual, VisitSeen } from "./revisit-world.ts";

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const MOST_LOOKS = 32;

/** The rate of each page: the true one, or an estimate from the visits so far. */
type Rates = () => Promise<readonly number[]>;

const intervalsAt = (visits: readonly number[]) => Float64Array.from(visits, (rate) => (rate > 0 ? 1 / rate : Number.POSITIVE_INFINITY));

export function fixed(world: readonly Virtual[], visitsPerDay: number): Policy {
  return { name: "fixed", intervals: () => new Float64Array(world.length).fill(world.length / visitsPerDay) };
}

/** As in Nutch and StormCrawler: a shorter interval after a change, a longer one after none. */
export function nutch(world: readonly Virtual[], visitsPerDay: number): Policy {
  const usual = world.length / visitsPerDay;
  const intervals = new Float64Array(world.length).fill(usual);
  return {
    name: "Nutch's rule",
    intervals: () => Float64Array.from(intervals),
    saw: ({ page, changed }) => {
      intervals[page] = Math.min(90, Math.max(1 / 24, intervals[page]! * (changed ? 0.8 : 1.4)));
    },
    next: (page) => intervals[page]!,
  };
}

export function proportional(rates: Rates, visitsPerDay: number): Policy {
  return {
    name: "proportional",
    intervals: async () => {
      const all = await rates();
      const sum = all.reduce((total, rate) => total + rate, 0);
      return intervalsAt(all.map((rate) => (visitsPerDay * rate) / sum));
    },
  };
}

/** Azar et al. 2018: maximum freshness for the budget; pages that change too fast to follow are not visited. */
export function azar(rates: Rates, visitsPerDay: number): Policy {
  const visitsAt = (rate: number, price: number) => Math.max(0, Math.sqrt(rate / price) - rate);
  return {
    name: "Azar",
    intervals: async () => {
      const all = await rates();
      let [low, high] = [1e-12, 1e12];
      for (let step = 0; step < 100; step++) {
        const middle = Math.sqrt(low * high);
        if (all.reduce((sum, rate) => sum + visitsAt(rate, middle), 0) > visitsPerDay) low = middle;
        else high = middle;
      }
      return intervalsAt(all.map((rate) => visitsAt(rate, high)));
    },
  };
}

export function lambdaCrawl(rates: Rates, visitsPerDay: number): Policy {
  return {
    name: "LambdaCrawl",
    intervals: async () => {
      const wishes: PageDemand[] = (await rates()).map((rate) => ({ rate, importance: 1 }));
      const price = priceFor(wishes, visitsPerDay, unbounded);
      return intervalsAt(wishes.map((wish) => visitRate(wish, price, unbounded)));
    },
  };
}

export const truth = (world: readonly Virtual[]): Rates => {
  const rates = world.map(({ rate }) => rate);
  return async () => rates;
};

/** The visits of every page, in the form the crawler stores them. */
export class Diary {
  readonly #looks: Observation[][];

  constructor(pages: number) {
    this.#looks = Array.from({ length: pages }, () => [{ at: START, changed: false, modifiedAt: undefined }]);
  }

  readonly saw = ({ page, at, changed }: VisitSeen): void => {
    const looks = this.#looks[page]!;
    looks.push({ at: START + at * DAY, changed, modifiedAt: undefined });
    if (looks.length > MOST_LOOKS) looks.shift();
  };

  *pages(): Generator<KnownPage> {
    for (const [id, looks] of this.#looks.entries()) yield { id, template: "site.test/{slug}", looks, score: 0, isFeed: false };
  }

  /** With one visit for each page there is nothing to distribute, but the schedule estimates the rates. */
  readonly rates: Rates = async () => {
    const schedule = await planVisits(
      () => this.pages(),
      (pages) => pages,
    );
    return [...this.pages()].map((page) => schedule.forecast(page).rate);
  };
}

/** The crawler's own schedule, as used by `crawl --due`. */
export function nuthatch(pages: number, visitsPerDay: number): Policy {
  const diary = new Diary(pages);
  return {
    name: "nuthatch --due",
    saw: diary.saw,
    intervals: async () => {
      const schedule = await planVisits(
        () => diary.pages(),
        () => visitsPerDay,
      );
      return Float64Array.from(diary.pages(), (page) => schedule.forecast(page).interval / DAY);
    },
  };
}

/** A policy that only knows what its own visits have seen. */
export function guessing(make: (rates: Rates, visitsPerDay: number) => Policy, pages: number, visitsPerDay: number): Policy {
  const diary = new Diary(pages);
  return { ...make(diary.rates, visitsPerDay), saw: diary.saw };
}
