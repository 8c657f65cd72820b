/** When a page was read before, and now. */
export interface Moments {
  readonly before: number;
  readonly now: number;
}

const DAY = 86_400_000;

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const TIME = String.raw`(?:[T,]?\s*(?:at\s+|um\s+|à\s+)?\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[ap]\.?m\b\.?)?\s*(?:Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d)?)?`;
const MONTH = String.raw`(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
const DATES: readonly [RegExp, (found: readonly string[]) => number][] = [
  [new RegExp(String.raw`\b(\d{4})[-/.](\d\d)[-/.](\d\d)\b${TIME}`, "gi"), ([, y, m, d]) => Date.UTC(Number(y), Number(m) - 1, Number(d))],
  [new RegExp(String.raw`\b(\d\d?)[/.](\d\d?)[/.](\d{4})\b${TIME}`, "gi"), ([, d, m, y]) => Date.UTC(Number(y), Number(m) - 1, Number(d))],
  [
    new RegExp(String.raw`\b(\d\d?)(?:st|nd|rd|th|\.)?\s+(${MONTH}),?\s+(\d{4})\b${TIME}`, "gi"),
    ([, d, m, y]) => Date.UTC(Number(y), monthOf(m), Number(d)),
  ],
  [
    new RegExp(String.raw`\b(${MONTH})\s+(\d\d?)(?:st|nd|rd|th)?,?\s+(\d{4})\b${TIME}`, "gi"),
    ([, m, d, y]) => Date.UTC(Number(y), monthOf(m), Number(d)),
  ],
];
const monthOf = (name = "") => MONTHS.indexOf(name.slice(0, 3).toLowerCase());

/** Somewhere on earth it was that day. Where day and month could be either, both are tried. */
function isDayOf(day: number, at: number): boolean {
  const turned = new Date(day);
  const swapped = Date.UTC(turned.getUTCFullYear(), turned.getUTCDate() - 1, turned.getUTCMonth() + 1);
  return [day, swapped].some((each) => at > each - DAY && at < each + 2 * DAY);
}

const WEEKDAY = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+(?=\{today\})/gi;

function withoutToday(text: string, at: number): string {
  const masked = DATES.reduce(
    (masked, [pattern, dayOf]) =>
      masked.replace(pattern, (...found) => (isDayOf(dayOf(found as string[]), at) ? "{today}" : String(found[0]))),
    text,
  );
  return masked === text ? text : masked.replace(WEEKDAY, "");
}

const UNITS: Readonly<Record<string, number>> = {
  sec: 1000,
  min: 60_000,
  hour: 3_600_000,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};
const AGO = /\b(an?|\d+)\s+(sec|min|hour|day|week|month|year)[a-z]*\s+ago\b/gi;

const agesIn = (text: string) =>
  [...text.matchAll(AGO)].map(([, many = "", unit = ""]) => (/^\d/.test(many) ? Number(many) : 1) * (UNITS[unit.toLowerCase()] ?? 0));

/**
 * The two readings of a block without what only tells the time: the day it was read on, written out, and how long ago something was,
 * as long as that grows. Something that is younger than it was is news.
 */
export function withoutClock(before: string, now: string, at: Moments): [string, string] {
  let [was, is] = [withoutToday(before, at.before), withoutToday(now, at.now)];
  const count = (text: string) => text.split("{today}").length;
  if (count(was) !== count(is)) [was, is] = [before, now];
  const [old, young] = [agesIn(was), agesIn(is)];
  const isOlder = old.length === young.length && old.every((age, place) => young[place]! >= age);
  return isOlder && old.length > 0 ? [was.replace(AGO, "{ago}"), is.replace(AGO, "{ago}")] : [was, is];
}
