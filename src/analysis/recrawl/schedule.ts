import { type Bounds, type PageDemand, priceFor, visitRate } from "./allocate.ts";
import type { Observation } from "./observations.ts";
import { type PriorSource, Priors, unknownPrior } from "./priors.ts";
import { intervalsOf, rateOf } from "./rate.ts";

/** A page with earlier visits. */
export interface KnownPage {
  readonly id: number;
  /** Pages of one template share a prior until their own history differs. */
  readonly template: string;
  readonly looks: readonly Observation[];
  /** Score of the links to it, 0–2. */
  readonly score: number;
  /** Feeds report changes of other pages, so they are visited as often as allowed. */
  readonly isFeed: boolean;
}

/** The expected change rate of a page, and when to visit it next. */
export interface Forecast {
  /** Changes per day. */
  readonly rate: number;
  readonly looks: number;
  readonly changes: number;
  /** Whose history is used besides the page's own. */
  readonly prior: PriorSource;
  readonly importance: number;
  readonly lastAt: number;
  /** Milliseconds from the last look to the next. */
  readonly interval: number;
  readonly dueAt: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Bounds: at most one visit an hour, at least one in three months. */
export const MIN_INTERVAL_MS = HOUR;
const bounds: Bounds = { min: 1 / 90, max: DAY / MIN_INTERVAL_MS };
/** Looks from which a page contributes to its template's prior. */
const MIN_OBSERVATIONS = 3;
/** The best-scored page counts five times as much as one without a score. */
const importanceOf = (score: number) => 1 + 2 * score;

/** Computes the next visit for each of many pages. */
export class Schedule {
  readonly #priors: Priors;
  readonly #price: number;

  constructor(priors: Priors, price: number) {
    this.#priors = priors;
    this.#price = price;
  }

  forecast(page: KnownPage): Forecast {
    const prior = this.#priors.of(page.template);
    const rate = rateOf(intervalsOf(page.looks), prior);
    const importance = importanceOf(page.score);
    const interval = page.isFeed ? MIN_INTERVAL_MS : (DAY / visitRate({ rate, importance }, this.#price, bounds)) * jitterOf(page.id);
    const lastAt = page.looks.at(-1)?.at ?? 0;
    const changes = page.looks.filter(({ changed }) => changed).length;
    return { rate, looks: page.looks.length, changes, prior: prior.source, importance, lastAt, interval, dueAt: lastAt + interval };
  }
}

/** Spreads pages that were first seen together: up to a tenth sooner or later, constant per page. */
const jitterOf = (id: number) => 0.9 + ((Math.imul(id, 0x9e3779b1) >>> 0) / 2 ** 32) * 0.2;

/** Reads the pages twice: first to fit the priors, then to distribute the visits. */
export async function planVisits(
  pages: () => AsyncIterable<KnownPage> | Iterable<KnownPage>,
  visitsPerDay: (pages: number) => number,
): Promise<Schedule> {
  const priors = new Priors();
  for await (const { template, looks } of pages()) {
    if (looks.length >= MIN_OBSERVATIONS) priors.learn(template, rateOf(intervalsOf(looks), unknownPrior));
  }
  const demands: PageDemand[] = [];
  for await (const { template, looks, score, isFeed } of pages()) {
    if (!isFeed) demands.push({ rate: rateOf(intervalsOf(looks), priors.of(template)), importance: importanceOf(score) });
  }
  return new Schedule(priors, priceFor(demands, visitsPerDay(demands.length), bounds));
}
