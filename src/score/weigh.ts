import type { Evidence } from "./evidence.ts";

/** What each place of a link says. The host is read apart from the path: it speaks of the site more than of the page. */
export interface LinkEvidence {
  readonly text: Evidence;
  readonly path: Evidence;
  readonly host: Evidence;
  readonly heading: Evidence;
  readonly context: Evidence;
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

interface Weighing {
  /** How well the link's text names it, all in all. */
  readonly called: number;
  /** Whether a concept tells its other names. */
  readonly isKnown: boolean;
  /** Whether there are no words beside it that could speak against it. */
  readonly isAlone: boolean;
}

/** Words alone: what the link is called, then where it leads, then what it stands under and beside. */
export function weighNames({ text, path, host, heading, context }: LinkEvidence, subject: number): number {
  const names = ({ names }: Evidence) => names[subject]!;
  return Math.max(names(text), names(path), 0.6 * names(heading), 0.5 * names(host), 0.3 * names(context));
}

/** Words and meanings. A name among words that mean something else, as in "nose job", counts less. */
export function weigh(
  { text, path, host, heading, context }: LinkEvidence,
  subject: number,
  { called, isKnown, isAlone }: Weighing,
): number {
  const link = Math.max(called, IN_PATH * path.names[subject]!);
  const anywhere = Math.max(link, IN_HEADING * heading.names[subject]!);
  const isItself = link >= IN_PATH - 0.01;
  const weight =
    NAMED.link * link +
    NAMED.anywhere * anywhere +
    (isItself ? NAMED.itself : 0) +
    NAMED.host * host.names[subject]! +
    NAMED.context * context.names[subject]! +
    MEANT.link * Math.max(text.themes[subject]!, path.themes[subject]!) +
    MEANT.host * host.themes[subject]! +
    MEANT.context * context.themes[subject]!;
  if (isItself && (isAlone || weight >= SURE)) return 1;
  return Math.min(MOST_WITHOUT, onScale(weight, isKnown ? KNOWN : UNKNOWN));
}

function onScale(weight: number, { nothing, something }: typeof KNOWN): number {
  if (weight <= nothing) return 0;
  if (weight <= something) return (SOMETHING * (weight - nothing)) / (something - nothing);
  return Math.min(1, SOMETHING + ((1 - SOMETHING) * (weight - something)) / (ALL - something));
}
