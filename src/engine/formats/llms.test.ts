import { describe, expect, test } from "vitest";
import { linkLine, llmsHead } from "./llms.ts";
import { LlmsSections } from "./llms-sections.ts";

describe("a line of llms.txt", () => {
  const url = "https://example.org/a";
  test.each([
    ["is a link and what it says", { url, title: "A", description: "About a." }, `- [A](${url}): About a.\n`],
    ["is only a link where nothing is said", { url, title: "A", description: undefined }, `- [A](${url})\n`],
    ["has no bracket in its title", { url, title: "a [b](c)", description: undefined }, `- [a (b)(c)](${url})\n`],
    ["has no parenthesis in its address", { url: `${url}(1)`, title: "A", description: undefined }, `- [A](${url}%281%29)\n`],
    ["stays one line, and no markup", { url, title: "a\n# <b>", description: "x\r\n\u2028y" }, `- [a # &lt;b>](${url}): x\ufffd \ufffdy\n`],
    [
      "has no other link than its own",
      { url, title: "A", description: "x [b](http://b.test/) ![c](/c)" },
      `- [A](${url}): x [b] (http://b.test/) ![c] (/c)\n`,
    ],
  ])("%s", (_, link, line) => {
    expect(linkLine(link)).toBe(line);
  });

  test("is cut at a word where it is long", () => {
    const line = linkLine({ url, title: "A", description: "word ".repeat(1000) });
    expect(line.length).toBeLessThan(350);
    expect(line).toMatch(/word…\n$/);
  });

  test("the head has a name, and what the site is about if that is known", () => {
    expect(llmsHead({ name: "Town", description: "A town." })).toBe("# Town\n\n> A town.\n");
    expect(llmsHead({ name: "Town", description: undefined })).toBe("# Town\n");
  });
});

describe("the section of a page", () => {
  const sections = (...paths: string[]) => {
    const all = new LlmsSections();
    for (const path of paths) all.count(`https://example.org${path}`);
    return (path: string) => all.nameFor(`https://example.org${path}`);
  };
  const many = (folder: string, count: number) => Array.from({ length: count }, (_, at) => `${folder}${at}`);
  const usual = sections("/", ...many("/docs/", 5), ...many("/getting-started/", 3), ...many("/tags/", 9), "/lone/page");
  const inEnglish = sections("/", ...many("/en/docs/", 30), ...many("/en/blog/", 30));

  test.each([
    ["is its folder", usual, "/docs/1", "Docs"],
    ["in words", usual, "/getting-started/1", "Getting started"],
    ["is none outside of folders", usual, "/about", undefined],
    ["is optional where a folder has but one page", usual, "/lone/page", "Optional"],
    ["is optional where nobody reads on", usual, "/tags/3", "Optional"],
    ["is optional for what lawyers read", usual, "/privacy.html", "Optional"],
    ["is the second folder where the first holds everything", inEnglish, "/en/docs/3", "Docs"],
    ["stands an escape that is none", usual, "/%E0%A4%A/x", "Optional"],
  ])("%s", (_, nameFor, path, name) => {
    expect(nameFor(path)).toBe(name);
  });
});
