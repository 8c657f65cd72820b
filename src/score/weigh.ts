import type { Evidence } from "./evidence.ts";
import { partly } from "./parts.ts";

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
const NAMED = { link: 2.2, anywhere: 4.3, host: 2.4, context: 0.9 };
const MEANT = { link: 3.8, host: 2.3, context: 3.1 };
const IN_PATH = 0.95;
const IN_HEADING = 0.9;
/**
 * Thresholds of the sum: below `nothing` a link is unrelated, from `something` on it is about the keyword. Keywords without a concept have
 * fewer signals, so their thresholds are lower.
 */
const KNOWN = { nothing: 2.2, something: 7 };
const UNKNOWN = { nothing: 1.5, something: 5 };
const SOMETHING = 0.6;
/** The sum at which a link is about nothing else. */
const ALL = 11.2;
/** Upper bound for matches without the keyword itself. */
const MOST_WITHOUT = 0.95;

/** How a keyword is judged; the same for every link. */
export interface Plan {
  readonly subject: number;
  /** For a keyword of several words: the subjects of its words. */
  readonly parts: readonly number[];
  /** Whether a concept lists other names for it. */
  readonly isKnown: boolean;
}

/** The lexical scorer: by words only, first the link's text, then its URL, then its heading and context. */
export function weighNames(evidence: Evidence, rows: LinkRows, { subject, parts }: Plan): number {
  const { text, path, host, heading, context } = rows;
  const name = (row: number) => evidence.name(row, subject);
  return Math.max(
    name(text),
    partly(evidence, rows, parts),
    name(path),
    inherits(evidence, text) ? 0.6 * name(heading) : 0,
    0.5 * name(host),
    0.3 * name(context),
  );
}

/** A heading counts only for links that do not say themselves what they lead to. */
const inherits = (evidence: Evidence, text: number) => evidence.own(text) <= 1;

/** The embedded scorer: by words and meanings. */
export function weigh(evidence: Evidence, rows: LinkRows, { subject, parts, isKnown }: Plan): number {
  const { text, path, host, heading, context } = rows;
  const called = Math.max(evidence.name(text, subject), partly(evidence, rows, parts));
  const link = Math.max(called, IN_PATH * evidence.name(path, subject));
  const inherited = inherits(evidence, text) ? IN_HEADING * evidence.name(heading, subject) : 0;
  const anywhere = Math.max(link, inherited);
  // The keyword in the link's text or path is a full match.
  if (link >= IN_PATH - 0.01) return 1;
  const weight =
    NAMED.link * link +
    NAMED.anywhere * anywhere +
    NAMED.host * evidence.name(host, subject) +
    NAMED.context * evidence.name(context, subject) +
    MEANT.link * Math.max(evidence.theme(text, subject), evidence.theme(path, subject)) +
    MEANT.host * evidence.theme(host, subject) +
    MEANT.context * evidence.theme(context, subject);
  return Math.min(MOST_WITHOUT, onScale(weight, isKnown ? KNOWN : UNKNOWN));
}

function onScale(weight: number, { nothing, something }: typeof KNOWN): number {
  if (weight <= nothing) return 0;
  if (weight <= something) return (SOMETHING * (weight - nothing)) / (something - nothing);
  return Math.min(1, SOMETHING + ((1 - SOMETHING) * (weight - something)) / (ALL - something));
}
