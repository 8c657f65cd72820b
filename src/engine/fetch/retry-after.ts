const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekday = "(?:mon|tue|wed|thu|fri|sat|sun)";
const clock = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";

/** RFC 9110 §5.6.7: one form to write, three to read. */
const dateFormats = [
  new RegExp(`^${weekday}, (?<day>\\d\\d) (?<month>[a-z]{3}) (?<year>\\d{4}) ${clock} GMT$`, "i"),
  new RegExp(`^${weekday}[a-z]{3,6}, (?<day>\\d\\d)-(?<month>[a-z]{3})-(?<year>\\d\\d) ${clock} GMT$`, "i"),
  new RegExp(`^${weekday} (?<month>[a-z]{3}) (?<day>[ \\d]\\d) ${clock} (?<year>\\d{4})$`, "i"),
];

/**
 * Milliseconds to wait (RFC 9110 §10.2.3): a past date gives 0, an invalid value undefined. Up to a day is obeyed; a longer wait is taken
 * for a mistake and becomes an hour, because it would stop everyone who crawls the host.
 */
export function parseRetryAfter(value: string, now: number): number | undefined {
  const wait = parseWait(value, now);
  return isTooLong(wait) ? HOUR : wait;
}

/** The remark on a wait that is not obeyed in full. */
export const longWaitNote = (value: string, now: number): string =>
  isTooLong(parseWait(value, now)) ? "; it asks to wait for more than a day, which is taken for an hour" : "";

const isTooLong = (wait: number | undefined): boolean => wait !== undefined && wait > DAY;

function parseWait(value: string, now: number): number | undefined {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = parseHttpDate(text, now);
  return at === undefined ? undefined : Math.max(at - now, 0);
}

function parseHttpDate(text: string, now: number): number | undefined {
  if (text.length > 40) return undefined;
  for (const format of dateFormats) {
    const parts = format.exec(text)?.groups;
    if (parts === undefined) continue;
    const month = months.indexOf(parts.month!.toLowerCase());
    const [day, hour, minute, second] = [Number(parts.day), Number(parts.hour), Number(parts.minute), Number(parts.second)];
    const at = Date.UTC(fullYear(parts.year!, now), month, day, hour, minute, second);
    const isValid = month >= 0 && hour < 24 && minute < 60 && second <= 60 && new Date(at - second * 1000).getUTCDate() === day;
    return isValid ? at : undefined;
  }
  return undefined;
}

/** Two digits that would be more than 50 years ahead mean the last past year that ended so (RFC 9110 §5.6.7). */
function fullYear(digits: string, now: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
