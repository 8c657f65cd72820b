import { expect, test } from "vitest";
import { tokensOf } from "./budget.ts";
import { consolidate } from "./consolidate.ts";
import { outlineOf } from "./outline.ts";
import { packJson } from "./write-json.ts";
import { packLlms } from "./write-llms.ts";
import { packMarkdown } from "./write-markdown.ts";

/** At this length anything quadratic would exceed the timeout of a test, which is one minute. */
const LONG = 300_000;

test.each([
  ["headings without end", "# a\n\nx\n\n"],
  ["the same short line", "Equal short line.\n\n"],
  ["a line without end", "a"],
  ["sentences without end", "This is one. "],
  ["letters of a script without blanks", "渡し船です。"],
  ["links that are never closed", '[a](b "'],
  ["fences in items", "- ```\n"],
  ["marks of fences that are none", "``` a`\n"],
  ["number signs", " #"],
  ["terms", "**a**\n\n- b\n\n"],
  ["half letters", "\ud83d"],
])("takes %s in its stride", (_, unit) => {
  const text = unit.repeat(LONG / unit.length);
  const page = (url: string, relevance: number) => ({
    url,
    title: text.slice(0, 1000),
    metadata: { description: text.slice(0, 10_000) },
    ...outlineOf(text),
    relevance,
    anchor: text.slice(0, 1000),
    since: "2026-11-01T00:00:00.000Z",
  });
  const pack = consolidate(page("https://example.org/", 1), [page("https://example.org/features", 0.9)], []);
  expect(tokensOf(packMarkdown(pack, 2000))).toBeLessThanOrEqual(2000);
  expect(tokensOf(packLlms(pack, 2000))).toBeLessThanOrEqual(2000);
  expect(packJson(pack, 2000).global_sections).toBeDefined();
});
