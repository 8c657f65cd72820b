import { expect, test } from "vitest";
import { openGlossary } from "./glossary.ts";
import { plainPathStart, urlWords } from "./url-words.ts";
import { WordTable } from "./word-table.ts";
import { wordsOf } from "./words.ts";

test("a word is found whatever others were met: more than there is room for are forgotten, not mixed up", () => {
  const table = new WordTable((word) => ({ word, length: word.length }));
  for (let round = 0; round < 2; round++)
    for (let at = 0; at < 80_000; at++) {
      const word = `w${at.toString(36)}`;
      if (table.of(word).word !== word) expect.unreachable(word);
    }
});

test("what is known of a word is made once", () => {
  let made = 0;
  const table = new WordTable((word) => ({ word, made: ++made }));
  expect([table.of("budget").made, table.of("agenda").made, table.of("budget").made]).toEqual([1, 2, 1]);
});

test.each([
  ["a plain path", "http://a.test/council/agenda-2024.html"],
  ["words that only serve", "https://www.a.test:8080/index.php/annual/index/report/default.aspx"],
  ["words that begin like those", "https://a.test/indexes/phpbb/www22/communities/htmls"],
  ["nothing but the root", "http://a.test/"],
])("%s is read where it stands as it is read by the rules", (_, url) => {
  const { list, count } = openGlossary([], undefined).lookUpPath(url.slice(plainPathStart(url)));
  expect(list.slice(0, count).map(({ word }) => word)).toEqual(wordsOf(urlWords(url).path));
});

test.each([
  ["a question", "http://a.test/a?b=c"],
  ["capitals", "http://a.test/CouncilAgenda"],
  ["an underscore, which makes one word of two", "http://a.test/index_2"],
  ["an escape", "http://a.test/a%20b"],
  ["letters of other scripts", "http://a.test/é"],
  ["no host and path", "http://a.test"],
  ["another scheme", "mailto:a@a.test"],
])("%s needs the rules", (_, url) => {
  expect(plainPathStart(url)).toBeUndefined();
});
