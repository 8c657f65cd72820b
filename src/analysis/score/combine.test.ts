import { expect, test } from "vitest";
import { scoreOf, UNLISTED } from "./combine.ts";

const listed = (...matches: number[]) => matches.map((match) => ({ match, weight: 1 }));

test.each([
  ["no keyword is worth nothing", [], 0],
  ["one keyword counts whole", listed(0.8), 0.8],
  ["the second counts half", listed(0.8, 0.6), 1.1],
  ["whatever order they come in", listed(0.6, 0.8), 1.1],
  ["the third a quarter", listed(1, 1, 1), 1.75],
  [
    "weights come before the order",
    [
      { match: 1, weight: 0.5 },
      { match: 0.8, weight: 1 },
    ],
    0.8 + 0.25,
  ],
  ["a keyword nobody listed weighs a quarter", [{ match: 1, weight: UNLISTED }], 0.25],
  ["a thousand perfect keywords come to 2 at most", listed(...Array.from({ length: 1000 }, () => 1)), 2],
])("%s", (_, matches, score) => {
  expect(scoreOf(matches)).toBeCloseTo(score, 10);
});

test("the ratio is an option: without one only the best counts", () => {
  expect(scoreOf(listed(0.8, 0.6), 0)).toBe(0.8);
});
