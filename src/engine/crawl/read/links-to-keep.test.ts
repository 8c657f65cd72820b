import { expect, test } from "vitest";
import { bestKeywords } from "../settle/match-keywords.ts";
import { bestMatched } from "./links-to-keep.ts";

test("of the keywords that apply to a link the best twenty are kept, in their order", () => {
  expect(bestKeywords([0, 0.5, 0, 0.2])).toEqual([1, 3]);
  const found = Array.from({ length: 1000 }, (_, word) => (word % 50 === 7 ? 0.9 : 0.3));
  expect(bestKeywords(found)).toEqual(Array.from({ length: 20 }, (_, at) => 50 * at + 7));
});

test("of the links that keywords apply to the best two thousand of a page are kept", () => {
  const matched = new Map(Array.from({ length: 20_000 }, (_, link) => [link, [[0, link < 18_000 ? 0.4 : 0.8]] as const]));
  expect([...bestMatched(matched).keys()]).toEqual(Array.from({ length: 2000 }, (_, at) => 18_000 + at));
  const few = new Map([[3, [[0, 0.4]] as const]]);
  expect(bestMatched(few)).toBe(few);
});
