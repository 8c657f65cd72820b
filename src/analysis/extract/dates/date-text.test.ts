import { describe, expect, test } from "vitest";
import { datesIn, isMonthFirst, readDate } from "./date-text.ts";
import { dateInUrl, monthInUrl } from "./url-dates.ts";

const british = { lang: "en", isMonthFirst: false };
const american = { lang: "en", isMonthFirst: true };

describe("a date in a line of text", () => {
  test.each([
    ["English", "Published on 13 May 2019 by Ann", "2019-05-13"],
    ["English with an ordinal", "May 13th, 2019", "2019-05-13"],
    ["English, day and of", "the 3rd of March 2020", "2020-03-03"],
    ["English, short", "Sept. 4, 2018", "2018-09-04"],
    ["German", "Montag, 13. März 2019, 10:15 Uhr", "2019-03-13"],
    ["German, short", "13. Dez. 2019", "2019-12-13"],
    ["French", "Publié le 1er août 2019 à 10h", "2019-08-01"],
    ["Spanish", "13 de mayo de 2019", "2019-05-13"],
    ["Portuguese", "13 de março de 2019", "2019-03-13"],
    ["Italian", "13 maggio 2019", "2019-05-13"],
    ["Dutch", "13 maart 2019", "2019-03-13"],
    ["Swedish", "13 maj 2019", "2019-05-13"],
    ["Finnish", "13. toukokuuta 2019", "2019-05-13"],
    ["Polish", "13 października 2019", "2019-10-13"],
    ["Czech", "13. května 2019", "2019-05-13"],
    ["Polish, of a month that is another in Croatian", "13. listopada 2019", "2019-11-13"],
    ["Hungarian", "2019. május 13.", "2019-05-13"],
    ["Turkish", "13 Mayıs 2019", "2019-05-13"],
    ["Turkish with a dotless letter", "13 Şubat 2019", "2019-02-13"],
    ["Indonesian", "13 Agustus 2019", "2019-08-13"],
    ["Russian", "13 мая 2019 г.", "2019-05-13"],
    ["Ukrainian", "13 травня 2019", "2019-05-13"],
    ["Greek", "13 Μαΐου 2019", "2019-05-13"],
    ["Arabic", "13 أبريل 2019", "2019-04-13"],
    ["Hindi", "13 जून 2019", "2019-06-13"],
    ["Vietnamese", "13 tháng 5, 2019", "2019-05-13"],
    ["Chinese", "发布于2019年5月13日", "2019-05-13"],
    ["Korean", "2019년 5월 13일", "2019-05-13"],
    ["dots", "13.05.2019", "2019-05-13"],
    ["dots and spaces", "13. 5. 2019", "2019-05-13"],
    ["a short year", "13.05.19", "2019-05-13"],
    ["year first", "2019/05/13 10:15", "2019-05-13"],
    ["slashes, the day first", "5/6/2019", "2019-06-05"],
    ["slashes, the month above twelve cannot be", "5/16/2019", "2019-05-16"],
  ])("%s", (_, text, day) => {
    expect(datesIn(text, british).map((date) => date.day)).toEqual([day]);
  });

  test.each([
    ["a year alone", "in 2019 it rained"],
    ["a month alone", "May 2019"],
    ["a day that does not exist", "31 February 2019"],
    ["a version", "version 2019.1.2019"],
    ["a price", "1.299.2019,50"],
    ["a telephone number", "030 2019 4455"],
    ["a word that is no month", "13 horses 2019"],
  ])("not: %s", (_, text) => {
    expect(datesIn(text, british)).toEqual([]);
  });

  test("two dates are two", () => {
    const text = "Published May 13, 2019. Updated May 14, 2019";
    expect(datesIn(text, american).map(({ day, start }) => [day, text.slice(start, start + 3)])).toEqual([
      ["2019-05-13", "May"],
      ["2019-05-14", "May"],
    ]);
  });
});

test.each([
  ["a day", "2019-05-13", "2019-05-13"],
  ["a moment with its zone", "2019-05-13T10:15:30.123+02:00", "2019-05-13T10:15:30+02:00"],
  ["a zone without a colon", "2019-05-13T10:15:30+0200", "2019-05-13T10:15:30+02:00"],
  ["a moment without a zone is a day", "2019-05-13 10:15:30", "2019-05-13"],
  ["compact", "20190513T101530Z", "2019-05-13T10:15:30Z"],
  ["seconds since 1970", "1557742530", "2019-05-13T10:15:30Z"],
  ["milliseconds since 1970", "1557742530000", "2019-05-13T10:15:30Z"],
  ["as mail has it", "Mon, 13 May 2019 10:15:30 GMT", "2019-05-13T10:15:30Z"],
  ["in words", "13. Mai 2019", "2019-05-13"],
])("a value meant to be a date: %s", (_, value, iso) => {
  expect(readDate(value, british)?.iso).toBe(iso);
});

test.each([
  ["an American page", [], "en-US", "a.example.com", true],
  ["English without a country", [], "en", "a.example.com", true],
  ["a British page", [], "en-GB", "a.example.com", false],
  ["a page of a British host", [], "en", "a.example.co.uk", false],
  ["a German page", [], "de", "a.example.com", false],
  ["a day above twelve goes before", ["25/12/2019"], "en-US", "a.example.com", false],
] as const)("is the month first? %s", (_, texts, lang, host, expected) => {
  expect(isMonthFirst(texts, lang, host)).toBe(expected);
});

test.each([
  ["slashes", "https://a.example/2019/05/13/rain", "2019-05-13"],
  ["single digits", "https://a.example/news/2019/5/3/rain", "2019-05-03"],
  ["dashes", "https://a.example/2019-05-13-rain.html", "2019-05-13"],
  ["digits", "https://a.example/rain-20190513.html", "2019-05-13"],
  ["a number that is no date", "https://a.example/rain-20199913.html", undefined],
  ["the host does not count", "https://2019-05-13.example/rain", undefined],
])("a date in an address: %s", (_, url, day) => {
  expect(dateInUrl(url)?.day).toBe(day);
});

test("a month in an address", () => {
  expect(monthInUrl("https://a.example/2019/05/rain")).toBe("2019-05");
});
