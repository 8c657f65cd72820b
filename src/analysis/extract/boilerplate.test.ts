import { describe, expect, test } from "vitest";
import { markdownOf } from "../parse/index.ts";
import { blockHashes, isSiteBoilerplate, withoutRepeated } from "./boilerplate.ts";
import { type MainText, mainTextOf } from "./main-text.ts";
import { viewPage } from "./page-view.ts";
import { wordingsOf } from "./text/wording.ts";

const birds = ["Nuthatch", "Treecreeper", "Wryneck", "Goldcrest", "Firecrest", "Dunnock", "Siskin", "Linnet"];
const about = (bird: string) =>
  `<p>The ${bird.toLowerCase()} is a small bird that walks up and down the trunks of old trees, and looks for insects in their bark all through the year.</p>
   <h2>Habitat</h2>
   <p>In summer the ${bird.toLowerCase()} keeps to the woods around its nest; in winter it visits gardens, where it takes sunflower seeds and hides them.</p>`;
const notice = "Our guide is written by volunteers, and every photograph in it may be used for teaching without asking us first.";
const page = (bird: string) =>
  mainTextOf(
    viewPage(
      `<title>${bird}</title><body><nav><a href="/">Home</a></nav><main><article><h1>${bird}</h1>${about(bird)}<p>${notice}</p></article></main></body>`,
      { url: `http://birds.test/${bird}`, now: Date.UTC(2026, 0, 1) },
    ),
    "weighed",
  );

/** Counts blocks as a store would. */
function countBlocks(pages: readonly MainText[]) {
  const counts = new Map<number, number>();
  for (const main of pages) for (const hash of new Set(blockHashes(main))) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return (hash: number) => isSiteBoilerplate({ pages: counts.get(hash) ?? 0, templatePages: pages.length });
}

describe("blocks that a site repeats", () => {
  const pages = birds.map(page);
  const isRepeated = countBlocks(pages);
  const [cleaned] = pages.map((main) => withoutRepeated(main, isRepeated));

  test("are known by their words", () => {
    const blocks = ["All  rights: reserved.", "ALL RIGHTS RESERVED", "All rights", "全著作権所有"];
    const [a, b, c, d] = blockHashes({ blocks, wordings: wordingsOf(blocks) });
    expect(a).toBe(b);
    expect(new Set([a, c, d]).size).toBe(3);
  });

  test.each([
    ["four pages are too few", { pages: 4, templatePages: 4 }, false],
    ["five of five are enough", { pages: 5, templatePages: 5 }, true],
    ["five of a hundred quote one another", { pages: 5, templatePages: 100 }, false],
    ["a fifth is enough", { pages: 20, templatePages: 100 }, true],
  ])("%s", (_, sightings, expected) => {
    expect(isSiteBoilerplate(sightings)).toBe(expected);
  });

  test("are on the page before, and gone from text, blocks and tree after", () => {
    expect(pages[0]!.field.value).toContain(notice);
    expect(cleaned!.field.value).not.toContain(notice);
    expect(cleaned!.blocks).not.toContain(notice);
    expect(JSON.stringify(cleaned!.root.children, withoutParents)).not.toContain(notice);
  });

  test("what only this page says stays, and the heading above it, though all pages have that", () => {
    expect(cleaned!.field.value).toContain("The nuthatch is a small bird");
    expect(cleaned!.field.value).toContain("Habitat");
    expect(JSON.stringify(cleaned!.root.children, withoutParents)).toContain("Habitat");
  });

  test("an agenda keeps the items that all agendas have, and their numbers", () => {
    const usual = ["Call to order and apologies", "Approval of the minutes of the last meeting", "Questions of the public to the council"];
    const agenda = (bird: string) =>
      mainTextOf(
        viewPage(
          `<title>${bird}</title><body><main><article><h1>Meeting on the ${bird}</h1>${about(bird)}
           <ol>${[...usual, `The ${bird} in our woods`, "Any other business of the day", "Adjournment of the meeting"].map((item) => `<li>${item}</li>`).join("")}</ol>
           <p>Item 4 about the ${bird} is postponed to the next meeting of the whole council.</p><p>${notice}</p></article></main></body>`,
          { url: `http://birds.test/${bird}`, now: Date.UTC(2026, 0, 1) },
        ),
        "weighed",
      );
    const agendas = birds.map(agenda);
    const one = withoutRepeated(agendas[0]!, countBlocks(agendas));
    for (const item of [...usual, "The Nuthatch in our woods", "Any other business of the day", "Adjournment of the meeting"])
      expect(one.blocks).toContain(item);
    expect(one.blocks).not.toContain(notice);
    const tree = JSON.stringify(one.root.children, withoutParents);
    expect(tree).toContain("Call to order");
    expect(tree).not.toContain("written by volunteers");
  });

  test("items of a numbered list keep their numbers where a repeated box among them goes", () => {
    const steps = (bird: string) =>
      mainTextOf(
        viewPage(
          `<title>${bird}</title><body><main><article><h1>How to find the ${bird}</h1>${about(bird)}
           <ol><li>Walk to the old trees where the ${bird} was seen.</li><li>${notice} ${notice} ${notice}</li><li>Wait for the ${bird} there.</li></ol>
           </article></main></body>`,
          { url: `http://birds.test/${bird}`, now: Date.UTC(2026, 0, 1) },
        ),
        "weighed",
      );
    const pages = birds.map(steps);
    const text = markdownOf(withoutRepeated(pages[0]!, countBlocks(pages)).root, { resolve: (href) => href, isPlain: false });
    expect(text).not.toContain("volunteers");
    expect(text).toContain("1. Walk");
    expect(text).toContain("3. Wait");
  });

  test("a manual keeps the headings and the tables of values that many of its pages have", () => {
    const table = `<table><thead><tr><th>type of the value</th><th>default</th><th>mandatory</th></tr></thead><tbody><tr><td>word</td><td>none</td><td>no</td></tr></tbody></table>`;
    const manual = (bird: string) =>
      mainTextOf(
        viewPage(
          `<title>${bird}</title><body><main><article><h1>The ${bird} module</h1>${about(bird)}
           <section><h2>Configuration parameters of modules</h2><p>${notice}</p>
           <section><h3>Path of ${bird}</h3>${table}<p>Where the <code>${bird}</code> module finds its file; without it the module is not loaded at all.</p></section>
           <section><h3>Template for all output</h3>${table}<p>How lines of the ${bird} are written; see the chapter on templates for what can be said there.</p></section></section>
           <section><h2>Where to get help with any of this</h2><p>${notice} ${notice}</p></section></article></main></body>`,
          { url: `http://birds.test/${bird}`, now: Date.UTC(2026, 0, 1) },
        ),
        "weighed",
      );
    const manuals = birds.map(manual);
    const text = markdownOf(withoutRepeated(manuals[0]!, countBlocks(manuals)).root, { resolve: (href) => href, isPlain: false });
    expect(text).not.toContain("volunteers");
    expect(text).not.toContain("Where to get help");
    expect(text.match(/^#+ .*$/gm)).toEqual([
      "# The Nuthatch module",
      "## Habitat",
      "## Configuration parameters of modules",
      "### Path of Nuthatch",
      "### Template for all output",
    ]);
    expect(text.split("| word | none | no |")).toHaveLength(3);
  });

  test("a page that is mostly repeated keeps all it says", () => {
    expect(withoutRepeated(pages[0]!, () => true)).toBe(pages[0]);
  });
});

const withoutParents = (key: string, value: unknown) => (key === "parent" || key === "original" ? undefined : value);
