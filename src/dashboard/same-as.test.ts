import { expect, test } from "vitest";
import { asCli, asYaml, callOf, type Option, optionsOf, readValue } from "./same-as.ts";

const option = (kind: Option["kind"], usual: unknown): Option => ({
  name: "it",
  group: "",
  flag: "--it",
  help: "",
  kind,
  choices: [],
  default: usual,
});

test.each([
  ["nothing typed says nothing", option("value", 10), " ", undefined],
  ["a number where a number stands", option("value", 10), "3", 3],
  ["a word where a number stands", option("value", 10), "none", "none"],
  ["a number where a word stands stays a word", option("value", "1/s"), "5", "5"],
  ["a list by commas and lines", option("list", []), "a, b\nc", ["a", "b", "c"]],
  ["yes or no", option("boolean", true), "false", false],
])("%s", (_, known, text, value) => expect(readValue(known, text)).toEqual(value));

const url = "https://example.org/it's";

test.each([
  ["a fetch", callOf("fetch", url, { formats: ["text"], whole: true }), "/scrape", { url, formats: ["text"], part: "whole" }],
  ["an enrichment is the metadata alone", callOf("enrich", url, {}), "/scrape", { url, formats: ["meta"] }],
  ["a crawl without options", callOf("crawl", url, {}), "/crawls", { url }],
  ["a crawl with options", callOf("crawl", url, { maxDepth: 2 }), "/crawls", { url, config: { maxDepth: 2 } }],
])("%s as a request", (_, call, path, body) => expect(call).toEqual({ method: "POST", path, body }));

test("the same on the command line, quoted for a shell", () => {
  expect(asCli("map", url, { depth: 1, includeExternal: true, query: "town hall" }, optionsOf.map)).toBe(
    "nuthatch map 'https://example.org/it'\\''s' --depth 1 --query 'town hall' --include-external",
  );
});

test("the same in a config file", () => {
  expect(asYaml("https://example.org", { exclude: ["/a/**"] })).toBe('sites:\n  - url: "https://example.org"\n    exclude: ["/a/**"]\n');
});
