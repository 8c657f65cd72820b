import type { Observation } from "./observations.ts";

/** A Gamma distribution of change rates, read as experience: so many changes seen in so many days. */
export interface Prior {
  readonly changes: number;
  readonly days: number;
}

/** Between two looks: the days between them, whether the page changed, and how many days before the second look, if known. */
export interface Interval {
  readonly days: number;
  readonly changed: boolean;
  readonly quietDays: number | undefined;
}

const DAY = 86_400_000;
/** Pages generated per request report that they were modified just now. */
const JUST_NOW_MS = 60_000;
/** If the longest and the shortest interval differ by no more than this factor, they count as regular. */
const MAX_REGULAR_RATIO = 1.2;

export const noPrior: Prior = { changes: 0, days: 0 };

export function intervalsOf(looks: readonly Observation[]): Interval[] {
  const intervals: Interval[] = [];
  let areDatesReliable = true;
  for (let index = 1; index < looks.length; index++) {
    const [before, now] = [looks[index - 1]!, looks[index]!];
    const days = (now.at - before.at) / DAY;
    if (days <= 0) continue;
    const { modifiedAt = 0 } = now;
    const isNewDate = modifiedAt > before.at && modifiedAt <= now.at;
    // A new Last-Modified on an unchanged page refers to something we do not compare, so the page's dates are not used.
    if (isNewDate && !now.changed) areDatesReliable = false;
    const isDated = now.changed && isNewDate && now.at - modifiedAt > JUST_NOW_MS;
    intervals.push({ days, changed: now.changed, quietDays: isDated ? (now.at - modifiedAt) / DAY : undefined });
  }
  return areDatesReliable ? intervals : intervals.map((interval) => ({ ...interval, quietDays: undefined }));
}

/** Changes per day, estimated from the looks and a prior from similar pages. */
export function rateOf(intervals: readonly Interval[], prior: Prior): number {
  if (intervals.length === 0) return prior.days > 0 ? prior.changes / prior.days : 0;
  const days = intervals.map((interval) => interval.days);
  const isRegular =
    Math.max(...days) <= MAX_REGULAR_RATIO * Math.min(...days) && intervals.every(({ quietDays }) => quietDays === undefined);
  if (!isRegular) return maxLikelihoodRate(intervals, prior);
  const changes = intervals.filter(({ changed }) => changed).length;
  return regularRate({ looks: days.length, changes, interval: days.reduce((sum, day) => sum + day, 0) / days.length }, prior);
}

/**
 * The bias-reduced estimator of Cho and Garcia-Molina, −ln((n − X + ½) / (n + ½)) / I. Its half an observation without a change stands for
 * no knowledge; the prior replaces that half with as many looks as its days hold, and the changes it expects in them.
 */
export function regularRate(seen: { looks: number; changes: number; interval: number }, prior: Prior): number {
  const { looks, changes, interval } = seen;
  const weight = Math.max(0.5, prior.days / interval);
  const same = prior.days > 0 ? Math.exp((-prior.changes / prior.days) * interval) : 1;
  return Math.max(0, -Math.log((looks - changes + weight * same) / (looks + weight)) / interval);
}

/**
 * The maximum-likelihood rate (with prior). An interval of t days without a change has probability e^−λt, one with a change 1 − e^−λt; if
 * the server says that the last change was q days before the look, it is λe^−λq. The sum of their logarithms and the prior's is largest
 * where Σ t/(e^λt − 1) + (dated changes + prior changes)/λ = unchanged days + Σ q + prior days. The left side is convex and decreasing, so
 * Newton steps from below never pass the root.
 */
export function maxLikelihoodRate(intervals: readonly Interval[], prior: Prior): number {
  let [points, quiet, changedDays] = [prior.changes, prior.days, 0];
  const censored: number[] = [];
  for (const { days, changed, quietDays } of intervals) {
    if (!changed) quiet += days;
    else if (quietDays !== undefined) {
      points += 1;
      quiet += quietDays;
    } else {
      censored.push(days);
      changedDays += days;
    }
  }
  const changes = points + censored.length;
  if (changes === 0) return 0;
  if (quiet === 0) return Number.POSITIVE_INFINITY;
  let rate = changes / (quiet + changedDays / 2);
  for (let step = 0; step < 100; step++) {
    let [excess, slope] = [points / rate - quiet, -points / rate ** 2];
    for (const days of censored) {
      const odds = 1 / Math.expm1(rate * days);
      excess += days * odds;
      slope -= days * days * odds * (1 + odds);
    }
    const next = rate - excess / slope;
    if (!(next > rate * (1 + 1e-9))) break;
    rate = next;
  }
  return rate;
}
