const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const NAMED_MONTH = /(?<![a-z])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?![a-z])/;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
/** Year, month or week, and day: written together, or with one or two separators. */
const COMPACT_DATE = /(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)?(?!\d)/;
const SEPARATED_DATE = /(?<!\d)((?:19|20)\d\d)(?:\D{1,2}(\d{1,2})(?!\d))?(?:\D(\d{1,2})(?!\d))?/;
const SECONDS = /(?<!\d)([12]\d{9})(?:\d{3})?(?!\d)/;
const NUMBER = /-?\d{1,15}/;

const WEEK = /week|woche|semaine|w(?=[0-5]?\d(?!\d))/;

/** An approximate number of days, only for ordering. */
const dayNumberOf = (year: number, month: number, day: number, isWeek = false) => year * 372 + month * (isWeek ? 7 : 31) + day;

/** The position of a dated URL among those of its template: larger is later. Undefined if it cannot be told. */
export function datePositionOf(pathAndQuery: string): number | undefined {
  const text = pathAndQuery.toLowerCase();
  const seconds = SECONDS.exec(text)?.[1];
  if (seconds) return Number(seconds);
  const [year, month, day] = [/[?&]y\w*=(\d{4})/, /[?&][mw]\w*=(\d{1,2})(?!\d)/, /[?&]d\w*=(\d{1,2})(?!\d)/].map((part) =>
    Number(part.exec(text)?.[1] ?? 0),
  ) as [number, number, number];
  if (year > 0 && month > 0) return dayNumberOf(year, month, day, WEEK.test(text));
  const [, compactYear, compactMonth, compactDay] = COMPACT_DATE.exec(text) ?? [];
  if (compactYear) return dayNumberOf(Number(compactYear), Number(compactMonth), Number(compactDay ?? 0));
  const name = NAMED_MONTH.exec(text)?.[1];
  const namedYear = YEAR.exec(text)?.[0];
  if (name && namedYear) return dayNumberOf(Number(namedYear), MONTHS.indexOf(name) + 1, 0);
  const [, splitYear, splitMonth, splitDay] = SEPARATED_DATE.exec(text) ?? [];
  if (splitYear) return dayNumberOf(Number(splitYear), Number(splitMonth ?? 0), Number(splitDay ?? 0), WEEK.test(text));
  const number = NUMBER.exec(text.slice(text.indexOf("?") + 1))?.[0];
  return number === undefined ? undefined : Number(number);
}
