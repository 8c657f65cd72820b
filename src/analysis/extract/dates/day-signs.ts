/** Signs for and against each day that a page names. */
import { pageSigns } from "../page-signs.ts";
import type { PageView } from "../page-view.ts";
import { monthInUrl } from "./url-dates.ts";

const DAY = 86_400_000;
const shown = /^(?:text|time)/;
const named = /^(?:article|meta|ld|microdata|script)/;
/** Traits that a day may have alone, share with other days, or lack. */
const traits: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["near", /^(?:text|time)(?!:prose).*:near/],
  ["named as published", /^(?:article|meta|ld:article|ld:page|microdata:article|script):(?:published|created)$/],
  ["shown", shown],
];

/** `days` maps each day to its kinds of evidence. */
export function signsOfDays(page: PageView, days: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Record<string, number>> {
  if (days.size === 0) return new Map();
  const onPage = {
    ...pageSigns(page),
    "page: days": Math.min(1, Math.log2(1 + days.size) / 5),
    "page: one day": days.size === 1 ? 1 : 0,
  };
  const all = [...days.keys()].sort();
  const traitDays = traits.map(([name, pattern]) => {
    const daysWithTrait = new Set(all.filter((day) => hasMatch(days.get(day)!, pattern)));
    return { name, those: daysWithTrait };
  });
  const month = monthInUrl(page.url);
  return new Map(
    [...days].map(([day, kinds]) => {
      const signs: Record<string, number> = { ...onPage, agreement: Math.min(1, (kinds.size - 1) / 4) };
      for (const kind of kinds) signs[`by ${kind}`] = 1;
      // One combined sign for all three traits: a declared but invisible day is worth much if no other day is near the
      // headline, and little if one is.
      signs[traitDays.map(({ name, those: daysWithTrait }) => stateOf(name, day, daysWithTrait)).join(", ")] = 1;
      if (hasMatch(kinds, shown) && hasMatch(kinds, named)) signs["shown and named"] = 1;
      if ([...kinds].every((kind) => kind.includes("changed"))) signs["change only"] = 1;
      if (days.size > 1 && (days.has(dayAfter(day, -1)) || days.has(dayAfter(day, 1)))) signs.neighbour = 1;
      if (day === all[0]) signs.oldest = 1;
      if (day === all.at(-1)) signs.newest = 1;
      if (month === day.slice(0, 7)) signs["month in url"] = 1;
      return [day, signs];
    }),
  );
}

function stateOf(name: string, day: string, daysWithTrait: ReadonlySet<string>): string {
  if (daysWithTrait.has(day)) return daysWithTrait.size > 1 ? `${name} like others` : name;
  return daysWithTrait.size > 0 ? `another ${name}` : `none ${name}`;
}

const hasMatch = (kinds: ReadonlySet<string>, pattern: RegExp) => [...kinds].some((kind) => pattern.test(kind));

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
