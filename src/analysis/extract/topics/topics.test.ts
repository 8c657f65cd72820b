import { describe, expect, test } from "vitest";
import { extract, extractWithSources } from "../index.ts";
import { classicRules, normaliseTopic, topicKey, weighedRules } from "./normalise-topic.ts";
import { parentsOf } from "./topic-parents.ts";
import { analyseTopics } from "./topic-words.ts";

const s2Page = `<html lang="en"><head><title>A React tutorial</title>
<meta name="keywords" content="web development, javascript, react">
<meta property="article:tag" content="frontend"><meta property="article:tag" content="coding"></head>
<body><article><h1>A React tutorial</h1><p>React is a library for the frontend, written in JavaScript. Programming with it is what many a developer calls
web development today: a developer writes code in components, and reads more code than that. Coding with components keeps the code of a page in one
place, and a developer who has to change it finds it there.</p></article></body></html>`;
const s2Address = "https://example.com/blog/react-tutorial";

describe("a worked example", () => {
  const { value, source } = extractWithSources(s2Page, s2Address, { cascade: "classic" }).topics;

  test("comes out to the letter under the classic cascade", () => {
    expect(value?.map(({ name }) => name)).toEqual(["web development", "javascript", "react", "frontend", "coding", "technology"]);
    expect(source).toBe("meta:keywords+article:tag+content:analysis");
  });

  test("says of each topic where it stood and what it belongs to", () => {
    expect(value?.[2]).toEqual({
      name: "react",
      source: "meta:keywords+url:path",
      confidence: 1,
      parents: ["javascript", "programming", "technology"],
    });
    expect(value?.[5]).toMatchObject({ name: "technology", source: "content:analysis" });
  });

  test("gives the page's own topics when all is weighed, and keeps the rest as candidates", () => {
    const { topics } = extractWithSources(s2Page, s2Address);
    expect(new Set(topics.value?.map(({ name }) => name))).toEqual(
      new Set(["web development", "javascript", "react", "frontend", "coding"]),
    );
    expect(topics.candidates).toContainEqual({ source: "content:analysis", value: [expect.objectContaining({ name: "technology" })] });
  });
});

describe("topics of a site's user", () => {
  test.each([
    ["come first and are kept as they were written", ["My Site"], ["My Site", "web development"]],
    ["are not repeated by the page's", ["JavaScript", "javascript"], ["JavaScript", "web development"]],
    ["are not repeated in the plural", ["Web developments"], ["Web developments", "javascript"]],
  ])("%s", (_, own, first) => {
    const names = extractWithSources(s2Page, s2Address, { cascade: "classic", topics: own }).topics.value!.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(first);
    expect(names.length).toBeLessThanOrEqual(10);
  });

  test("are kept even where they are more than ten, and leave no room", () => {
    const own = Array.from({ length: 12 }, (_, at) => `own topic ${"abcdefghijkl"[at]}`);
    expect(extract(s2Page, s2Address, { topics: own }).topics).toEqual(own);
  });
});

const story = "The council met on Tuesday to speak about the harbour, the ferries and what both of them cost the town each year. ".repeat(
  6,
);
const body = (more: string) => `<main><article><h1>Harbour plans</h1><p>${story}</p><p>${story}</p>${more}</article></main>`;
const page = (head: string, more = "", around = "") =>
  `<html lang="en"><head><title>Harbour plans</title>${head}</head><body>${around}${body(more)}</body></html>`;
const tags = (...names: string[]) =>
  `<footer class="entry-footer"><span class="tags-links">Tags: ${names.map((name) => `<a href="/tag/${name}/" rel="tag">${name}</a>`).join(", ")}</span></footer>`;

describe("topics that a page names", () => {
  test.each([
    ["tags under an article", page("", tags("harbour", "ferries", "council")), ["council", "ferries", "harbour"]],
    [
      "tags in the head that keywords repeat",
      page(
        '<meta property="article:tag" content="Harbour"><meta property="article:tag" content="Ferries"><meta name="news_keywords" content="harbour,ferries">',
      ),
      ["ferries", "harbour"],
    ],
    [
      "a menu of sections names none",
      page("", "", '<nav class="menu"><a href="/topics/sport">Sport</a><a href="/topics/life">Life</a></nav>'),
      [],
    ],
    ["a page without any has none", page(""), []],
    [
      "a heap of keywords that the page does not speak of is no list of topics",
      page(
        `<meta name="keywords" content="${"cheap pills, casino, loans, poker, dating, watches, ".repeat(1)}seo,deals,free,win,bonus,cash,credit,slots,vip">`,
      ),
      [],
    ],
    ["accents and other alphabets stay", page("", tags("Übersee", "Порт", "港口")), ["übersee", "порт", "港口"]],
  ])("%s", (_, html, expected) => {
    expect((extract(html, "https://town.example/2024/harbour-plans").topics ?? []).toSorted()).toEqual(expected);
  });
});

describe("a page that declares topics has topics", () => {
  const inHead = (name: string, content: string) => page(`<meta name="${name}" property="${name}" content="${content}">`);
  test.each([
    ["keywords that its text speaks of", inHead("keywords", "harbour, ferries, tide tables"), ["ferries", "harbour", "tide tables"]],
    ["keywords that stand nowhere else", inHead("keywords", "web development, python"), ["python", "web development"]],
    ["one keyword", inHead("keywords", "lighthouses"), ["lighthouses"]],
    ["a section", inHead("article:section", "Local politics"), ["local politics"]],
    ["a category without a link", page("", '<span class="category">Local politics</span>'), ["local politics"]],
    ["tags without links", page("", '<div class="tags">Tags: Harbour, Ferries</div>'), ["ferries", "harbour"]],
    [
      "tags in elements of their own",
      page("", '<p><span class="tag">Harbour</span> <span class="tag">Ferries</span></p>'),
      ["ferries", "harbour"],
    ],
    ["a list of tags", page("", '<ul class="tags"><li>Harbour</li><li>Ferries</li></ul>'), ["ferries", "harbour"]],
  ])("%s", (_, html, expected) => {
    expect((extract(html, "https://town.example/2024/harbour-plans").topics ?? []).toSorted()).toEqual(expected);
  });

  test.each([
    [
      "keywords by the dozen of which the page does not speak",
      "pills, casino, loans, poker, dating, watches, seo, deals, bonus, cash, slots, vip",
      "spam: 12 names, 0 of them on the page",
    ],
    [
      "one word in most keywords",
      "bcdfghjklmnp"
        .split("")
        .map((letter) => `${letter}ab town`)
        .join(),
      'spam: "town" in 12 of 12 names',
    ],
    ["a stop word", "home", "a stop word"],
    ["a number", "2024", "a number"],
  ])("or the reason is in the record: %s", (_, keywords, reason) => {
    const { value, candidates } = extractWithSources(inHead("keywords", keywords), "https://town.example/2024/harbour-plans").topics;
    expect(value).toBeNull();
    expect(candidates.find(({ source }) => source === "meta:keywords")?.rejected).toBe(reason);
  });

  test("classic cascade: each item of a list of tags is a topic", () => {
    const html = page("", '<ul class="tags"><li>Harbour</li><li>Council</li></ul>');
    const names = extract(html, "https://town.example/", { cascade: "classic" }).topics;
    expect(names).toEqual(expect.arrayContaining(["harbour", "council"]));
  });
});

describe("spelling", () => {
  test.each([
    ["small letters", "Web Development", "web development"],
    ["hyphens and spaces stay, other signs go", "rock & roll: a-z!", "rock roll a-z"],
    ["a leading # goes", "#Climate", "climate"],
    ["accents stay", "Économie", "économie"],
  ])("classic: %s", (_, raw, name) => expect(normaliseTopic(raw, classicRules)).toEqual({ name }));

  test.each([
    ["too short", "ab", "2 < 3 characters"],
    ["too long", "x".repeat(31), "31 > 30 characters"],
    ["numbers", "2024", "a number"],
    ["stop words", "The", "a stop word"],
  ])("classic: %s is no topic", (_, raw, rejected) => expect(normaliseTopic(raw, classicRules)).toEqual({ rejected }));

  test.each([
    ["C++", "c++"],
    ["R&B", "r&b"],
    ["U.S. politics", "u.s. politics"],
    ["EU", "eu"],
  ])("ours keeps %s whole", (raw, name) => expect(normaliseTopic(raw, weighedRules)).toEqual({ name }));

  test("one topic in two spellings has one key", () => {
    expect(new Set(["climate-change", "climate change", "climate changes"].map(topicKey)).size).toBe(1);
  });
});

describe("content analysis", () => {
  test.each([
    ["one keyword is not enough", "A developer sleeps.", []],
    ["the same keyword twice is one", "Developer, developer.", []],
    ["two different ones are", "A developer writes code.", ["technology"]],
    ["whole words only", "Decoded hardwares? softwarehouse", []],
    ["the plural counts", "Developers love computers.", ["technology"]],
    ["a keyword of two words", "Machine learning and chatbots.", ["ai"]],
    ["the lists that are ours", "The chef wrote a recipe.", ["food"]],
  ])("%s", (_, text, names) => expect(analyseTopics(text).map(({ name }) => name)).toEqual(names));
});

test.each([
  ["react", ["javascript", "programming", "technology"]],
  ["bundesliga", ["football", "sports"]],
  ["no such topic", []],
])("parents of %s", (topic, expected) => expect(parentsOf(topic)).toEqual(expected));
