import { expect, test } from "vitest";
import { viewPage } from "../page-view.ts";
import { titleClues, titleOf } from "./title.ts";
import { partsOfTitle } from "./title-cuts.ts";

const page = (html: string, url = "https://www.birdpost.example/news/the-nuthatch-walks-head-first") => viewPage(html, { url, now: 0 });
const head = (...parts: string[]) => `<head>${parts.join("")}</head>`;
const og = (title: string) => `<meta property="og:title" content="${title}">`;

test.each([
  [
    "the heading of the article",
    `<title>The nuthatch walks head first | Bird Post</title><article><h1>The nuthatch walks head first</h1>`,
    "The nuthatch walks head first",
  ],
  [
    "not the site's name in the heading above",
    `<title>The nuthatch walks head first | Bird Post</title><header><h1><a href="/">Bird Post</a></h1></header><article><h2>The nuthatch walks head first</h2>`,
    "The nuthatch walks head first",
  ],
  [
    "the site's name is cut where the page names it",
    `${head("<title>The nuthatch walks head first - Bird Post</title>", '<meta property="og:site_name" content="Bird Post">')}<p>text`,
    "The nuthatch walks head first",
  ],
  [
    "a sign in front of the heading neither",
    `<title>birdpost.example // » The nuthatch walks head first</title><h2>[> The nuthatch walks head first</h2>`,
    "The nuthatch walks head first",
  ],
  ["and where the domain does", `<title>The nuthatch walks head first » BirdPost</title><p>text`, "The nuthatch walks head first"],
  [
    "in front as well",
    `<title>Bird Post: The nuthatch walks head first</title>${og("The nuthatch walks head first")}`,
    "The nuthatch walks head first",
  ],
  [
    "a dash inside of a title stays",
    `<title>Nuthatch – a bird that walks head first | Bird Post</title><article><h1>Nuthatch – a bird that walks head first</h1>`,
    "Nuthatch – a bird that walks head first",
  ],
  [
    "what a page escapes twice is read",
    `<title>Seeds &amp;amp; nuts | Bird Post</title>${og("Seeds &amp;amp; nuts")}<h1>Seeds &amp;amp; nuts</h1>`,
    "Seeds & nuts",
  ],
  [
    "the mark of a heading's own link is no part of it",
    `<title>How a nuthatch walks — Bird Post manual</title><main><h1>How a nuthatch walks<a href="#x">¶</a></h1>`,
    "How a nuthatch walks",
  ],
  [
    "not a banner that leads to another site and is not in the window's title",
    `<title>59. Walking down trees</title><h1><a href="https://owls.example/">Owls of the World</a></h1><h2><a href="the-nuthatch-walks-head-first">Chapter 59 - Walking down trees</a></h2>`,
    "59. Walking down trees",
  ],
  [
    "a heading that links to its own article stays",
    `<title>Birds | Bird Post</title><h1><a href="/news/the-nuthatch-walks-head-first#top">The nuthatch walks head first</a></h1><p>text`,
    "The nuthatch walks head first",
  ],
  [
    "JSON-LD has a headline",
    `<title>Bird Post</title><script type="application/ld+json">{"@type":"NewsArticle","headline":"The nuthatch walks head first"}</script>`,
    "The nuthatch walks head first",
  ],
])("%s", (_, html, expected) => {
  expect(titleOf(page(html), "weighed").value).toBe(expected);
});

test("the manual's name above each of its pages is not their title", () => {
  const html = `<title>Django 3.2.12 release notes — Django 3.2.25 documentation</title>
    <div id="hd"><h1><a href="../index.html">Django 3.2.25 documentation</a></h1></div>
    <div class="section"><h1>Django 3.2.12 release notes<a class="headerlink" href="#notes">¶</a></h1><p>February 1, 2022`;
  const field = titleOf(page(html, "https://docs.example/releases/3.2.12.html"), "weighed");
  expect(field.value).toBe("Django 3.2.12 release notes");
  expect(field.candidates).toContainEqual({
    source: "h1",
    value: "Django 3.2.25 documentation",
    rejected: "it names the page it links to",
  });
});

test.each([
  [
    "where no heading has the rest of it",
    '<h1><a href="../../index.html">Django 3.2.25 documentation</a></h1><h1>Source code for django.urls.converters</h1>',
    "django.urls.converters",
  ],
  [
    "but a heading that links to its own page is",
    '<h1><a href="/_modules/converters.html/?from=top">Django 3.2.25 documentation</a></h1>',
    "Django 3.2.25 documentation",
  ],
])("nor is it %s", (_, body, expected) => {
  const html = `<title>django.urls.converters — Django 3.2.25 documentation</title><div id="hd">${body}</div><p>text`;
  expect(titleOf(page(html, "https://docs.example/_modules/converters.html"), "weighed").value).toContain(expected);
});

test("the name of the site is no title where the page's own is too long to be one", () => {
  const long = "Nuthatch".repeat(40);
  const html = `<title>${long} | Bird Post</title><header><a href="/">Bird Post</a></header><main><h1>${long}</h1><p>The nuthatch walks head first.`;
  expect(titleOf(page(html), "weighed").value).toBeNull();
});

test("a page that names itself has that name, however unlikely", () => {
  const long = "Gerbera: A free media server | Stream your media to devices on your home network";
  const field = titleOf(page(`<title>${long}</title><p>text`, "https://gerbera.io/"), "weighed");
  expect(field).toMatchObject({ value: long, source: "title", confidence: 0.05 });
  expect(field.candidates.map(({ value }) => value)).not.toContain(long);
  expect(titleOf(page(`<title>x</title><p>text`, "https://gerbera.io/"), "weighed").value).toBeNull();
});

test.each([
  ["the first heading", `<h1>One</h1><h1>Two</h1>${og("Three")}`, "One", "h1"],
  ["og:title without one", `${og("Three")}<meta name="twitter:title" content="Four">`, "Three", "og:title"],
  ["twitter:title", `<meta name="twitter:title" content="Four"><title>Five</title>`, "Four", "twitter:title"],
  ["the title element", `<title>Five</title><h2>Six</h2>`, "Five", "title"],
  ["the first smaller heading", `<h2>Six</h2><p itemprop="headline">Seven</p>`, "Six", "h2"],
  ["itemprop", `<p itemprop="headline">Seven</p>`, "Seven", "itemprop:headline"],
  ["too short is passed over", `<h1>No</h1><title>Five</title>`, "Five", "title"],
  ["too long as well", `<h1>${"long ".repeat(50)}</h1><title>Five</title>`, "Five", "title"],
  ["the site's suffix is cut", `<title>Five | Bird Post</title>`, "Five", "title"],
])("classic: %s", (_, html, value, source) => {
  expect(titleOf(page(html), "classic")).toMatchObject({ value, source });
});

const named = '<meta property="og:site_name" content="The Owl Times">';
const separators = [" | ", " - ", " – ", ": ", " :: ", " » "];
test.each(separators)("the site's name is cut at either end, parted by '%s', with both cascades", (separator) => {
  for (const title of [`The Owl Times${separator}A story of the sea`, `A story of the sea${separator}The Owl Times`]) {
    for (const html of [`${named}<title>${title}</title><p>text`, `${named}<title>x</title><h1>${title}</h1>`]) {
      expect(titleOf(page(html), "classic").value).toBe("A story of the sea");
      expect(titleOf(page(html), "weighed").value).toBe("A story of the sea");
    }
  }
});

test.each([
  ["a short name after a bar, which the page does not name", "<h1>My story | Site Name</h1>", "My story"],
  [
    "but a subtitle after a bar stays",
    "<h1>My story | All that happened on the way home</h1>",
    "My story | All that happened on the way home",
  ],
  ["a home page is named by its site", `${named}<title>Home - The Owl Times</title>`, "Home - The Owl Times"],
  [
    "a name that goes on in small letters is a sentence",
    `${named}<h1>The Owl Times: a newspaper for birds</h1>`,
    "The Owl Times: a newspaper for birds",
  ],
  [
    "a part of a heading is no title where the window's title has the whole",
    "<title>json — JSON encoder and decoder — Manual 3.1</title><h1><code>json</code> — JSON encoder and decoder</h1>",
    "json — JSON encoder and decoder",
  ],
  [
    "nor is the name of a module without what it does",
    '<title>os.path — Common pathname manipulations — Manual 3.1</title><h1><a href="#m"><code>os.path</code></a> — Common pathname manipulations</h1>',
    "os.path — Common pathname manipulations",
  ],
  ["nor does one begin with a dash", "<h1><code>json</code> — JSON encoder</h1>", "json — JSON encoder"],
  ["what only Twitter is told", '<meta name="twitter:title" content="A story of the sea">', "A story of the sea"],
  ["a smaller heading, where there is no other", "<h2>A story of the sea</h2>", "A story of the sea"],
])("by default: %s", (_, html, expected) => {
  expect(titleOf(page(html), "weighed").value).toBe(expected);
});

test("what was not taken says why", () => {
  const { candidates } = titleOf(page(`<h1>Hi</h1><title>A page about nuthatches</title>`), "weighed");
  expect(candidates).toContainEqual({ source: "h1", value: "Hi", rejected: "2 < 3 characters" });
});

test.each([
  ["nothing to part", "Plain title", []],
  ["both sides", "Title | Site", ["Title", "Site"]],
  ["each of three, and two together", "A one - B two - C three", ["A one", "B two - C three", "B two", "A one - B two", "C three"]],
  ["a dash inside of a word parts nothing", "Self-made well-known", []],
  ["an unspaced dash before the site's name, where words have no spaces", "鳥は木を歩く-鳥新聞", ["鳥は木を歩く", "鳥新聞"]],
])("parts of a title: %s", (_, title, expected) => {
  expect(partsOfTitle(title).map(({ value }) => value)).toEqual(expected);
});

test("a heading that links to its own page is the title, however the link is escaped", () => {
  const html = `<title>Bird Post | Head first</title><h1>Bird Post</h1><h2><a href="/news/the-nuthatch%27s-way">The nuthatch's way</a></h2>`;
  const here = page(html, "https://www.birdpost.example/news/the-nuthatch's-way");
  const { value, candidates } = titleOf(here, "weighed");
  expect([value, ...candidates.filter(({ rejected }) => rejected === undefined).map((each) => each.value)]).toContain("The nuthatch's way");
});

test("a button in the heading is no part of it", () => {
  const html = `<title>Nuthatch in wood</title><h1>Enum <span>Nuthatch</span> <button>Copy item path</button></h1>`;
  const values = titleClues(page(html)).map(({ value }) => value);
  expect(values).toContain("Enum Nuthatch");
  expect(values.join()).not.toContain("Copy");
});
