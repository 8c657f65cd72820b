import { expect, test } from "vitest";
import { evalSet } from "./eval-set.ts";
import { measure } from "./measures.ts";

const fits = (place: number, keyword: string) => evalSet.links[place]!.fits[keyword] ?? 0;
const isTrap = (place: number, keyword: string) => evalSet.links[place]!.traps.includes(keyword);

test.each<[string, Parameters<typeof measure>[1], object]>([
  [
    "who agrees with the person is right in all",
    (place, word) => fits(place, word) / 2,
    { meanAveragePrecision: 1, precision: 1, recall: 1, trapsAvoided: 1 },
  ],
  ["who says nothing finds nothing, and steps into no trap", () => 0, { precision: 0, recall: 0, trapsAvoided: 1 }],
  ["who says yes to all finds all, and every trap", () => 1, { recall: 1, trapsAvoided: 0 }],
  [
    "who likes traps best has what fits behind them",
    (place, word) => (isTrap(place, word) ? 1 : fits(place, word) / 8),
    { recall: 0, precision: 0, trapsAvoided: 0 },
  ],
])("%s", (_, matchOf, expected) => {
  for (const [name, value] of Object.entries(expected)) expect(measure(evalSet, matchOf)).toHaveProperty(name, expect.closeTo(value, 10));
});

test("equal matches count as if drawn by lot, whatever order they came in", () => {
  const link = (fit: number) => ({ text: "", url: "", fits: { a: fit }, traps: [], unsure: [] });
  const set = (...fit: number[]) => ({ keywords: ["a"], links: fit.map(link) });
  const [before, after] = [measure(set(1, 0), () => 1), measure(set(0, 1), () => 1)];
  expect(before).toEqual(after);
  expect(before.meanAveragePrecision).toBeCloseTo(0.75);
});

test("what nobody could say is left out", () => {
  const unsure = { text: "", url: "", fits: {}, traps: [], unsure: ["a"] };
  const sure = { ...unsure, fits: { a: 1 }, unsure: [] };
  expect(measure({ keywords: ["a"], links: [unsure, sure] }, () => 1)).toMatchObject({ precision: 1, meanAveragePrecision: 1 });
});
