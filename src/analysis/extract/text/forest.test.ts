import { expect, test } from "vitest";
import { forest } from "../learned/text.ts";
import { Forest } from "./forest.ts";
import { signNames } from "./sign-names.ts";
import { SignTable } from "./sign-table.ts";

const small = { bias: 0, trees: ["chars>3 links>1 = -2 -1 1 2", "links>5 = 0 1"] };

/** Rows as a table of columns. */
function table(rows: readonly (readonly number[])[]): SignTable {
  const width = rows[0]!.length;
  const signs = new SignTable(width, rows.length);
  for (const [at, row] of rows.entries()) {
    signs.begin(at);
    for (const value of row) signs.put(value);
  }
  signs.end(width);
  return signs;
}

test.each([
  ["the first answer is for no to all", [1, 0], -2],
  ["the last question is the lowest bit", [1, 2], -1],
  ["the first question is the highest", [4, 0], 1],
  ["trees add up", [4, 6], 3],
])("%s", (_, row, sum) => {
  const [chance] = new Forest(small, ["chars", "links"]).predict(table([row]));
  expect(chance).toBeCloseTo(1 / (1 + Math.exp(-sum)), 5);
});

test("rows are judged each by itself, their signs given column by column", () => {
  const chances = new Forest(small, ["chars", "links"]).predict(
    table([
      [1, 0],
      [4, 0],
      [4, 6],
    ]),
  );
  expect([...chances].map((chance) => Math.round(Math.log(chance / (1 - chance))))).toEqual([-2, 1, 3]);
});

test("a row gets the same answer among others, who may need more questions, as alone", () => {
  const deep = { bias: 0.1, trees: ["a>0 b>0 c>0 d>0 e>0 = ".concat(Array.from({ length: 32 }, (_, leaf) => (leaf + 1) / 10).join(" "))] };
  const names = ["a", "b", "c", "d", "e"];
  const rowOf = (leaf: number, count: number) => names.map((_, at) => (at < 5 - count ? 1 : (leaf >> (4 - at)) & 1));
  for (let count = 0; count <= 5; count += 1) {
    const rows = Array.from({ length: 1 << count }, (_, leaf) => rowOf(leaf, count));
    const leaves = rows.map((row) => row.reduce((leaf, bit) => leaf * 2 + bit, 0) + 1);
    const chances = [...new Forest(deep, names).predict(table(rows))];
    expect(chances.map((chance) => Math.round(10 * (Math.log(chance / (1 - chance)) - 0.1)))).toEqual(leaves);
  }
});

test("a column that is the same for all need not be written", () => {
  const signs = new SignTable(2, 1);
  signs.fill(4);
  signs.fill(6);
  const [chance] = new Forest(small, ["chars", "links"]).predict(signs);
  expect(chance).toBeCloseTo(1 / (1 + Math.exp(-3)), 5);
});

test("what was learned asks only for signs there are, and names are not given twice", () => {
  expect(() => new Forest(forest, signNames)).not.toThrow();
  expect(new Set(signNames).size).toBe(signNames.length);
});

test("a sign there is not is named", () => {
  expect(() => new Forest({ bias: 0, trees: ["wings>2 = 0 1"] }, ["chars"])).toThrow("wings");
});
