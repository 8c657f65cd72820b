/** How often a source reported a change, how often it was right, and how many changes were expected anyway. */
export interface HintCount {
  readonly said: number;
  readonly wasRight: number;
  readonly expected: number;
}

/** A source below this worth is ignored. */
const MIN_WORTH = 0.4;
/** A source with fewer tested reports than this may bring only `MAX_TRIAL_PAGES` pages forward. */
const MIN_REPORTS = 20;
const MAX_TRIAL_PAGES = 10;

/**
 * The worth of a source's reports, 0–1: how much more likely a change is because of them. A page that changes all the time proves nothing,
 * so only changes beyond those expected count. An untested source has half the full worth.
 */
export function hintWorth({ said, wasRight, expected }: HintCount): number {
  const worth = (wasRight + 1 - expected) / (said + 2 - expected);
  return worth < MIN_WORTH ? 0 : worth;
}

/** How many pages a source may bring forward in one run. */
export const maxHintedPages = ({ said }: HintCount): number => (said < MIN_REPORTS ? MAX_TRIAL_PAGES : Number.POSITIVE_INFINITY);

/** The probability that a page has changed since the last look, by its rate alone. */
export const changeProbability = (rate: number, days: number): number => 1 - Math.exp(-rate * Math.max(0, days));

/**
 * The part of its interval after which a page is due if a source reports a change. A page is due when a change has reached a certain
 * probability; a report raises that probability by as much as −ln(1 − worth)/rate more days would.
 */
export function intervalShare(worth: number, rate: number, days: number): number {
  if (worth <= 0 || rate <= 0) return 1;
  return Math.max(0, 1 + Math.log(1 - Math.min(worth, 0.999)) / (rate * days));
}
