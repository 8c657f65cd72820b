import { expect, test } from "vitest";
import { parseRetryAfter } from "./retry-after.ts";

const now = Date.UTC(2026, 4, 10, 8, 0, 0);

test.each([
  ["seconds", "90", 90_000],
  ["no wait", "0", 0],
  ["blanks around are ignored", " 7 ", 7_000],
  ["a day is obeyed", "86400", 86_400_000],
  ["more than a day is an hour", "86401", 3_600_000],
  ["thousands of years are an hour", "99999999999", 3_600_000],
  ["a number too large for a number is an hour", "9".repeat(400), 3_600_000],
  ["the preferred date", "Sun, 10 May 2026 08:00:30 GMT", 30_000],
  ["the preferred date, any case", "sun, 10 may 2026 08:00:30 gmt", 30_000],
  ["RFC 850", "Sunday, 10-May-26 08:02:00 GMT", 120_000],
  ["RFC 850 with two digits of the last century", "Sunday, 06-Nov-94 08:49:37 GMT", 0],
  ["asctime", "Sun May 10 08:00:05 2026", 5_000],
  ["asctime pads the day with a blank", "Mon Jun  1 08:00:00 2026", 3_600_000],
  ["a moment gone by", "Sat, 09 May 2026 08:00:00 GMT", 0],
  ["a leap second", "Sun, 10 May 2026 08:00:60 GMT", 60_000],
  ["words", "later", undefined],
  ["nothing", "", undefined],
  ["a negative number", "-1", undefined],
  ["a fraction", "1.5", undefined],
  ["a number in hexadecimal", "0x10", undefined],
  ["a day that does not exist", "Mon, 31 Feb 2026 08:00:00 GMT", undefined],
  ["a month that does not exist", "Mon, 10 Foo 2026 08:00:00 GMT", undefined],
  ["an hour that does not exist", "Mon, 10 May 2026 24:00:00 GMT", undefined],
  ["an ISO date is not an HTTP date", "2026-05-10T08:01:00Z", undefined],
  ["another zone", "Sun, 10 May 2026 08:00:30 CET", undefined],
  ["two values", "10, 20", undefined],
  ["a very long line", `Sun, ${" ".repeat(100_000)}10`, undefined],
] as [string, string, number | undefined][])("%s", (_, value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected);
});
