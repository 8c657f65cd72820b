import { expect, test } from "vitest";
import { forest } from "../learned/text.ts";
import { Forest } from "./forest.ts";
import { signNames } from "./signs.ts";

const small = { bias: 0, trees: ["chars>3 links>1 = -2 -1 1 2", "links>5 = 0 1"] };

test.each([
  ["the first answer is for no to all", [1, 0], -2],
  ["the last question is the lowest bit", [1, 2], -1],
  ["the first question is the highest", [4, 0], 1],
  ["trees add up", [4, 6], 3],
])("%s", (_, row, sum) => {
  const [chance] = new Forest(small, ["chars", "links"]).judge(Float32Array.from(row), 1);
  expect(chance).toBeCloseTo(1 / (1 + Math.exp(-sum)), 5);
});

test("rows are judged each by itself, their signs given column by column", () => {
  const sums = [...new Forest(small, ["chars", "links"]).judge(Float32Array.from([1, 4, 4, 0, 0, 6]), 3)].map((chance) =>
    Math.log(chance / (1 - chance)),
  );
  expect(sums.map(Math.round)).toEqual([-2, 1, 3]);
});

test("what was learned asks only for signs there are, and names are not given twice", () => {
  expect(() => new Forest(forest, signNames)).not.toThrow();
  expect(new Set(signNames).size).toBe(signNames.length);
});

test("a sign there is not is named", () => {
  expect(() => new Forest({ bias: 0, trees: ["wings>2 = 0 1"] }, ["chars"])).toThrow("wings");
});
