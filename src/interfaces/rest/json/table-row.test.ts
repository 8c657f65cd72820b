import { expect, test } from "vitest";
import { z } from "zod";
import { tableOf } from "./table-row.ts";

const Row = z.object({
  id: z.number(),
  tags: z.array(z.string()).readonly(),
  counts: z.object({ pages: z.number(), gone: z.number() }),
  last: z.object({ at: z.string() }).nullable(),
  config: z.record(z.string(), z.unknown()),
  words: z.array(z.object({ word: z.string(), weight: z.number() })).optional(),
});

test("a row has a column for each field of its shape, and no JSON in a cell", () => {
  const { columns, flat } = tableOf(Row, undefined);
  expect(columns).toEqual(["id", "tags", "counts.pages", "counts.gone", "last.at", "config", "words"]);
  const row = {
    id: 1,
    tags: ["a", "b"],
    counts: { pages: 2, gone: 0 },
    last: null,
    config: { depth: 3, on: true },
    words: [{ word: "x", weight: 1 }],
  };
  expect(flat(row)).toEqual({
    ...{ id: 1, tags: "a; b", "counts.pages": 2, "counts.gone": 0, "last.at": undefined },
    ...{ config: "depth=3, on=true", words: "word=x, weight=1" },
  });
});

test("of chosen fields a table has all that belongs to them", () => {
  expect(tableOf(Row, ["counts", "id"]).columns).toEqual(["counts.pages", "counts.gone", "id"]);
});
