import { expect, test } from "vitest";
import { apartClasses, headClasses, listClasses, placeClasses, topicClasses } from "./class-signs.ts";

const rows: readonly (readonly [what: string, names: string, questions: typeof placeClasses | typeof topicClasses, bits: number])[] = [
  ["words with hyphens", "article-author", placeClasses, placeClasses.bits.byline],
  ["the same with underscores", "site_header", placeClasses, placeClasses.bits.edge],
  ["the same with capitals", "siteFooter", placeClasses, placeClasses.bits.edge],
  ["a whole word only", "navy", placeClasses, 0],
  ["two questions", "update-date", placeClasses, placeClasses.bits.dated | placeClasses.bits.updated],
  ["a capital begins a word", "postTags", topicClasses, topicClasses.bits.tags],
  ["a word inside another", "stage", topicClasses, 0],
];

test.each(rows)("%s: %s", (_, names, { matchesOf: answersOf }, bits) => {
  expect(answersOf(names)).toBe(bits);
  expect(answersOf(names), "remembered").toBe(bits);
});

test("Nothing is said by nothing, nor beyond the length that is read", () => {
  for (const { matchesOf: answersOf } of [apartClasses, headClasses, listClasses, placeClasses, topicClasses])
    expect(answersOf(undefined)).toBe(0);
  expect(apartClasses.matchesOf(`${"x ".repeat(90)}sidebar`)).toBe(apartClasses.bits.apart);
  expect(apartClasses.matchesOf(`${"x ".repeat(100)}sidebar`)).toBe(0);
});
