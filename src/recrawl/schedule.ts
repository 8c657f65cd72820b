import { type Bounds, priceFor, visitRate, type Wish } from "./allocate.ts";
import type { Look } from "./looks.ts";
import { type PriorSource, Priors, unknownPrior } from "./priors.ts";
import { intervalsOf, rateOf } from "./rate.ts";

/** A page that was visited before. */
export interface Known {
  readonly id: number;
  /** Pages of one template are taken to be alike until they show otherwise. */
  readonly template: string;
  readonly looks: readonly Look[];
  /** What links to it are worth, 0–2. */
  readonly score: number;
  /** Feeds tell of other pages: they are looked at whenever they may be. */
  readonly isFeed: boolean;
}

/** What is expected of a page, and when it is to be looked at again. */
export interface Forecast {
  /** Changes a day. */
  readonly rate: number;
  readonly looks: number;
  readonly changes: number;
  /** Whose experience counts besides the page's own. */
  readonly prior: PriorSource;
  readonly importance: number;
  readonly lastAt: number;
  /** Milliseconds from the last look to the next. */
  readonly interval: number;
  readonly dueAt: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** No page is looked at more than once an hour, and none less than once in three months. */
export const SOONEST = HOUR;
const bounds: Bounds = { least: 1 / 90, most: DAY / SOONEST };
/** From so many looks on a page speaks for its like. */
const TELLING = 3;
/** The best-scored page counts five times as much as one without a score. */
const importanceOf = (score: number) => 1 + 2 * score;

/** When to look again at each of many pages. */
export class Schedule {
  readonly #priors: Priors;
  readonly #price: number;

  constructor(priors: Priors, price: number) {
    this.#priors = priors;
    this.#price = price;
  }

  forecast(page: Known): Forecast {
    const prior = this.#priors.of(page.template);
    const rate = rateOf(intervalsOf(page.looks), prior);
    const importance = importanceOf(page.score);
    const interval = page.isFeed ? SOONEST : (DAY / visitRate({ rate, importance }, this.#price, bounds)) * jitterOf(page.id);
    const lastAt = page.looks.at(-1)?.at ?? 0;
    const changes = page.looks.filter(({ changed }) => changed).length;
    return { rate, looks: page.looks.length, changes, prior: prior.source, importance, lastAt, interval, dueAt: lastAt + interval };
  }
}

/** Pages that were first seen together do not come due together: up to a tenth sooner or later, for each page always the same. */
const jitterOf = (id: number) => 0.9 + ((Math.imul(id, 0x9e3779b1) >>> 0) / 2 ** 32) * 0.2;

/** Goes through the pages twice: first to learn what pages of a kind have in common, then to share out the visits. */
export async function planVisits(
  pages: () => AsyncIterable<Known> | Iterable<Known>,
  visitsPerDay: (pages: number) => number,
): Promise<Schedule> {
  const priors = new Priors();
  for await (const { template, looks } of pages()) {
    if (looks.length >= TELLING) priors.learn(template, rateOf(intervalsOf(looks), unknownPrior));
  }
  const wishes: Wish[] = [];
  for await (const { template, looks, score, isFeed } of pages()) {
    if (!isFeed) wishes.push({ rate: rateOf(intervalsOf(looks), priors.of(template)), importance: importanceOf(score) });
  }
  return new Schedule(priors, priceFor(wishes, visitsPerDay(wishes.length), bounds));
}
