import { describe, expect, test } from "vitest";
import { consolidate } from "./consolidate.ts";
import { escapePassage } from "./escape-passage.ts";
import { outlineOf } from "./outline.ts";
import { packMarkdown } from "./write-markdown.ts";

describe("what a page says stays within its block", () => {
  test.each([
    ["a heading stands below the block's", "# About", "#### About"],
    ["so does one in an item or a quote", "- ## About\n> ### x", "- ##### About\n> ###### x"],
    ["no line makes a heading of the one above", "Evil\n===\nAnd more\n- ", "Evil\n\\===\nAnd more\n\\- "],
    ["an address is not taken for a source", "<https://evil.example/> (2026-01-01)", "\\<https://evil.example/> (2026-01-01)"],
    ["a comment hides nothing", "<!-- so\n- <pre>", "\\<!-- so\n- \\<pre>"],
    ["code that was left open is closed", "```js\ncode", "```js\ncode\n```"],
    ["whatever its fence", "~~~~\n~~~", "~~~~\n~~~\n~~~~"],
    ["code in an item is closed with it", "- ```\n  code\nText", "- ```\n  code\n  ```\nText"],
    ["code is not changed", "```\n# no heading\n<!-- -->\n\tTab\n```", "```\n# no heading\n<!-- -->\n\tTab\n```"],
    ["a mark with ticks behind it opens nothing", "``` a`b\nText", "\\``` a`b\nText"],
    ["an item that cannot begin here holds no code", "Text\n2. ```\n   ```", "Text\n2. \\```\n   ```\n   ```"],
    ["a mark with an odd blank closes nothing", "```\na\n```\u00a0", "```\na\n```\u00a0\n```"],
    ["text is as it is", "**Pier**: a `<place>` where 1 < 2.\n- item", "**Pier**: a `<place>` where 1 < 2.\n- item"],
  ])("%s", (_, passage, expected) => {
    expect(escapePassage(passage, 3)).toBe(expected);
  });

  test("nor can a title or a name break its line", () => {
    const outline = outlineOf("# One\n\nText.");
    const since = "2026-11-01T00:00:00.000Z";
    const root = {
      url: "https://example.org/",
      title: "A\n## B",
      metadata: { description: "C\n\n## D" },
      ...outline,
      relevance: 1,
      anchor: "",
      since,
    };
    expect(packMarkdown(consolidate(root, [], [])).match(/^#{1,3} .*/gm)).toEqual(["# A ## B", "## About", "### One"]);
  });
});
