import { describe, expect, test } from "vitest";
import { outlineOf } from "./outline.ts";

const contents = (markdown: string) => outlineOf(markdown).sections.map(({ content }) => content);

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

  test.each([
    ["underlined headings count", "Title\n=====\n\nOne.\n\nPart\n----\n\nTwo.", ["title", "part"]],
    ["what a file says about itself is not part of it", "---\ntitle: x\n---\n# One\n\nText.", ["one"]],
    ["no two sections have one id", "# Two 2\n\na\n\n# Two\n\nb\n\n# Two\n\nc\n\n# Top\n\nd", ["two-2", "two", "two-3", "top-2"]],
    ["code in an item ends with it", "- ```\n  # no\n  ```\n\n## Yes\n\nText.", ["top", "yes"]],
    ["a line above the title is a banner", "Free delivery!\n\n# One\n\nText.", ["one"]],
    ["a heading may be a link", "## [One](https://a.example/)\n\nText.", ["one"]],
  ])("%s", (_, markdown, ids) => {
    expect(outlineOf(markdown).sections.map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ["tight", "- [Jinja](https://jinja.example/)\n- [Werkzeug](https://werkzeug.example/)"],
    ["loose", "- [Jinja](https://jinja.example/)\n\n- [Werkzeug](https://werkzeug.example/)"],
  ])("links that a sentence announces are content: a %s list", (_, list) => {
    const text = `It depends on two libraries that others wrote. Their documentation can be found at:\n\n${list}`;
    expect(contents(`# One\n\n${text}\n\n## Two\n\nMore.`)[0]).toBe(text);
  });

  test.each([
    ["a menu", "- [A](https://a.example/)\n- [B](https://b.example/)"],
    ["a menu with the page one is on", "- [A](/a)\n- [B](/b)\n- Here\n- [C](/c)"],
    ["crumbs", "[Home](/) › [Docs](/docs) › Install"],
    ["crumbs whose last is the page", "[Home](/) / This page"],
    ["a pager", "[Previous page](/1) [Next page](/2)"],
    ["a title and what is under it", "**On this page**\n\n- [One](#one)"],
    ["a label that leads to a menu", "Jump to:\n\n- [One](#one)\n- [Two](#two)"],
    ["a cookie note", "We use cookies to improve your visit. By clicking Accept you agree."],
    ["a cookie note in German", "Wir verwenden Cookies, um unsere Seite zu verbessern."],
    ["an offer of a newsletter", "Subscribe to our weekly newsletter for a tenth off."],
    ["who owns it", "© 2026 Kestrel Ltd. All rights reserved."],
    ["buttons", "Share\n\nPrint\n\nBack to top\n\nIn den Warenkorb"],
    ["goods with prices", "[Harbour lamp](/1) €31.50\n[Brass hook](/2) €9.00"],
    ["pictures", "![A lamp](/lamp.jpg)"],
    ["a section of other pages", "## You may also like\n\n### Lamp\n\nIt shines very brightly indeed."],
  ])("leaves out %s", (_, markdown) => {
    expect(contents(`# One\n\nText.\n\n${markdown}`)).toEqual(["Text."]);
  });

  test.each([
    ["a list of links that are explained", "- [Pier](/pier): where a file waits.\n- [Quay](/quay): where it leaves."],
    ["a sentence with a link", "Read [the guide](/guide) before you begin."],
    ["a table of numbers with links", "| | |\n| --- | --- |\n| [Kestrel](/k) | 12 ms |"],
    ["a sentence about newsletters", "Your customers sign up and get your newsletter in one step."],
    ["a sentence about cookies", "The banner asks visitors which cookies they accept."],
    ["code", "```\n[a](b)\n```"],
  ])("keeps %s", (_, markdown) => {
    expect(contents(`# One\n\nText.\n\n${markdown}`)).toEqual([`Text.\n\n${markdown}`]);
  });
});
