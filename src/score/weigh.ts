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
const NAMED = { link: 2.2, anywhere: 4.3, itself: 1.3, host: 2.4, context: 0.9 };
const MEANT = { link: 3.8, host: 2.3, context: 3.1 };
const IN_PATH = 0.95;
const IN_HEADING = 0.9;
/** Where unrelated links end, and where a link is about it. Of a keyword that no concept knows there are fewer signs to see. */
const KNOWN = { nothing: 2.2, something: 7 };
const UNKNOWN = { nothing: 1.5, something: 5 };
const SOMETHING = 0.6;
/** Where a link is about nothing else. */
const ALL = 11.2;
/** The word itself is a whole match, unless what stands around it lets one doubt that it is meant in that sense. */
const SURE = 10.6;
/** Everything else stays below. */
const MOST_WITHOUT = 0.95;

/** How a keyword is judged: the same for every link. */
export interface Plan {
  readonly subject: number;
  /** Where the words of a keyword of several stand among the subjects. */
  readonly parts: readonly number[];
  /** Whether a concept tells its other names. */
  readonly isKnown: boolean;
  /** Whether its meaning is known, so that words around its name can speak against it. */
  readonly hasMeaning: boolean;
}

/** Words alone: what the link is called, then where it leads, then what it stands under and beside. */
export function weighNames(evidence: Evidence, rows: LinkRows, { subject, parts }: Plan): number {
  const { text, path, host, heading, context } = rows;
  const name = (row: number) => evidence.name(row, subject);
  return Math.max(name(text), partly(evidence, rows, parts), name(path), 0.6 * name(heading), 0.5 * name(host), 0.3 * name(context));
}

/** Words and meanings. A name among words that mean something else, as in "nose job", counts less. */
export function weigh(evidence: Evidence, rows: LinkRows, { subject, parts, isKnown, hasMeaning }: Plan): number {
  const { text, path, host, heading, context } = rows;
  const called = Math.max(evidence.name(text, subject), partly(evidence, rows, parts));
  const link = Math.max(called, IN_PATH * evidence.name(path, subject));
  const anywhere = Math.max(link, IN_HEADING * evidence.name(heading, subject));
  const isItself = link >= IN_PATH - 0.01;
  const weight =
    NAMED.link * link +
    NAMED.anywhere * anywhere +
    (isItself ? NAMED.itself : 0) +
    NAMED.host * evidence.name(host, subject) +
    NAMED.context * evidence.name(context, subject) +
    MEANT.link * Math.max(evidence.theme(text, subject), evidence.theme(path, subject)) +
    MEANT.host * evidence.theme(host, subject) +
    MEANT.context * evidence.theme(context, subject);
  if (isItself) {
    // There may be no words beside it that could speak against it.
    const own = called < 1 ? 0 : Math.max(1, parts.length);
    if (!hasMeaning || evidence.known(text) <= own || weight >= SURE) return 1;
  }
  return Math.min(MOST_WITHOUT, onScale(weight, isKnown ? KNOWN : UNKNOWN));
}

function onScale(weight: number, { nothing, something }: typeof KNOWN): number {
  if (weight <= nothing) return 0;
  if (weight <= something) return (SOMETHING * (weight - nothing)) / (something - nothing);
  return Math.min(1, SOMETHING + ((1 - SOMETHING) * (weight - something)) / (ALL - something));
}
