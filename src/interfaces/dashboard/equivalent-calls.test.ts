import { expect, test } from "vitest";
import { asCli, asYaml, callOf, type Option, optionsOf, readValue, withOrigins } from "./equivalent-calls.ts";

const option = (kind: Option["kind"], usual: unknown, name = "it"): Option => ({
  name,
  group: "",
  flag: `--${name}`,
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
  ["patterns by lines alone", option("list", [], "exclude"), "/{a,b}/**\n/c/**", ["/{a,b}/**", "/c/**"]],
  ["a table as JSON", option("object", {}), '{"type": 2}', { type: 2 }],
  ["what is no JSON is left for the server to refuse", option("object", {}), "type: 2", "type: 2"],
  ["yes or no", option("boolean", true), "false", false],
])("%s", (_, known, text, value) => expect(readValue(known, text)).toEqual(value));

test("what was said of a site goes before what is built in", () => {
  const [depth, pace] = withOrigins([option("value", 10, "maxDepth"), option("value", "1/s", "rateLimit")], { maxDepth: 3 });
  expect([depth!.default, depth!.origin, pace!.default, pace!.origin]).toEqual([3, "the options of this site", "1/s", undefined]);
});

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

test.each([
  [
    "a pattern a flag",
    option("list", [], "exclude"),
    ["/{a,b}/**", "/c/**"],
    "nuthatch crawl x.org --exclude '/{a,b}/**' --exclude '/c/**'",
  ],
  ["a word a flag", option("list", {}, "keywords"), ["budget", "town hall=0.5"], "nuthatch crawl x.org -k budget -k 'town hall=0.5'"],
  ["other lists by commas", option("list", [], "types"), ["html", "pdf"], "nuthatch crawl x.org --types html,pdf"],
  ["a table in the environment", option("object", {}, "priority"), { type: 2 }, `NUTHATCH_PRIORITY='{"type":2}' nuthatch crawl x.org`],
  ["what is on, off", option("boolean", true, "enhance"), false, "nuthatch crawl x.org --no-enhance"],
])("on the command line: %s", (_, known, value, text) => expect(asCli("crawl", "x.org", { [known.name]: value }, [known])).toBe(text));

test("the same in a config file", () => {
  expect(asYaml("https://example.org", { exclude: ["/a/**"] })).toBe('sites:\n  - url: "https://example.org"\n    exclude: ["/a/**"]\n');
});
