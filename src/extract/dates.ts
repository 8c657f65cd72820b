import type { MetaField } from "../records.ts";
import { type DateEvidence, dateEvidence } from "./date-clues.ts";
import { weights } from "./learned/published-at.ts";
import { pageSigns } from "./page-signs.ts";
import type { PageView } from "./page-view.ts";
import { monthInUrl } from "./url-dates.ts";
import { type Clue, choose, chooseInOrder, type Weights } from "./weigh.ts";

export interface PageDates {
  readonly publishedAt: MetaField<string>;
  readonly modifiedAt: MetaField<string>;
}

/** S2's order. */
const classic = ["article:published_time", "itemprop:datePublished", "meta:date", "meta:publish-date", "time[datetime]", "time[pubdate]"];
const OLDEST = "1990-01-01";
const DAY = 86_400_000;

export function datesOf(page: PageView, cascade: "weighed" | "classic"): PageDates {
  const evidence = dateEvidence(page);
  const clues = publishedFrom(page, evidence);
  const publishedAt = cascade === "classic" ? chooseInOrder(clues, classic) : choose(clues, weights);
  return { publishedAt, modifiedAt: choose(modifiedFrom(page, evidence, publishedAt.value), byHand) };
}

export const publishedClues = (page: PageView): Clue<string>[] => publishedFrom(page, dateEvidence(page));

function publishedFrom(page: PageView, evidence: readonly DateEvidence[]): Clue<string>[] {
  const days = new Map<string, Set<string>>();
  const usable = evidence.filter((each) => problemOf(each, page.now) === undefined);
  for (const { read, kind } of usable) {
    const kinds = days.get(read!.day) ?? new Set();
    kinds.add(kind);
    days.set(read!.day, kinds);
  }
  const onPage = signsOfPage(page, days);
  const signs = new Map([...days].map(([day, kinds]) => [day, { ...onPage, ...signsOfDay(day, kinds, days, page.url) }]));
  return evidence.map((each) => {
    const rejected = problemOf(each, page.now);
    const value = each.read?.iso ?? each.raw;
    return {
      source: each.source,
      value,
      signs: (each.read && signs.get(each.read.day)) ?? {},
      ...(rejected !== undefined && { rejected }),
    };
  });
}

function problemOf({ read, kind }: DateEvidence, now: number): string | undefined {
  if (read === undefined) return "not a date";
  if (read.day < OLDEST) return "before 1990";
  if (Date.parse(read.day) > now + DAY) return "later than today";
  return kind === "text:copyright" ? "a copyright notice" : undefined;
}

function signsOfDay(day: string, kinds: ReadonlySet<string>, days: ReadonlyMap<string, ReadonlySet<string>>, url: string) {
  const signs: Record<string, number> = {};
  for (const kind of kinds) signs[`by ${kind}`] = 1;
  const at = Date.parse(day);
  const others = [...days.keys()].filter((other) => other !== day);
  if (others.some((other) => Math.abs(Date.parse(other) - at) === DAY)) signs.neighbour = 1;
  if (!others.some((other) => other < day)) signs.oldest = 1;
  if (!others.some((other) => other > day)) signs.newest = 1;
  const isNear = (some: ReadonlySet<string>) =>
    [...some].some((kind) => /^(?:text|time|itemprop).*:near/.test(kind) && !kind.includes("prose"));
  if (isNear(kinds) && !others.some((other) => isNear(days.get(other)!))) signs["alone near"] = 1;
  if (!isNear(kinds) && others.some((other) => isNear(days.get(other)!))) signs["another near"] = 1;
  if (kinds.size > 0 && [...kinds].every((kind) => kind.includes("changed"))) signs["change only"] = 1;
  signs.agreement = Math.min(1, (kinds.size - 1) / 4);
  if (monthInUrl(url) === day.slice(0, 7)) signs["month in url"] = 1;
  return signs;
}

function signsOfPage(page: PageView, days: ReadonlyMap<string, ReadonlySet<string>>): Record<string, number> {
  return {
    ...pageSigns(page),
    "page: days": Math.min(1, Math.log2(1 + days.size) / 5),
    "page: one day": days.size === 1 ? 1 : 0,
  };
}

/** No pages with known days of change are at hand to learn from; these say which sources are meant for them. */
const byHand: Weights = {
  weights: { bias: 0, "a name": 2, "the page's words": 1, "before it appeared": -3, latest: 0.5 },
  least: 0.3,
};

function modifiedFrom(page: PageView, evidence: readonly DateEvidence[], publishedAt: string | null): Clue<string>[] {
  const changes = evidence.filter(({ isChange }) => isChange);
  const days = changes.filter((each) => problemOf(each, page.now) === undefined).map(({ read }) => read!.day);
  const latest = days.reduce((a, b) => (a > b ? a : b), "");
  return changes.map((each) => {
    const rejected = problemOf(each, page.now);
    const day = each.read?.day ?? "";
    const signs: Record<string, number> = { [/^(?:text|time)/.test(each.source) ? "the page's words" : "a name"]: 1 };
    if (publishedAt !== null && day < publishedAt.slice(0, 10)) signs["before it appeared"] = 1;
    if (day === latest) signs.latest = 1;
    return { source: each.source, value: each.read?.iso ?? each.raw, signs, ...(rejected !== undefined && { rejected }) };
  });
}
