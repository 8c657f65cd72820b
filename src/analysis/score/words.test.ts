import { expect, test } from "vitest";
import { urlWords } from "./url-words.ts";
import { isSame, variationOf } from "./variation.ts";
import { wordsOf } from "./words.ts";

test.each([
  ["words have no case", "City BUDGET", "city budget"],
  ["nor accents", "Orçamento, Élection & Straße", "orcamento election strasse"],
  ["wide letters are letters", "ＦＡＱ", "faq"],
  ["signs of print are between words", "Voters’ guide – “new”…", "voters guide new"],
  ["numbers are words", "FY2025 9-1-1", "fy2025 9 1 1"],
  ["where no spaces are written each character stands alone", "市の予算PDF", "市 の 予 算 pdf"],
  ["Korean has spaces and keeps them", "채용 정보", "채용 정보"],
  ["nothing has no words", " – ", ""],
])("%s", (_, text, words) => {
  expect(wordsOf(text).join(" ")).toBe(words);
});

test.each([
  ["the path is read, and how it is served is not", "https://www.a.test/City-Hall/jobs.aspx", "a test", "city hall jobs"],
  ["names in camel case come apart", "https://a.test/AgendaCenter/ViewFile", "a test", "agenda center view file"],
  ["escapes are read", "https://a.test/f%C3%B6rdermittel", "a test", "fordermittel"],
  ["broken ones stay as they are", "https://a.test/100%-free", "a test", "100 free"],
  [
    "what is shared or counted is another page's",
    "https://a.test/share?u=https%3A%2F%2Fb.test%2Fbudget&utm_source=budget",
    "a test",
    "share",
  ],
  ["a thing that is no address is read all the same", "tel:5551234", "tel 5551234", ""],
])("%s", (_, url, host, path) => {
  const words = urlWords(url);
  expect([wordsOf(words.host).join(" "), wordsOf(words.path).join(" ")]).toEqual([host, path]);
});

test.each([
  ["permits", "permit", true],
  ["permit", "permits", true],
  ["taxes", "tax", true],
  ["agencies", "agency", true],
  ["news", "new", false],
  ["permission", "permit", false],
  ["as", "a", false],
])("%s and %s are the same: %s", (word, keyword, is) => {
  expect(isSame(word, keyword)).toBe(is);
});

test.each([
  ["budgeting", "budget"],
  ["permitting", "permit"],
  ["elected", "election"],
  ["licensing", "license"],
  ["privacidad", "privacy"],
  ["contacto", "contact"],
  ["climatique", "climate"],
])("%s is a form of %s", (word, keyword) => {
  expect(variationOf(word, keyword)).toBeGreaterThan(0.5);
  expect(variationOf(word, keyword)).toBeLessThan(1);
});

test.each([
  ["contract", "contact"],
  ["planet", "plan"],
  ["priest", "price"],
  ["electricity", "election"],
])("%s is no form of %s", (word, keyword) => {
  expect(variationOf(word, keyword)).toBe(0);
});
