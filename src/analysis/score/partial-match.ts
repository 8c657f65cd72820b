import type { EvidenceTable } from "./evidence.ts";
import type { LinkRows } from "./keyword-match.ts";

/** Factors by the part of a link that contains a word; whether all words are present matters more. */
const PLACE_FACTORS = { text: 1, path: 0.9, heading: 0.8, host: 0.6, context: 0.5 };
/** Upper bound: less than the phrase itself. */
const MAX_PARTIAL_MATCH = 0.9;

/**
 * How far the words of a keyword are all present, but not as a phrase: one in the link, another in its heading. The weakest word counts
 * more than the average, or "meeting minutes" would match every meeting room.
 */
export function partialMatchOf(evidence: EvidenceTable, rows: LinkRows, parts: readonly number[]): number {
  if (parts.length === 0) return 0;
  let [sum, weakest, bestInLink] = [0, 1, 0];
  for (const part of parts) {
    const scoreAt = (place: keyof LinkRows) => PLACE_FACTORS[place] * evidence.name(rows[place], part);
    const best = Math.max(scoreAt("text"), scoreAt("path"), scoreAt("heading"), scoreAt("host"), scoreAt("context"));
    sum += best;
    weakest = Math.min(weakest, best);
    bestInLink = Math.max(bestInLink, evidence.name(rows.text, part), evidence.name(rows.path, part));
  }
  return bestInLink > 0.5 ? MAX_PARTIAL_MATCH * ((0.4 * sum) / parts.length + 0.6 * weakest) : 0;
}
