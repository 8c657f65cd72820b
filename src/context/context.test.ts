import { describe, expect, test } from "vitest";
import { tokensOf, whatFits } from "./budget.ts";
import { consolidate } from "./consolidate.ts";
import { outlineOf } from "./outline.ts";
import type { PackPage } from "./pack.ts";
import { relevanceOf } from "./relevance.ts";
import { packMarkdown } from "./write-markdown.ts";

const link = (url: string, text: string, position = 0) => ({ url, text, title: "", heading: "", block: text, rel: "", position });
const page = (url: string, title: string, markdown: string, relevance = 1, anchor = title): PackPage => ({
  url,
  title,
  metadata: {},
  ...outlineOf(markdown),
  relevance,
  anchor,
  since: "2026-11-01T00:00:00.000Z",
});

describe("a link of a front page", () => {
  const view = { rootUrl: "https://example.org/", links: 10 };
  test.each([
    ["says so in its words", link("https://example.org/p/1", "Features"), 0.6, 1],
    ["says so in its address", link("https://example.org/docs/concepts", "Read on"), 0.4, 0.8],
    ["is for customers", link("https://example.org/login", "Log in"), 0, 0.1],
    ["leads elsewhere", link("https://elsewhere.example/", "Partner"), 0, 0.3],
    ["leads back", link("https://example.org/", "Home"), 0, 0],
    ["leads to a file", link("https://example.org/features.zip", "Features"), 0, 0],
  ])("%s", (_, seen, least, most) => {
    const { score } = relevanceOf(seen, view);
    expect(score).toBeGreaterThanOrEqual(least);
    expect(score).toBeLessThanOrEqual(most);
  });
});

describe("an outline", () => {
  test("has a section for each heading, with those around it; a heading in code is none", () => {
    const { headings, sections } = outlineOf("Intro.\n\n## One\n\n### Two\n\nText.\n\n```\n# no\n```\n\n### Two\n\nMore.");
    expect(headings.map(({ id }) => id)).toEqual(["one", "two", "two-2"]);
    expect(sections.map(({ id, path }) => [id, path])).toEqual([
      ["top", []],
      ["two", ["One"]],
      ["two-2", ["One"]],
    ]);
  });
});

describe("a pack", () => {
  const root = page(
    "https://example.org/",
    "Ferry",
    "Ferry carries files across rooms.\n\n## Features\n\nIt resumes after a crash and never loses a byte.",
  );
  const docs = page(
    "https://example.org/glossary",
    "Glossary",
    "**Pier**: where a file waits.\n\nIt resumes after a crash and never loses a byte.",
    0.8,
  );
  const pack = consolidate(root, [docs], []);

  test("sorts sections under the four questions, each with its source", () => {
    expect(pack.sections.about.map(({ content, source }) => [content, source])).toEqual([["Ferry carries files across rooms.", root.url]]);
    expect(pack.sections.terminology[0]).toMatchObject({ content: "**Pier**: where a file waits.", source: docs.url });
  });

  test("says nothing twice, and names every page that says it", () => {
    expect(pack.sections.features[0]).toMatchObject({ source: root.url, also: [docs.url] });
    expect(packMarkdown(pack).match(/resumes after a crash/g)).toHaveLength(1);
  });

  test("within a budget keeps what matters most, and no half sentence", () => {
    const long = "The first sentence stands here alone. The second one is about something else entirely. A third follows.";
    expect(whatFits(long, tokensOf(long) - 3)).toBe(
      "The first sentence stands here alone. The second one is about something else entirely.",
    );
    const small = packMarkdown(pack, 70);
    expect(small).toContain("Ferry carries files");
    expect(small).not.toContain("Pier");
  });
});
