import { expect, test } from "vitest";
import { markOf, withMarks } from "./read-marks.ts";

const marks = (...pages: number[]) => pages.map((page) => markOf(1, 2, page));

test.each([
  ["what is read is marked", [], marks(7, 8), true, marks(7, 8)],
  ["twice is once", marks(7), marks(7), true, marks(7)],
  ["what is not read any more is not", marks(7, 8), marks(7), false, marks(8)],
  ["another pair of runs is another change", marks(7), [markOf(1, 3, 7)], true, [...marks(7), markOf(1, 3, 7)]],
])("%s", (_, before, some, isRead, after) => expect([...withMarks(new Set(before), some, isRead)]).toEqual(after));

test("of too many, those marked last are kept", () => {
  const all = Array.from({ length: 6000 }, (_, page) => markOf(1, 2, page));
  const kept = [...withMarks(new Set(), all, true)];
  expect([kept.length, kept.at(-1)]).toEqual([5000, markOf(1, 2, 5999)]);
});
