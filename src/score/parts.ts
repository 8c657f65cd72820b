import type { Evidence } from "./evidence.ts";
import type { LinkRows } from "./weigh.ts";

/** Where a word of a keyword stands matters less than whether all do. */
const PLACES = { text: 1, path: 0.9, heading: 0.8, host: 0.6, context: 0.5 };
/** Below the phrase itself. */
const MOST = 0.9;

/**
 * How far the words of a keyword of several stand apart from each other but all there: the one in the link, the other above it. The one
 * that is missing counts more than those that are there, or "meeting minutes" would be found in every room to meet in.
 */
export function partly(evidence: Evidence, rows: LinkRows, parts: readonly number[]): number {
  if (parts.length === 0) return 0;
  let [sum, least, inLink] = [0, 1, 0];
  for (const part of parts) {
    const named = (place: keyof LinkRows) => PLACES[place] * evidence.name(rows[place], part);
    const best = Math.max(named("text"), named("path"), named("heading"), named("host"), named("context"));
    sum += best;
    least = Math.min(least, best);
    inLink = Math.max(inLink, evidence.name(rows.text, part), evidence.name(rows.path, part));
  }
  return inLink > 0.5 ? MOST * ((0.4 * sum) / parts.length + 0.6 * least) : 0;
}
