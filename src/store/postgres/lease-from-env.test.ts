import { expect, test } from "vitest";
import { leaseFromEnv } from "./lease-from-env.ts";

test.each([
  ["nothing", undefined, 30_000],
  ["a number of seconds", "45", 45_000],
  ["a time with its unit", "2500ms", 2500],
])("a lease of %s", (_, text, time) => {
  expect(leaseFromEnv(text)).toBe(time);
});

test.each(["", "apples", "-1", "0", "30000", "11m", "30 apples"])("a lease of %j is refused", (text) => {
  expect(() => leaseFromEnv(text)).toThrow(/NUTHATCH_LEASE.*is not a time/);
});
