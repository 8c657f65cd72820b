import { describe, expect, test } from "vitest";
import { consolidate } from "./consolidate.ts";
import { outlineOf } from "./outline.ts";
import type { PackPage } from "./pack.ts";
import { PassageStore } from "./passage-store.ts";
import { type SectionName, sectionNames } from "./section-names.ts";

const page = (path: string, markdown: string, anchor = ""): PackPage => ({
  url: `https://example.org${path}`,
  title: "Ferry",
  metadata: {},
  ...outlineOf(markdown),
  relevance: path === "/" ? 1 : 0.8,
  anchor,
  since: "2026-11-01T00:00:00.000Z",
});
const root = page("/", "# Ferry\n\nFerry carries files across rooms.");
const found = (pages: PackPage[], text: string) => {
  const { sections } = consolidate(pages[0]!, pages.slice(1), []);
  return sectionNames.filter((name) => sections[name].some(({ content }) => content.includes(text)));
};

describe("a section is sorted", () => {
  test.each<[string, PackPage[], SectionName[]]>([
    ["by its place: what a front page begins with is what it is about", [page("/", "# Ferry\n\nX.")], ["about"]],
    ["by its heading", [page("/", "# Ferry\n\n## Key features\n\nX.")], ["features"]],
    ["by the heading around it", [page("/", "# Ferry\n\n## Features\n\n### Fast\n\nX.")], ["features"]],
    ["by its heading in German", [page("/", "# Ferry\n\n## So funktioniert es\n\nX.")], ["concepts"]],
    ["by the address of its page", [root, page("/docs/concepts", "# Rooms\n\n## Doors\n\nX.")], ["concepts"]],
    ["by the link to its page", [root, page("/p/7", "# Words\n\n## A\n\nX.", "Glossary")], ["terminology"]],
    ["by its heading rather than by its page", [root, page("/features", "# Features\n\n## Glossary\n\nX.")], ["terminology"]],
    [
      "by its page where the heading says it by the way",
      [root, page("/docs/concepts", "# Rooms\n\n## What is a door?\n\nX.")],
      ["concepts"],
    ],
    ["by what it speaks of", [page("/", "# Ferry\n\n## Calm\n\nIts best feature: X.")], ["features"]],
    [
      "as terms where it is a table of them",
      [page("/", "# F\n\n## Calm\n\n| Term | Meaning |\n| --- | --- |\n| Pier | X. |")],
      ["terminology"],
    ],
    [
      "as terms where it is a list of definitions",
      [
        root,
        page(
          "/features",
          "# F\n\n## Calm\n\n**Pier**\n\n- A place where X. waits for long.\n\n**Quay**\n\n- A place that is made of stone.",
        ),
      ],
      ["terminology"],
    ],
    [
      "not as terms where it lists what things weigh",
      [root, page("/features", "# F\n\n## Calm\n\n**Weight**\n\n- X. kg\n\n**Height**\n\n- 3 m")],
      ["features"],
    ],
    ["under nothing where it says nothing", [page("/", "# Ferry\n\n## Calm\n\nX.")], []],
  ])("%s", (_, pages, expected) => {
    expect(found(pages, "X.")).toEqual(expected);
  });

  test("only under questions that were asked for", () => {
    const { sections, wanted } = consolidate(page("/", "# F\n\nX.\n\n## Features\n\nY."), [], [], ["features"]);
    expect([sections.about, sections.features.length, wanted]).toEqual([[], 1, ["features"]]);
  });
});

describe("nothing is said twice", () => {
  test("and every page that says it is named", () => {
    const said = "It resumes after a crash and never loses a byte, whatever happens to the wire.";
    const again = page("/features", `# Features\n\nIt **resumes** after a crash, and never loses a byte – whatever happens to the wire.`);
    const { sections } = consolidate(page("/", `# Ferry\n\n## Features\n\n${said}`), [again], []);
    expect(sections.features.map(({ content, source, also }) => [content, source, also])).toEqual([
      [said, "https://example.org/", ["https://example.org/features"]],
    ]);
  });

  const first = "Ferry was started in Hamburg by three bridge keepers who wanted calmer mornings for everybody at the harbour.";
  test.each([
    ["the same words", first, true],
    ["other signs and capitals", first.toUpperCase().replace(/\./, "!"), true],
    ["the beginning of it", "Ferry was started in Hamburg by three bridge keepers who wanted calmer mornings.", true],
    ["a small word more", first.replace("wanted", "only wanted"), true],
    ["another name", first.replace("Hamburg", "Bremen"), false],
    ["another number", first.replace("three", "3"), false],
    ["a no", first.replace("wanted", "never wanted"), false],
    ["more to say", `${first} Since then it has moved twice, and neither time was anybody asked about it before.`, false],
  ])("%s", (_, text, isSame) => {
    const memory = new PassageStore<string>();
    memory.add(first, "first");
    expect(memory.find(text)).toBe(isSame ? "first" : undefined);
  });

  test("code is the same or it is not", () => {
    const memory = new PassageStore<string>();
    memory.add("```\na + b\n```", "first");
    expect([memory.find("```\na - b\n```"), memory.find("```\na + b\n```")]).toEqual([undefined, "first"]);
  });

  test("scripts without spaces are compared by their letters", () => {
    const memory = new PassageStore<string>();
    memory.add("渡し船は部屋から部屋へ書類を運びます。一通も失いません。", "first");
    expect(memory.find("渡し船は、部屋から部屋へ書類を運びます。一通も失いません")).toBe("first");
  });

  test("what stands on nearly all pages belongs to none of them", () => {
    const pages = ["/", "/features", "/about", "/docs"].map((path) =>
      page(path, `# A\n\nOf ${path} alone.\n\nDelivery is free this week.`),
    );
    expect(found(pages, "Delivery")).toEqual([]);
    expect(found(pages, "Of /docs alone")).toEqual(["concepts"]);
  });
});
