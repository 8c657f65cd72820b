import type { MetaField } from "../../../core/records.ts";
import { weights } from "../learned/published-at.ts";
import { pageSigns } from "../page-signs.ts";
import { type PageView, trustFor } from "../page-view.ts";
import { type Clue, choose, chooseInOrder, chooseOrFirst, type Weights } from "../weigh.ts";
import { type DateEvidence, dateEvidence } from "./date-clues.ts";
import { signsOfDays } from "./day-signs.ts";

export interface PageDates {
  readonly publishedAt: MetaField<string>;
  readonly modifiedAt: MetaField<string>;
}

/** The order of `--cascade classic` (docs/metadata.md). */
const classic = ["article:published_time", "itemprop:datePublished", "meta:date", "meta:publish-date", "time[datetime]", "time[pubdate]"];
/** Order of the fallback where no weighed candidate passes: sources that explicitly name a publication date come first. */
const fallbackOrder = [
  "article:published_time",
  "itemprop:datePublished",
  "meta:publish-date",
  "time[pubdate]",
  "meta:date",
  "time[datetime]",
];
/** A page with more different days than this is probably a list of other pages. */
const MAX_DAYS = 4;
const OLDEST = "1990-01-01";
const DAY = 86_400_000;

export function datesOf(page: PageView, cascade: "weighed" | "classic"): PageDates {
  const evidence = dateEvidence(page);
  const clues = publishedFrom(page, evidence);
  const publishedAt =
    cascade === "classic"
      ? chooseInOrder(clues, classic)
      : chooseOrFirst(clues, weights, trustFor(page, "publishedAt"), fallbackOrder, ({ source }) => isPlausible(source, clues));
  return { publishedAt, modifiedAt: choose(modifiedFrom(page, evidence, publishedAt.value), manualWeights) };
}

function isPlausible(source: string, clues: readonly Clue<string>[]): boolean {
  if (source !== "time[datetime]") return true;
  return new Set(clues.flatMap(({ value, rejected }) => (rejected === undefined ? [value.slice(0, 10)] : []))).size <= MAX_DAYS;
}

export const publishedClues = (page: PageView): Clue<string>[] => publishedFrom(page, dateEvidence(page));

function publishedFrom(page: PageView, evidence: readonly DateEvidence[]): Clue<string>[] {
  const days = new Map<string, Set<string>>();
  const readerDays = daysOfReaders(page, evidence);
  const latest = latestDay(page.now);
  const publicationDays = new Set(
    evidence.flatMap(({ read, isChange, source }) => (read && !(isChange && source === "text") ? [read.day] : [])),
  );
  const problems = evidence.map((each) => {
    const problem = problemOf(each, latest);
    if (problem !== undefined) return problem;
    if (readerDays.has(each.read!.day)) return "a reader's, of something for sale";
    return publicationDays.has(each.read!.day) ? undefined : "the day of a change";
  });
  for (const [at, each] of evidence.entries()) {
    if (problems[at] !== undefined) continue;
    const kinds = days.get(each.read!.day) ?? new Set();
    kinds.add(each.kind);
    days.set(each.read!.day, kinds);
  }
  const signs = signsOfDays(page, days);
  return evidence.map((each, at) => {
    const rejected = problems[at];
    const value = each.read?.iso ?? each.raw;
    return {
      source: each.source,
      value,
      signs: (each.read && signs.get(each.read.day)) ?? {},
      ...(rejected !== undefined && { rejected }),
    };
  });
}

/** Dates of reviews on a product page say nothing about the page. On other pages, such as forums, reader comments may be the only dates. */
function daysOfReaders(page: PageView, evidence: readonly DateEvidence[]): ReadonlySet<string> {
  const signs = pageSigns(page);
  const isArticle = signs["page: article"] === 1 || signs["page: article item"] === 1;
  if (signs["page: product"] !== 1 || isArticle) return new Set();
  return new Set(evidence.flatMap(({ kind, read }) => (read && /:comment(?:$|:)/.test(kind) ? [read.day] : [])));
}

/** Tomorrow in UTC, because in some time zones it is already the next day. */
const latestDay = (now: number) => new Date(now + DAY).toISOString().slice(0, 10);
/** Declared dates may be later in the current year: pages are dated ahead. */
const declaredKind = /^(?:article|meta|ld|microdata|rdfa|time)/;

function problemOf({ read, kind }: DateEvidence, latest: string): string | undefined {
  if (read === undefined) return "not a date";
  if (read.day < OLDEST) return "before 1990";
  if (read.day > (declaredKind.test(kind) ? `${latest.slice(0, 4)}-12-31` : latest)) return "later than today";
  return kind === "text:copyright" ? "a copyright notice" : undefined;
}

/** Set by hand: there are no pages with known modification dates to learn from. */
const manualWeights: Weights = {
  weights: { bias: 0, "a name": 2, "the page's words": 1, latest: 0.5 },
  least: 0,
};

function modifiedFrom(page: PageView, evidence: readonly DateEvidence[], publishedAt: string | null): Clue<string>[] {
  const changes = evidence.filter(({ isChange }) => isChange);
  if (changes.length === 0) return [];
  const lastDay = latestDay(page.now);
  const days = changes.filter((each) => problemOf(each, lastDay) === undefined).map(({ read }) => read!.day);
  const latest = days.reduce((a, b) => (a > b ? a : b), "");
  return changes.map((each) => {
    const day = each.read?.day ?? "";
    const isEarly = publishedAt !== null && day < publishedAt.slice(0, 10);
    const rejected = problemOf(each, lastDay) ?? (isEarly ? "before it appeared" : undefined);
    const signs: Record<string, number> = { [/^(?:text|time)/.test(each.source) ? "the page's words" : "a name"]: 1 };
    if (day === latest) signs.latest = 1;
    return { source: each.source, value: each.read?.iso ?? each.raw, signs, ...(rejected !== undefined && { rejected }) };
  });
}
