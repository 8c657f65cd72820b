import { expect, test } from "vitest";
import { LEVELS } from "../../core/records.ts";
import { seededRandom, selectLevel } from "./selector.ts";

function draws(filled: readonly number[], count: number, seed: number): number[] {
  const random = seededRandom(seed);
  const counts = new Array<number>(LEVELS).fill(0);
  for (let draw = 0; draw < count; draw++) counts[selectLevel((level) => filled.includes(level), random)]! += 1;
  return counts;
}

test("each queue is taken from about four times as often as the next", () => {
  const counts = draws([0, 1, 2, 3], 10_000, 7);
  for (const level of [0, 1, 2]) {
    const ratio = counts[level]! / counts[level + 1]!;
    expect(ratio).toBeGreaterThan(2.8);
    expect(ratio).toBeLessThan(5.7);
  }
});

test.each([
  ["neighbours", [0, 1]],
  ["queues with a gap", [1, 5]],
  ["the last two", [6, 7]],
])("the lower of %s is never starved", (_, filled) => {
  const counts = draws(filled, 10_000, 3);
  for (const level of filled) expect(counts[level]).toBeGreaterThan(0);
  expect(counts.reduce((sum, count) => sum + count)).toBe(10_000);
});

test.each([
  ["one filled queue is always taken", [4], 0.999_999, 4],
  ["the end of the scale is the last filled queue", [0, 3], 1, 3],
  ["the beginning of the scale is the first", [2, 3], 0, 2],
  ["nothing filled is -1", [], 0.5, -1],
] as const)("%s", (_, filled, point, level) => {
  expect(
    selectLevel(
      (index) => (filled as readonly number[]).includes(index),
      () => point,
    ),
  ).toBe(level);
});

test("the same seed gives the same draws, another seed others", () => {
  const run = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 50 }, random);
  };
  expect(run(1)).toEqual(run(1));
  expect(run(1)).not.toEqual(run(2));
  for (const value of run(5)) expect(value >= 0 && value < 1).toBe(true);
});
