import { expect, test } from "vitest";
import { contentSignals } from "./content-signal.ts";

test.each([
  ["nothing is said", "User-agent: *\nDisallow: /x", {}],
  ["for everybody", "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /", { search: true, "ai-train": false }],
  ["above all groups", "Content-Signal: ai-input=no\nUser-agent: *\nAllow: /", { "ai-input": false }],
  [
    "for us by name",
    "User-agent: *\nContent-Signal: ai-input=yes\nUser-agent: Nuthatch\nContent-Signal: ai-input=no",
    { "ai-input": false },
  ],
  ["for another alone", "User-agent: otherbot\nContent-Signal: ai-input=no", {}],
  ["for several names at once", "User-agent: otherbot\nUser-agent: *\nContent-Signal: ai-input=no", { "ai-input": false }],
  ["twice, and one is a no", "User-agent: *\nContent-signal: ai-input=no\nContent-Signal: ai-input=yes", { "ai-input": false }],
  [
    "with comments, spaces and nonsense",
    "user-agent : * # all\ncontent-signal :  ai-input = NO # please, x, =, a=b",
    { "ai-input": false },
  ],
] as [string, string, Record<string, boolean>][])("%s", (_, text, expected) => {
  expect(Object.fromEntries(contentSignals(text, "nuthatch"))).toEqual(expected);
});

test("a name that means something to objects is a name like others, and a long file takes no time", () => {
  expect(contentSignals("Content-Signal: __proto__=no, constructor=yes", "nuthatch").get("__proto__")).toBe(false);
  expect(contentSignals("Content-Signal: a=no\n".repeat(50_000), "nuthatch").size).toBe(1);
});
