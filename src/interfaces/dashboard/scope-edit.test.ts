import { expect, test } from "vitest";
import { requestBodyOf, type ScopeInput } from "./scope-edit.ts";

test.each([
  ["nothing typed changes nothing", {}, {}],
  ["blank lines are no patterns", { exclude: "\n  \n", rateLimit: " " }, {}],
  ["a pattern a line", { exclude: "/a/**\n /b/** " }, { exclude: ["/a/**", "/b/**"] }],
  ["a limit is a number", { maxPages: "500", maxConcurrent: "2" }, { maxPages: 500, maxConcurrent: 2 }],
  ["or the word for none", { maxPages: "none" }, { maxPages: "none" }],
  ["a pace stays text", { rateLimit: "5" }, { rateLimit: "5" }],
] satisfies [string, ScopeInput, object][])("%s", (_, said, expected) => {
  expect(requestBodyOf(said)).toEqual(expected);
});
