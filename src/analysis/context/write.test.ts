import { describe, expect, test } from "vitest";
import { tokensOf } from "./budget.ts";
import { consolidate } from "./consolidate.ts";
import { outlineOf } from "./outline.ts";
import type { PackPage } from "./pack.ts";
import { packJson } from "./write-json.ts";
import { packLlms } from "./write-llms.ts";
import { packMarkdown } from "./write-markdown.ts";

const page = (path: string, title: string, markdown: string, relevance = 1): PackPage => ({
  url: `https://example.org${path}`,
  title,
  metadata: { description: `${title} in one line.` },
  ...outlineOf(markdown),
  relevance,
  anchor: title,
  since: "2026-11-01T00:00:00.000Z",
});
const root = page("/", "Ferry", "# Ferry\n\nFerry carries files across rooms.\n\n## Calm\n\nNobody runs.");
const features = page("/features", "Features", "# Features\n\n## Speed\n\nIt resumes after a crash.\n\nNobody runs.", 0.9);
const glossary = page("/glossary", "Glossary [A](b)", "# Glossary\n\n**Pier**: where a file waits.", 0.8);
const failed = [{ url: "https://example.org/x", relevance: 0.7, reason: "refused", rule: "Disallow: /x" }];
const pack = consolidate(root, [features, glossary], failed);

test("Markdown: a block for each answer, each with its address and since when it says so", () => {
  expect(packMarkdown(pack)).toBe(`# Ferry

> Ferry in one line.

## About

### Ferry

Ferry carries files across rooms.

<https://example.org/> (2026-11-01)

## Features

### Speed

It resumes after a crash.

Nobody runs.

<https://example.org/features> (2026-11-01)

## Terminology

### Glossary

**Pier**: where a file waits.

<https://example.org/glossary> (2026-11-01)

## Not reached

- <https://example.org/x>: Disallow: /x
`);
});

test("JSON: the expected names, one by one", () => {
  const made = packJson(pack);
  expect(made).toMatchObject({
    root_page: {
      title: "Ferry",
      metadata: {},
      headings: [{ level: 1, text: "Ferry" }, { level: 2 }],
      sections: { calm: { heading: "Calm" } },
    },
    linked_pages: [{ url: features.url, relevance_score: 0.9, title: "Features", headings: [{}, {}], sections: {}, metadata: {} }, {}],
  });
  expect(Object.keys(made.global_sections)).toEqual(["features", "about", "concepts", "terminology"]);
  expect(made.global_sections.features[0]).toMatchObject({
    name: "Speed",
    content: "It resumes after a crash.\n\nNobody runs.",
    id: "speed",
    source: features.url,
  });
});

test("llms.txt: a title, a quote, lists of pages", () => {
  expect(packLlms(pack)).toBe(`# Ferry

> Ferry in one line.

## About

- [Ferry](https://example.org/): Ferry in one line.

## Features

- [Features](https://example.org/features): Features in one line.

## Terminology

- [Glossary A](https://example.org/glossary): Glossary A in one line.
`);
});

test("where some questions were asked for, nothing else is told", () => {
  const some = consolidate(root, [features, glossary], [], ["terminology"]);
  expect(packMarkdown(some)).not.toMatch(/resumes|runs|carries/);
  expect(packLlms(some)).not.toContain("/features");
});

describe("a budget", () => {
  const words = "Nobody runs in here, and few people walk; most of them are carried from room to room by something else.";
  const parts = (name: string) =>
    Array.from({ length: 20 }, (_, at) => `## ${name} ${at}\n\n${name} has number ${at}. ${words}`).join("\n\n");
  const large = consolidate(
    page("/", "Ferry", `# Ferry\n\n${parts("Feature")}`),
    ["/features", "/about", "/docs"].map((path, at) => page(path, path, `# X\n\n${parts(path.slice(1))}`, 0.9 - at / 10)),
    failed,
  );
  test.each([0, 1, 20, 50, 100, 333, 1000, 2000, 5000])("of %d tokens holds for all that is written", (tokens) => {
    expect(tokensOf(packMarkdown(large, tokens))).toBeLessThanOrEqual(tokens);
    expect(tokensOf(packLlms(large, tokens))).toBeLessThanOrEqual(tokens);
    // The field names alone take this much.
    if (tokens >= 200) expect(tokensOf(JSON.stringify(packJson(large, tokens), null, 2))).toBeLessThanOrEqual(tokens);
  });

  test("is used up, and no page is silenced by a longer one", () => {
    const small = packMarkdown(large, 1500);
    expect(tokensOf(small)).toBeGreaterThan(1300);
    for (const path of ["", "features", "about"]) expect(small).toContain(`<https://example.org/${path}>`);
    expect(small).not.toMatch(/something\n/);
  });
});
