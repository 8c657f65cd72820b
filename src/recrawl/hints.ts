/** How often a source said that a page had changed, how often it was right, and how often one would have expected it to be anyway. */
export interface HintCount {
  readonly said: number;
  readonly wasRight: number;
  readonly expected: number;
}

/** Below this a source is not believed. */
const LEAST_WORTH = 0.4;
/** A source that was put to the test less often than this is not followed far. */
const TESTED = 20;
const TRIAL = 10;

/**
 * What the word of a source is worth, 0–1: how likely a page is to have changed because it says so. What changes all the time proves nothing,
 * so that only the changes beyond those expected count. A source that was never put to the test is half believed.
 */
export function worthOf({ said, wasRight, expected }: HintCount): number {
  const worth = (wasRight + 1 - expected) / (said + 2 - expected);
  return worth < LEAST_WORTH ? 0 : worth;
}

/** How many pages a source may call for in one run. */
export const trustOf = ({ said }: HintCount): number => (said < TESTED ? TRIAL : Number.POSITIVE_INFINITY);

/** The chance that a page has changed since the last look, by its rate alone. */
export const chanceOf = (rate: number, days: number): number => 1 - Math.exp(-rate * Math.max(0, days));

/**
 * The part of its interval after which a page is due of which somebody says that it changed. A page is due when a change has become so and so
 * likely; the word of a source makes it likelier by as much as −ln(1 − worth)/rate more days would.
 */
export function shareWith(worth: number, rate: number, days: number): number {
  if (worth <= 0 || rate <= 0) return 1;
  return Math.max(0, 1 + Math.log(1 - Math.min(worth, 0.999)) / (rate * days));
}
