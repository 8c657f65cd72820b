import type { Evidence } from "./evidence.ts";
import type { LinkRows } from "./weigh.ts";

/** Factors by the part of a link that contains a word; whether all words are present matters more. */
const PLACES = { text: 1, path: 0.9, heading: 0.8, host: 0.6, context: 0.5 };
/** Upper bound: less than the phrase itself. */
const MOST = 0.9;

/**
 * How far the words of a keyword are all present, but not as a phrase: one in the link, another in its heading. The weakest word counts
 * more than the average, or "meeting minutes" would match every meeting room.
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
