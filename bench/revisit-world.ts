import { seededRandom } from "../src/engine/frontier/index.ts";

/** Simulates pages that change at random, and visits by a policy. Virtual time in days; no clock, no network. */
export interface Virtual {
  readonly id: number;
  /** Changes per day. */
  readonly rate: number;
  /** Times of its changes. */
  readonly changes: Float64Array;
}

export interface VisitSeen {
  readonly page: number;
  readonly at: number;
  readonly changed: boolean;
}

/** Decides when each page is visited next. */
export interface Policy {
  readonly name: string;
  /** Called after every visit. */
  saw?(visit: VisitSeen): void;
  /** Called at the start and once a day: the interval of every page, in days. */
  intervals(now: number): Promise<Float64Array> | Float64Array;
  /** The new interval of one page after a visit, for policies that decide at once. */
  next?(page: number): number;
}

export interface Score {
  /** Share of time during which our copy equalled the site's page. */
  readonly freshness: number;
  /** Visits that found a change. */
  readonly useful: number;
  readonly visits: number;
  /** Median age of the changes when they were found, in days. */
  readonly delay: number;
  /** Pages never visited after the first time. */
  readonly starved: number;
}

/** Rates are log-uniform between once a year and once an hour. */
export function makeWorld(pages: number, days: number, seed: number): Virtual[] {
  const random = seededRandom(seed);
  const [slowest, fastest] = [1 / 365, 24];
  return Array.from({ length: pages }, (_, id) => {
    const rate = slowest * (fastest / slowest) ** random();
    const changes: number[] = [];
    const pause = () => -Math.log(1 - random()) / rate;
    for (let at = pause(); at < days; at += pause()) changes.push(at);
    return { id, rate, changes: Float64Array.from(changes) };
  });
}

/** One visit per time slot, to the most overdue page. Every page was visited once at the start. */
export async function simulate(world: readonly Virtual[], policy: Policy, days: number, visitsPerDay: number): Promise<Score> {
  const lasts = new Float64Array(world.length);
  const nextChange = new Int32Array(world.length);
  const visited = new Uint8Array(world.length);
  const delays: number[] = [];
  let intervals = await policy.intervals(0);
  let [fresh, visits, useful] = [0, 0, 0];
  /** Adds the time our copy was current, and returns true if the page has changed since its last visit. */
  const look = (page: Virtual, now: number): boolean => {
    const changedAt = page.changes[nextChange[page.id]!] ?? Number.POSITIVE_INFINITY;
    fresh += Math.min(now, changedAt) - lasts[page.id]!;
    if (changedAt > now) return false;
    delays.push(now - changedAt);
    while ((page.changes[nextChange[page.id]!] ?? Number.POSITIVE_INFINITY) <= now) nextChange[page.id]! += 1;
    return true;
  };
  let today = 0;
  for (let slot = 1; slot <= days * visitsPerDay; slot++) {
    const now = slot / visitsPerDay;
    if (Math.floor(now) > today) {
      today = Math.floor(now);
      intervals = await policy.intervals(now);
    }
    const id = mostOverdue(lasts, intervals, now);
    if (id < 0) continue;
    const changed = look(world[id]!, now);
    lasts[id] = now;
    visited[id] = 1;
    visits += 1;
    if (changed) useful += 1;
    policy.saw?.({ page: id, at: now, changed });
    if (policy.next) intervals[id] = policy.next(id);
  }
  for (const page of world) look(page, days);
  delays.sort((a, b) => a - b);
  return {
    freshness: fresh / (world.length * days),
    useful: useful / visits,
    visits,
    delay: delays[Math.floor(delays.length / 2)] ?? 0,
    starved: visited.filter((was) => was === 0).length,
  };
}

/** The page with the largest ratio of time since its last visit to its interval; -1 if no interval has passed. */
function mostOverdue(lasts: Float64Array, intervals: Float64Array, now: number): number {
  let [best, most] = [-1, 1];
  for (let id = 0; id < lasts.length; id++) {
    const overdue = (now - lasts[id]!) / intervals[id]!;
    if (overdue >= most) [best, most] = [id, overdue];
  }
  return best;
}
