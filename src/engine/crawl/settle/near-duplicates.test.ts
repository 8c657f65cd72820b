import { expect, test } from "vitest";
import { NearDuplicates } from "./near-duplicates.ts";

test.each([
  ["the same text", "0123456789abcdef", 7],
  ["three bits apart", "0123456789abcde8", 7],
  ["four bits apart in one band, but other bands are the same", "0123456789abcde0", undefined],
  ["no text to speak of", "", undefined],
  ["another text", "fedcba9876543210", undefined],
])("near pages: %s", (_, simhash, expected) => {
  const near = new NearDuplicates();
  near.add(7, "0123456789abcdef");
  near.add(8, "");
  expect(near.find(simhash)).toBe(expected);
});

test("of a family the latest is found", () => {
  const near = new NearDuplicates();
  near.add(7, "0123456789abcdef");
  near.add(9, "0123456789abcdee");
  expect(near.find("0123456789abcdef")).toBe(9);
});

test("a page is not near to itself, and hides no other that is", () => {
  const near = new NearDuplicates();
  near.add(7, "0123456789abcdef");
  near.add(9, "0123456789abcdee");
  near.add(9, "0123456789abcdef");
  expect(near.find("0123456789abcdef", 9)).toBe(7);
  expect(near.find("0123456789abcdef", 7)).toBe(9);
});
