import { describe, expect, test } from "vitest";
import { datesOf } from "../dates/dates.ts";
import { viewPage } from "../page-view.ts";
import { authorOf } from "./author.ts";

const now = Date.UTC(2026, 0, 1);
const page = (html: string, url = "https://a.example/news/the-rain-in-may-stays") => viewPage(html, { url, now });
const article = (parts: { head?: string; byline?: string; after?: string }) => `<!doctype html><html lang="en"><head>
  <title>The rain in May stays | The Example</title><meta property="og:type" content="article">${parts.head ?? ""}</head>
  <body><nav><a href="/">Home</a></nav><article><header><h1>The rain in May stays</h1>${parts.byline ?? ""}</header>
  ${`<p>${"It rained for a while, and then it rained for a while longer, which nobody liked. ".repeat(4)}</p>`.repeat(5)}
  </article>${parts.after ?? ""}</body></html>`;

describe("the author", () => {
  test.each([
    ["of a byline", { byline: '<p class="byline">By <a href="/author/ann" rel="author">Ann Lee</a></p>' }, ["Ann Lee"]],
    [
      "two of a byline",
      {
        byline:
          '<p class="byline">By <a href="/author/ann" rel="author">Ann Lee</a> and <a href="/author/bob" rel="author">Bob Ray</a></p>',
      },
      ["Ann Lee", "Bob Ray"],
    ],
    [
      "a person in JSON-LD, whom readers see",
      {
        head: '<script type="application/ld+json">{"@type":"NewsArticle","headline":"The rain","author":{"@type":"Person","name":"Ann Lee"}}</script>',
        byline: "<p>Ann Lee</p>",
      },
      ["Ann Lee"],
    ],
    [
      "not who writes a comment",
      {
        byline: '<p class="byline">By <a href="/author/ann" rel="author">Ann Lee</a></p>',
        after: '<section id="comments"><div class="comment"><span class="comment-author">Cy Dow</span><p>I like rain.</p></div></section>',
      },
      ["Ann Lee"],
    ],
    [
      "not who wrote a related page",
      {
        byline: '<p class="byline">By <a href="/author/ann" rel="author">Ann Lee</a></p>',
        after: '<aside class="related"><h3>Snow</h3><span class="author">Bob Ray</span></aside>',
      },
      ["Ann Lee"],
    ],
    ["none where none is named", {}, null],
  ])("%s", (_, parts, expected) => {
    expect(authorOf(page(article(parts)), "weighed").value).toEqual(expected);
  });

  test.each([
    ["rel=author", '<a rel="author" href="/people/dora">Dora Four</a>'],
    [".author", '<span class="author">Emil Five</span>'],
    [".byline", '<div class="byline">Fritz Six</div>'],
    ["itemprop", '<div itemscope itemtype="https://schema.org/Article"><span itemprop="author">Cara Three</span></div>'],
    ["words", "<p>By Greta Seven</p>"],
    ["one word", '<meta name="author" content="Vonnegut">'],
  ])("is taken from a bare page: %s", (_, html) => {
    const view = page(`<html lang="en"><body>${html}<p>A few words of a short page.</p></body></html>`, "https://a.example/p1");
    expect(authorOf(view, "weighed").value).toEqual(authorOf(view, "classic").value);
    expect(authorOf(view, "weighed").value).toHaveLength(1);
  });

  test("that was not taken says why", () => {
    const { value, candidates } = authorOf(page('<meta name="author" content="Jane 4"><p>text', "https://a.example/p1"), "weighed");
    expect(value).toBeNull();
    expect(candidates).toContainEqual({
      source: "meta:author",
      value: ["Jane 4"],
      rejected: expect.stringMatching(/^confidence below 0\.\d\d$/),
    });
  });

  test.each([
    ["is no stranger beside it where the page names him besides", "Ann Lee", ["twitter:data1", "ld:author"]],
    ["may be one where it names somebody else", "Bob Ray", ["twitter:data1", "ld:author", "ld:Person"]],
  ])("whom JSON-LD describes apart from his article %s", (_, name, sources) => {
    const head = `<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="${name}">
      <script type="application/ld+json">{"@graph":[{"@type":"Article","author":{"@id":"#/person/1"}},{"@type":"Person","@id":"#/person/1","name":"Ann Lee"}]}</script>`;
    const { source, candidates } = authorOf(page(article({ head })), "weighed");
    expect([source, ...candidates.map((each) => each.source)].filter((each) => each !== "").toSorted()).toEqual(sources.toSorted());
  });

  test("what was refused says why", () => {
    const { candidates } = authorOf(
      page(
        article({
          head: '<meta property="article:author" content="https://social.example/ann"><meta name="twitter:creator" content="@ann">',
        }),
      ),
      "weighed",
    );
    expect(candidates).toContainEqual({ source: "article:author", value: ["https://social.example/ann"], rejected: "an address" });
    expect(candidates).toContainEqual({ source: "twitter:creator", value: ["@ann"], rejected: "a handle" });
  });

  test.each([
    [
      "the meta goes first",
      '<meta name="author" content="Ann Lee"><meta property="article:author" content="Bob Ray">',
      "",
      "meta:author",
      ["Ann Lee"],
    ],
    [
      "an address is passed over",
      '<meta property="article:author" content="https://social.example/a">',
      '<a rel="author" href="/x">Bob Ray</a>',
      "rel:author",
      ["Bob Ray"],
    ],
    ["a class", "", '<span class="author">Von Anna Meier</span>', ".author", ["Anna Meier"]],
    ["a byline", "", '<span class="byline">Par Luc Petit</span>', ".byline", ["Luc Petit"]],
    ["the words of the page", "", "<p>By Ann Lee</p>", "pattern:By", ["Ann Lee"]],
  ])("in the classic order: %s", (_, head, byline, source, value) => {
    expect(authorOf(page(article({ head, byline })), "classic")).toMatchObject({ source, value, confidence: 1 });
  });
});

describe("the day a page appeared", () => {
  const meta = (property: string, content: string) => `<meta property="${property}" content="${content}">`;
  test.each([
    ["of a meta, with its zone", { head: meta("article:published_time", "2019-05-13T10:15:00+02:00") }, "2019-05-13T10:15:00+02:00"],
    [
      "of JSON-LD",
      {
        head: '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2019-05-13","dateModified":"2019-06-01"}</script>',
      },
      "2019-05-13",
    ],
    ["of a time under the headline", { byline: '<time datetime="2019-05-13">13 May</time>' }, "2019-05-13"],
    ["in words under the headline", { byline: "<p>Published on 13 May 2019</p>" }, "2019-05-13"],
    [
      "not of a comment",
      { byline: "<p>Published on 13 May 2019</p>", after: '<div id="comments"><time datetime="2019-05-20">20 May</time></div>' },
      "2019-05-13",
    ],
    [
      "not what is marked as changed beside it",
      {
        byline:
          '<p class="entry-meta"><time class="entry-date published" datetime="2019-05-13">May 13, 2019</time><time class="updated" datetime="2020-01-02">January 2, 2020</time></p>',
      },
      "2019-05-13",
    ],
    [
      "nor what schema.org calls so",
      { byline: "<p><span itemprop=datePublished>May 13, 2019</span> | <span itemprop=dateModified>January 2, 2020</span></p>" },
      "2019-05-13",
    ],
    [
      "one that is marked as both",
      { byline: '<time class="entry-date published updated" datetime="2019-05-13">May 13, 2019</time>' },
      "2019-05-13",
    ],
    ["in Korean, before what was changed", { byline: "<p>입력 2019.05.13 10:00 | 수정 2020.01.02 11:00</p>" }, "2019-05-13"],
    ["in Korean, after it", { byline: "<ul><li>최종수정 2020-01-02 11:00</li><li>등록 2019-05-13 10:00</li></ul>" }, "2019-05-13"],
    [
      "in numbers, as another source settles which is the month",
      { head: meta("article:published_time", "2019-06-05"), byline: "<p>Published 05/06/2019</p>" },
      "2019-06-05",
    ],
    ["not a copyright notice", { after: "<footer>© 1 January 2020 The Example</footer>" }, null],
    ["none where none is named", {}, null],
  ])("%s", (_, parts, expected) => {
    expect(datesOf(page(article(parts)), "weighed").publishedAt.value).toBe(expected);
  });

  test.each([
    [
      "in a section of reviews",
      '<section class="product-reviews"><p>Ann <time datetime="2019-05-13">May 13, 2019</time></p><p>Nice.</p></section>',
      null,
    ],
    [
      "in schema.org's words",
      '<div itemprop="review" itemscope itemtype="https://schema.org/Review"><meta itemprop="datePublished" content="2019-05-13"><p>May 13, 2019</p><p>Nice.</p></div>',
      null,
    ],
    [
      "not where it is said when the thing appeared",
      '<p>Published on 13 May 2019</p><div class="reviews"><p>May 20, 2019</p></div>',
      "2019-05-13",
    ],
  ])("of something for sale it is no review's: %s", (_, after, expected) => {
    const html = `<title>Feeder</title><div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Feeder</h1><p>€ 20</p>${after}</div>`;
    expect(datesOf(page(html, "https://a.example/feeder"), "weighed").publishedAt.value).toBe(expected);
  });

  test("the address is a clue", () => {
    const { publishedAt } = datesOf(page(article({}), "https://a.example/2019/05/13/the-rain"), "weighed");
    expect([publishedAt, ...publishedAt.candidates]).toContainEqual(expect.objectContaining({ source: "url", value: "2019-05-13" }));
  });

  test.each([
    ["before 1990", "1970-01-01", "before 1990"],
    ["later than today", "2030-01-01", "later than today"],
    ["not this year's", "2027-01-01", "later than today"],
    ["not a day", "2019-02-31", "not a date"],
  ])("what was refused says why: %s", (_, content, rejected) => {
    const { value, candidates } = datesOf(page(article({ head: meta("article:published_time", content) })), "weighed").publishedAt;
    expect(value).toBeNull();
    expect(candidates).toContainEqual({ source: "article:published_time", value: content, rejected });
  });

  test.each([
    [
      "the article's own meta",
      `${meta("article:published_time", "2019-05-13")}<meta name="date" content="2019-05-14">`,
      "article:published_time",
      "2019-05-13",
    ],
    [
      "schema.org's next",
      '<meta itemprop="datePublished" content="2019-05-13"><meta name="date" content="2019-05-14">',
      "itemprop:datePublished",
      "2019-05-13",
    ],
    ["a plain one", '<meta name="date" content="2019-05-14"><meta name="publish-date" content="2019-05-13">', "meta:date", "2019-05-14"],
    ["another name", '<meta name="publish-date" content="2019-05-13">', "meta:publish-date", "2019-05-13"],
  ])("in the classic order: %s", (_, head, source, value) => {
    const byline = '<time datetime="2019-05-20">20 May</time>';
    expect(datesOf(page(article({ head, byline })), "classic").publishedAt).toMatchObject({ source, value });
  });

  test("in the classic order: a time element last", () => {
    const byline = '<time datetime="2019-05-20" pubdate>20 May</time>';
    expect(datesOf(page(article({ byline })), "classic").publishedAt).toMatchObject({ source: "time[pubdate]", value: "2019-05-20" });
  });

  test.each(["classic", "weighed"] as const)("a page may be dated later this year: %s", (cascade) => {
    const head = meta("article:published_time", "2026-11-30");
    expect(datesOf(page(article({ head })), cascade).publishedAt.value).toBe("2026-11-30");
  });

  test.each(["classic", "weighed"] as const)("<time pubdate> says its day in words: %s", (cascade) => {
    const byline = "<time pubdate>2023-05-04</time>";
    expect(datesOf(page(article({ byline })), cascade).publishedAt.value).toBe("2023-05-04");
  });

  test.each([
    [
      "the day of publishing in its head",
      '<meta name="publish-date" content="2021-04-04"><time datetime="2021-05-05">x</time><time pubdate>2021-06-06</time>',
      "2021-04-04",
    ],
    ["the day of publishing", '<time datetime="2020-05-05">x</time><time pubdate datetime="2023-06-06">y</time>', "2023-06-06"],
  ])("where a bare page contradicts itself, %s is taken", (_, html, expected) => {
    expect(datesOf(page(`<html lang="en"><body>${html}<p>A few words.</p></body></html>`), "weighed").publishedAt.value).toBe(expected);
  });

  test("a page that says only when it was changed does not say when it appeared", () => {
    const html = `<html lang="en"><body><h1>Tides</h1><p>How tides come about.</p><footer>Last updated on May 13, 2019.</footer></body></html>`;
    const { publishedAt, modifiedAt } = datesOf(page(html, "https://a.example/manual/tides.html"), "weighed");
    expect([publishedAt.value, modifiedAt.value]).toEqual([null, "2019-05-13"]);
    expect(publishedAt.candidates[0]).toMatchObject({ rejected: "the day of a change" });
  });

  test("the last change is another field", () => {
    const head = meta("article:published_time", "2019-05-13") + meta("article:modified_time", "2019-06-01");
    const { publishedAt, modifiedAt } = datesOf(page(article({ head })), "weighed");
    expect([publishedAt.value, modifiedAt.value]).toEqual(["2019-05-13", "2019-06-01"]);
    expect(modifiedAt.source).toBe("meta:article:modified_time");
  });

  test("what changed before it appeared did not change it", () => {
    const head = meta("article:published_time", "2019-05-13T10:00:00Z") + meta("article:modified_time", "2018-06-01");
    expect(datesOf(page(article({ head })), "weighed").modifiedAt).toMatchObject({
      value: null,
      candidates: [{ source: "meta:article:modified_time", value: "2018-06-01", rejected: "before it appeared" }],
    });
  });
});

describe("hostile pages cost no more than their size", () => {
  test.each([
    ["authors within each other", `${'<div class="author byline">'.repeat(300)}${"<i>By Ann Lee</i> ".repeat(20_000)}`],
    ["a hundred thousand dates", '<time datetime="2019-05-13">13 May 2019</time> '.repeat(100_000)],
    ["metas without end", Array.from({ length: 20_000 }, (_, at) => `<meta name="date${at}" content="2019-05-13">`).join("")],
    ["a script of half names", `<script>${'"author":{'.repeat(100_000)}</script>`],
    ["a script of half dates", `<script>${'"date":"2019-05-1'.repeat(50_000)}</script>`],
    ["a heading without end", `<h1>${"<b>rain ".repeat(100_000)}`],
    ["a name without end", `<p class="byline">By ${"Ann ".repeat(100_000)}</p>`],
  ])("%s", (_, html) => {
    const view = page(html);
    expect(() => [authorOf(view, "weighed"), datesOf(view, "weighed")]).not.toThrow();
    expect(datesOf(view, "weighed").publishedAt.candidates.length).toBeLessThan(500);
  });
});
