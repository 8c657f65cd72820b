import { seededRandom } from "../src/frontier/index.ts";

/** Pages that change by chance, and what it comes to if they are visited by some plan. Virtual time in days; no clock, no network. */
export interface Virtual {
  readonly id: number;
  /** Changes a day. */
  readonly rate: number;
  /** The moments of its changes. */
  readonly changes: Float64Array;
}

export interface VisitSeen {
  readonly page: number;
  readonly at: number;
  readonly changed: boolean;
}

/** When each page is wanted next. */
export interface Policy {
  readonly name: string;
  /** Told of every visit. */
  saw?(visit: VisitSeen): void;
  /** Asked at the start and once a day: the interval of every page, in days. */
  intervals(now: number): Promise<Float64Array> | Float64Array;
  /** The interval of one page after a visit, where that is decided at once. */
  next?(page: number): number;
}

export interface Score {
  /** The part of the time that our copy of a page was the site's. */
  readonly freshness: number;
  /** Visits that met a change. */
  readonly useful: number;
  readonly visits: number;
  /** Half of the changes that were met had been there for less than this, in days. */
  readonly delay: number;
  /** Pages that were never visited after the first time. */
  readonly starved: number;
}

/** Rates are spread evenly over the powers between once a year and once an hour. */
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

/** One visit a slot, to the page that is most overdue. Everything was visited once at the beginning. */
export async function simulate(world: readonly Virtual[], policy: Policy, days: number, visitsPerDay: number): Promise<Score> {
  const lasts = new Float64Array(world.length);
  const nextChange = new Int32Array(world.length);
  const visited = new Uint8Array(world.length);
  const delays: number[] = [];
  let intervals = await policy.intervals(0);
  let [fresh, visits, useful] = [0, 0, 0];
  /** Adds the time that the copy of a page was good until now, and answers whether it still is. */
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

/** The page whose interval has passed most often since the last visit; none if none has passed at all. */
function mostOverdue(lasts: Float64Array, intervals: Float64Array, now: number): number {
  let [best, most] = [-1, 1];
  for (let id = 0; id < lasts.length; id++) {
    const overdue = (now - lasts[id]!) / intervals[id]!;
    if (overdue >= most) [best, most] = [id, overdue];
  }
  return best;
}
