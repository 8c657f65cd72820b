import { expect, test } from "vitest";
import type { Store } from "../../../store/index.ts";
import { KnownTypes } from "./known-types.ts";

const hash = { hi: 1, lo: 2 };
const now = Date.parse("2026-03-01T12:00:00Z");
const days = (count: number) => now - count * 86_400_000;

test.each([
  ["asked for a day ago", "application/pdf is not a page", days(1), "application/pdf is not a page (asked 2026-02-28)"],
  ["asked for more than a month ago", "application/pdf is not a page", days(31), undefined],
  ["left alone since", "application/pdf is not a page (asked 2026-02-10)", days(1), "application/pdf is not a page (asked 2026-02-10)"],
  ["left alone for a month", "application/pdf is not a page (asked 2026-01-10)", days(1), undefined],
  ["of a type that is read now", "application/msword is not a page", days(1), undefined],
  ["left alone by a rule", "--skip-extensions zip", days(1), undefined],
])("a URL %s", async (_, rule, at, expected) => {
  const store = {
    forEachRefusedType: async (_sites: unknown, each: (...row: unknown[]) => void) => each(hash, rule, at),
  } as unknown as Store;
  const known = new KnownTypes();
  await known.load(store, [1], { types: ["Application/MSWord"], now });
  expect(known.refuse(hash)).toBe(expected);
});
