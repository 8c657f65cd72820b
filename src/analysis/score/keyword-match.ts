import type { EvidenceTable } from "./evidence.ts";
import { partialMatchOf } from "./partial-match.ts";

/** The evidence rows of a link's parts. The host is separate from the path: it describes the site more than the page. */
export interface LinkRows {
  readonly text: number;
  readonly path: number;
  readonly host: number;
  readonly heading: number;
  readonly context: number;
}

/**
 * Weights of the parts. Fitted to labelled links by ordinal regression, leaving out one keyword after the other, and rounded. See
 * docs/decisions/0014-words-and-vectors.md.
 */
const NAME_WEIGHTS = { link: 2.2, anywhere: 4.3, host: 2.4, context: 0.9 };
const MEANING_WEIGHTS = { link: 3.8, host: 2.3, context: 3.1 };
const PATH_FACTOR = 0.95;
const HEADING_FACTOR = 0.9;
/**
 * Thresholds of the sum: below `nothing` a link is unrelated, from `something` on it is about the keyword. Keywords without a concept have
 * fewer signals, so their thresholds are lower.
 */
const KNOWN_THRESHOLDS = { nothing: 2.2, something: 7 };
const UNKNOWN_THRESHOLDS = { nothing: 1.5, something: 5 };
const RELATED_SCORE = 0.6;
/** The sum at which a link is about nothing else. */
const FULL_MATCH_SUM = 11.2;
/** Upper bound for matches without the keyword itself. */
const MAX_WITHOUT_NAME = 0.95;

/** How a keyword is judged; the same for every link. */
export interface KeywordPlan {
  readonly subject: number;
  /** For a keyword of several words: the subjects of its words. */
  readonly parts: readonly number[];
  /** Whether a concept lists other names for it. */
  readonly isKnown: boolean;
}

/** The lexical scorer: by words only, first the link's text, then its URL, then its heading and context. */
export function matchByName(evidence: EvidenceTable, rows: LinkRows, { subject, parts }: KeywordPlan): number {
  const { text, path, host, heading, context } = rows;
  const name = (row: number) => evidence.name(row, subject);
  return Math.max(
    name(text),
    partialMatchOf(evidence, rows, parts),
    name(path),
    usesHeading(evidence, text) ? 0.6 * name(heading) : 0,
    0.5 * name(host),
    0.3 * name(context),
  );
}

/** A heading counts only for links that do not say themselves what they lead to. */
const usesHeading = (evidence: EvidenceTable, text: number) => evidence.own(text) <= 1;

/** The embedded scorer: by words and meanings. */
export function matchByMeaning(evidence: EvidenceTable, rows: LinkRows, { subject, parts, isKnown }: KeywordPlan): number {
  const { text, path, host, heading, context } = rows;
  const textScore = Math.max(evidence.name(text, subject), partialMatchOf(evidence, rows, parts));
  const link = Math.max(textScore, PATH_FACTOR * evidence.name(path, subject));
  const headingScore = usesHeading(evidence, text) ? HEADING_FACTOR * evidence.name(heading, subject) : 0;
  const anywhere = Math.max(link, headingScore);
  // The keyword in the link's text or path is a full match.
  if (link >= PATH_FACTOR - 0.01) return 1;
  const sum =
    NAME_WEIGHTS.link * link +
    NAME_WEIGHTS.anywhere * anywhere +
    NAME_WEIGHTS.host * evidence.name(host, subject) +
    NAME_WEIGHTS.context * evidence.name(context, subject) +
    MEANING_WEIGHTS.link * Math.max(evidence.theme(text, subject), evidence.theme(path, subject)) +
    MEANING_WEIGHTS.host * evidence.theme(host, subject) +
    MEANING_WEIGHTS.context * evidence.theme(context, subject);
  return Math.min(MAX_WITHOUT_NAME, scoreOfSum(sum, isKnown ? KNOWN_THRESHOLDS : UNKNOWN_THRESHOLDS));
}

function scoreOfSum(sum: number, { nothing: unrelated, something: related }: typeof KNOWN_THRESHOLDS): number {
  if (sum <= unrelated) return 0;
  if (sum <= related) return (RELATED_SCORE * (sum - unrelated)) / (related - unrelated);
  return Math.min(1, RELATED_SCORE + ((1 - RELATED_SCORE) * (sum - related)) / (FULL_MATCH_SUM - related));
}
