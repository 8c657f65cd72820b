import { expect, test } from "vitest";
import { rate } from "./units.ts";

test.each<[string, unknown, number | undefined]>([
  ["a number is per second", 4, 250],
  ["a unit", "30/m", 2000],
  ["none is without a pause", "none", 0],
  ["one a day", `${1 / 24}/h`, 86_400_000],
  ["nothing", 0, undefined],
  ["what never comes", 5e-324, undefined],
  ["what cannot be written down plainly", 1e308, undefined],
  ["the same as text", `0.${"0".repeat(20)}1/s`, undefined],
])("a rate: %s", (_, written, pause) => {
  const read = rate().safeParse(written);
  expect(read.data).toBe(pause);
  // A run keeps it as text, and is taken up with what it says.
  if (pause) expect(rate().parse(`${1000 / pause}/s`)).toBeCloseTo(pause);
});
