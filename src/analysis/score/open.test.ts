import { describe, expect, test } from "vitest";
import { match } from "./match.ts";
import { openScorer } from "./open.ts";
import type { LinkSight, ScorerKind } from "./scorer.ts";

const link = (text: string, more: Partial<LinkSight> = {}): LinkSight => ({ text, url: "https://a.test/", ...more });
const matchOf = (kind: ScorerKind, keyword: string, sight: LinkSight) => openScorer([keyword], { kind }).match(sight)[0]!;

describe.each<ScorerKind>(["lexical", "embedded"])("%s", (kind) => {
  test.each(["Download the annual town budget", "Low budget films", "Budgets of the past"])(
    "the word itself is a whole match: %s",
    (text) => {
      expect(matchOf(kind, "budget", link(text))).toBe(1);
    },
  );

  test.each([
    ["the word itself is more than a form of it", "grant", link("Grants"), link("Granting")],
    ["a form of it is more than another word", "budget", link("Budgeting"), link("Gadgets")],
    ["what the link is called is more than what it stands under", "zoning", link("Zoning"), link("Maps", { heading: "Zoning" })],
    ["the heading is more than the block", "zoning", link("Maps", { heading: "Zoning" }), link("Maps", { context: "Zoning Maps" })],
    ["the block is more than nothing", "zoning", link("Maps", { context: "Zoning Maps" }), link("Choir")],
    ["the address is read", "zoning", link("Click here", { url: "https://a.test/zoning.aspx" }), link("Click here")],
    ["the title is read", "zoning", link("More", { title: "Zoning" }), link("More")],
    ["accents are no matter", "élection", link("Elections"), link("Menu")],
    ["a phrase is more than its words apart", "water bill", link("Water bills"), link("Bill for water")],
    ["all the words are more than one", "water bill", link("Bill for water"), link("Bill")],
    [
      "one that says itself where it leads is not about its heading",
      "zoning",
      link("Maps", { heading: "Zoning" }),
      link("Cats of the harbour", { heading: "Zoning" }),
    ],
    ["nor is one that stands on every page", "zoning", link("Maps", { heading: "Zoning" }), link("Home", { heading: "Zoning" })],
    ["words may stand above one another", "board minutes", link("Minutes", { heading: "Board" }), link("Minutes")],
    ["Chinese has no spaces", "预算", link("2025年预算报告"), link("2025年报告")],
    ["Korean hangs its endings on", "채용", link("채용정보"), link("정보")],
    ["German joins its words", "Klima", link("Klimaschutzkonzept"), link("Konzept")],
  ])("%s", (_, keyword, better, worse) => {
    expect(matchOf(kind, keyword, better)).toBeGreaterThan(matchOf(kind, keyword, worse));
  });

  test("nothing in common is nothing", () => {
    expect(matchOf(kind, "zoning", link("Choir looks for tenors", { heading: "Culture", url: "https://a.test/choir" }))).toBe(0);
  });

  test("its name tells how it judges", () => {
    expect(openScorer([], { kind }).name).toMatch(new RegExp(`^${kind}\\.\\d+$`));
  });

  test.each([
    ["no keywords", []],
    ["keywords without a word", ["", "–", "🙂"]],
    ["a keyword twice", ["zoning", "zoning"]],
  ])("%s: an answer for each", (_, keywords) => {
    expect(openScorer(keywords, { kind }).match(link("Zoning"))).toHaveLength(keywords.length);
    expect(openScorer(keywords, { kind }).matchText("Zoning")).toHaveLength(keywords.length);
  });

  test("a text that begins with it is more about it than one that mentions it, and that more than one that does not", () => {
    const filler = "The choir sang in the old hall and everybody went home happy. ".repeat(30);
    const texts = [`Zoning map ${filler}`, `${filler} Zoning. ${filler}`, filler];
    const [begins, mentions, silent] = texts.map((text) => openScorer(["zoning"], { kind }).matchText(text)[0]!);
    expect(begins).toBeGreaterThan(mentions!);
    expect(mentions).toBeGreaterThan(silent!);
    expect(silent).toBe(0);
  });
});

test.each([
  ["the word or its plural is a whole match", "grant", link("Grants"), 1],
  ["so it is in the address", "grant", link("More", { url: "https://a.test/grants" }), 1],
  ["another word is nothing", "job", link("Careers"), 0],
])("words alone: %s", (_, keyword, sight, expected) => {
  expect(matchOf("lexical", keyword, sight)).toBeCloseTo(expected, 5);
});

test.each([
  ["another name", "internship", link("Apprenticeships")],
  ["an abbreviation", "procurement", link("RFP 24-07 Street Sweeping")],
  ["another language", "housing", link("Vivienda y alquiler")],
  ["another script", "news", link("お知らせ")],
  ["what means nearly the same, though nobody listed it", "volcano", link("Lava and eruptions")],
])("with meanings: %s counts, below the word itself", (_, keyword, sight) => {
  const found = matchOf("embedded", keyword, sight);
  expect(found).toBeGreaterThan(0.3);
  expect(found).toBeLessThan(0.99);
});

test("a batch answers by keyword, whatever the keyword is called", () => {
  const [first, second] = match([link("Zoning map"), link("__proto__ and constructor")], ["zoning", "__proto__", "constructor"]);
  expect(Object.entries(first!).map(([keyword, value]) => [keyword, value > 0.5])).toEqual([
    ["zoning", true],
    ["__proto__", false],
    ["constructor", false],
  ]);
  expect(Object.entries(second!).map(([, value]) => value > 0.5)).toEqual([false, true, true]);
});
