import type { Evidence } from "./evidence.ts";
import { partly } from "./parts.ts";

/** The rows of what each place of a link says. The host is read apart from the path: it speaks of the site more than of the page. */
export interface LinkRows {
  readonly text: number;
  readonly path: number;
  readonly host: number;
  readonly heading: number;
  readonly context: number;
}

/**
 * How much each place counts. Fitted to labelled links by ordinal regression, leaving out one keyword after the other; what came out
 * was rounded. See docs/decisions/0014-words-and-vectors.md.
 */
const NAMED = { link: 2.2, anywhere: 4.3, host: 2.4, context: 0.9 };
const MEANT = { link: 3.8, host: 2.3, context: 3.1 };
const IN_PATH = 0.95;
const IN_HEADING = 0.9;
/** Where unrelated links end, and where a link is about it. Of a keyword that no concept knows there are fewer signs to see. */
const KNOWN = { nothing: 2.2, something: 7 };
const UNKNOWN = { nothing: 1.5, something: 5 };
const SOMETHING = 0.6;
/** Where a link is about nothing else. */
const ALL = 11.2;
/** Only the word itself is a whole match. */
const MOST_WITHOUT = 0.95;

/** How a keyword is judged: the same for every link. */
export interface Plan {
  readonly subject: number;
  /** Where the words of a keyword of several stand among the subjects. */
  readonly parts: readonly number[];
  /** Whether a concept tells its other names. */
  readonly isKnown: boolean;
}

/** Words alone: what the link is called, then where it leads, then what it stands under and beside. */
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

/** A link that says itself where it leads is not about whatever it stands under. */
const inherits = (evidence: Evidence, text: number) => evidence.own(text) <= 1;

/** Words and meanings. */
export function weigh(evidence: Evidence, rows: LinkRows, { subject, parts, isKnown }: Plan): number {
  const { text, path, host, heading, context } = rows;
  const called = Math.max(evidence.name(text, subject), partly(evidence, rows, parts));
  const link = Math.max(called, IN_PATH * evidence.name(path, subject));
  const inherited = inherits(evidence, text) ? IN_HEADING * evidence.name(heading, subject) : 0;
  const anywhere = Math.max(link, inherited);
  // The word itself is a whole match wherever it stands.
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
