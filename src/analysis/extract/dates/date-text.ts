/** Parses dates as people and machines write them. Input is untrusted, so all lengths are limited and each text is scanned once. */
import { monthOf } from "./month-names.ts";

export interface DateHints {
  /** The page's language, in two letters, or empty. */
  readonly lang: string;
  /** Whether 5/6/2019 is in May rather than in June. */
  readonly isMonthFirst: boolean;
}

export interface ReadDate {
  /** `2019-05-13`. */
  readonly day: string;
  /** The day alone, or the date and time if the text gives a time and its zone. */
  readonly iso: string;
  /** The day if day and month are exchanged. */
  readonly swapped?: string;
}

export interface DateInText extends ReadDate {
  readonly start: number;
  readonly end: number;
}

const MAX_LENGTH = 80;
const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)? ?(Z|[+-]\d{2}:?\d{2}|GMT|UTC)?)?/i;
const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?)?(?!\d)/i;
const timeWithZone = /^[\s,]{0,3}(\d{1,2}):(\d{2})(?::(\d{2}))? ?(Z|[+-]\d{2}:?\d{2}|GMT|UTC)(?![\w])/;

/** Reads a value that is meant to be a date: of a meta element, an attribute or a property. */
export function readDate(value: string, hints: DateHints): ReadDate | undefined {
  const text = value.trim().slice(0, MAX_LENGTH);
  const parts = iso.exec(text) ?? compact.exec(text);
  if (parts) return dateFromParts(parts);
  if (/^\d{10}(?:\d{3})?$/.test(text)) return dateFromEpoch(text);
  const found = datesIn(text, hints)[0];
  const time = found && timeWithZone.exec(text.slice(found.end));
  return time ? { day: found.day, iso: dateTimeOf(found.day, time[1]!, time[2]!, time[3], time[4]!) } : found;
}

function dateFromParts([, year, month, date, hour, minute, second, zone]: RegExpExecArray): ReadDate | undefined {
  const day = dayOf(Number(year), Number(month), Number(date));
  if (day === undefined) return undefined;
  return { day, iso: hour === undefined || zone === undefined ? day : dateTimeOf(day, hour, minute!, second, zone) };
}

function dateFromEpoch(digits: string): ReadDate {
  const at = new Date(Number(digits.padEnd(13, "0")));
  return { day: at.toISOString().slice(0, 10), iso: `${at.toISOString().slice(0, 19)}Z` };
}

function dateTimeOf(day: string, hour: string, minute: string, second: string | undefined, zone: string): string {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second ?? 0) > 59) return day;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : "Z";
  return `${day}T${hour.padStart(2, "0")}:${minute}:${second ?? "00"}${offset}`;
}

/** Undefined if the calendar has no such day. */
export function dayOf(year: number, month: number, date: number): string | undefined {
  if (month < 1 || month > 12 || date < 1 || date > 31 || year < 1000 || year > 9999) return undefined;
  const at = new Date(Date.UTC(year, month - 1, date));
  return at.getUTCDate() === date ? at.toISOString().slice(0, 10) : undefined;
}

const anyYear = /(?:19|20)\d{2}|\d[./]\d/;
const years = /(?<!\d)(?:19|20)\d{2}(?!\d|,\d{3})/g;
const shortYears = /(?<![\d./:-])(\d{1,2})([./])(\d{1,2})\2(\d{2})(?![\d:%]|[./]\d)/g;
const wordBefore =
  /(?<!\d|\d[.,])(\d{1,2})(?:st|nd|rd|th|er|ος|-?го|[.ºª°])?[\s\u00a0-]{0,2}(?:(?:de|di|of|d['’]|tháng|da) ?)?([\p{L}\p{M}]{3,14}|\d{1,2})[.,/-]?[\s,-]{0,3}(?:(?:de|del|do|of|năm) )?['’]?$/iu;
const wordFirst = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{3,14})[.,]?[\s-]{0,2}(\d{1,2})(?:st|nd|rd|th|[.º])?[\s,-]{1,3}(?:(?:de|del|of) )?$/iu;
const numbersBefore = /(?<![\d.,])(\d{1,2}) ?([./-]) ?(\d{1,2}) ?\2 ?$/;
const numbersAfter = /^(?: ?[-/.] ?|[年년][\s]?)(\d{1,2})(?: ?[-/.] ?|[月월][\s]?)(\d{1,2})(?!\d)/;
const wordAfter = /^[.,]?[\s-]{0,2}(?:m\. ?|gada )?([\p{L}\p{M}]{3,14})[.,]?[\s-]{0,2}(\d{1,2})(?!\d)/u;

/** The dates in a line of text with their positions. Most lines have no year and cost one regular expression test. */
export function datesIn(text: string, hints: DateHints): DateInText[] {
  const found: DateInText[] = [];
  if (!anyYear.test(text)) return found;
  // `exec`, because matchAll would compile the expression again for every text, and most texts have no match.
  for (let match = firstOf(years, text); match; match = years.exec(text)) {
    const date = dateAroundYear(text, match.index, Number(match[0]), hints);
    if (date && !(found.at(-1) && found.at(-1)!.end > date.start)) found.push(date);
  }
  for (let match = firstOf(shortYears, text); match; match = shortYears.exec(text)) {
    const [whole, first, , second, year] = match;
    const [from, to] = [match.index, match.index + whole.length];
    const date = dateInNumbers(2000 + Number(year), Number(first), Number(second), hints);
    const isTaken = found.some(({ start, end }) => from < end && to > start);
    if (date && !isTaken) found.push({ ...date, start: from, end: to });
  }
  return found;
}

function firstOf(global: RegExp, text: string): RegExpExecArray | null {
  global.lastIndex = 0;
  return global.exec(text);
}

function dateAroundYear(text: string, at: number, year: number, hints: DateHints): DateInText | undefined {
  const before = text.slice(Math.max(0, at - 30), at);
  const after = text.slice(at + 4, at + 30);
  const endOfYear = at + 4;
  const numbers = numbersBefore.exec(before);
  if (numbers) {
    const date = dateInNumbers(year, Number(numbers[1]), Number(numbers[3]), hints);
    if (date) return { ...date, start: at - numbers[0].length, end: endOfYear };
  }
  const dateWithMonthName = dateInWords(before, year, hints.lang);
  if (dateWithMonthName)
    return { day: dateWithMonthName.day, iso: dateWithMonthName.day, start: at - dateWithMonthName.length, end: endOfYear };
  const next = numbersAfter.exec(after);
  const day = next ? dayOf(year, Number(next[1]), Number(next[2])) : dayAfterYear(after, year, hints.lang);
  const length = (next ?? wordAfter.exec(after))?.[0].length ?? 0;
  return day === undefined ? undefined : { day, iso: day, start: at, end: endOfYear + length };
}

/** `13 May`, `13. Mai`, `May 13th,`, `13 de mayo de`. */
function dateInWords(before: string, year: number, lang: string): { readonly day: string; readonly length: number } | undefined {
  const dayFirst = wordBefore.exec(before);
  const named = dayFirst && (/^\d/.test(dayFirst[2]!) ? numberedMonth(dayFirst) : monthOf(dayFirst[2]!, lang));
  const day = named ? dayOf(year, named, Number(dayFirst![1])) : undefined;
  if (day) return { day, length: dayFirst![0].length };
  const monthFirst = wordFirst.exec(before);
  const month = monthFirst ? monthOf(monthFirst[1]!, lang) : undefined;
  const other = month ? dayOf(year, month, Number(monthFirst![2])) : undefined;
  return other ? { day: other, length: monthFirst![0].length } : undefined;
}

/** Vietnamese numbers its months: `13 tháng 5`. */
const numberedMonth = (match: RegExpExecArray) => (/tháng/i.test(match[0]) ? Number(match[2]) : undefined);

function dayAfterYear(after: string, year: number, lang: string): string | undefined {
  const match = wordAfter.exec(after);
  const month = match ? monthOf(match[1]!, lang) : undefined;
  return month ? dayOf(year, month, Number(match![2])) : undefined;
}

/** Two numbers and a year: which one is the month depends on the locale, unless one is above twelve. */
function dateInNumbers(year: number, first: number, second: number, { isMonthFirst }: DateHints): ReadDate | undefined {
  const monthFirst = dayOf(year, first, second);
  const dayFirst = dayOf(year, second, first);
  const day = (isMonthFirst ? monthFirst : dayFirst) ?? dayFirst ?? monthFirst;
  const swapped = day === monthFirst ? dayFirst : monthFirst;
  return day === undefined ? undefined : { day, iso: day, ...(swapped !== undefined && swapped !== day && { swapped }) };
}

/** Whether numeric dates are written month first on this page: by numbers above twelve on the page, else by language and country. */
export function isMonthFirst(texts: Iterable<string>, lang: string, host: string): boolean {
  let balance = 0;
  for (const text of texts) {
    for (const [, first, second] of text.matchAll(/(?<![\d./])(\d{1,2})\/(\d{1,2})\/(?:19|20)?\d{2}(?!\d)/g)) {
      if (Number(first) > 12 && Number(second) <= 12) balance -= 1;
      if (Number(second) > 12 && Number(first) <= 12) balance += 1;
    }
  }
  if (balance !== 0) return balance > 0;
  if (/\.(?:us|gov|edu|mil)$/.test(host)) return true;
  const isOtherCountry = /\.[a-z]{2}$/.test(host) && !/\.(?:tv|io|co|me|ai|ly|fm)$/.test(host);
  return /^en\b(?!-(?!us))/i.test(lang) && !isOtherCountry;
}
