import { describe, expect, test } from "vitest";
import { parseDocument } from "./index.ts";

const read = (html: string, url = "http://a.test/dir/page") =>
  parseDocument({ bytes: Buffer.from(html), url, contentType: "text/html; charset=utf-8", as: "page", embeddedLinks: true });

const urls = (html: string) => read(html).links.map((link) => link.url);

test.each([
  ["an anchor", '<a href="x">t</a>', ["http://a.test/dir/x"]],
  ["an area and a frame", '<map><area href="/a" alt="A"></map><iframe src="/f"></iframe>', ["http://a.test/a", "http://a.test/f"]],
  ["images, scripts and style sheets are no links", "<img src=/i.png><script src=/s.js></script><link rel=stylesheet href=/c.css>", []],
  [
    "rel next and prev",
    '<link rel="next" href="?p=2"><link rel="prev" href="?p=0">',
    ["http://a.test/dir/page?p=2", "http://a.test/dir/page?p=0"],
  ],
  [
    "an alternate style sheet is no page",
    '<link rel="alternate stylesheet" href="/c.css"><link rel=alternate hreflang=de href=/de>',
    ["http://a.test/de"],
  ],
  ["unquoted and upper-case attributes", "<A HREF=/x>t</A>", ["http://a.test/x"]],
  ["the first of two hrefs counts", '<a href="/one" href="/two">t</a>', ["http://a.test/one"]],
  ["entities in attributes are decoded", '<a href="/?a=1&amp;b=2&copy=3">t</a>', ["http://a.test/?a=1&b=2&copy=3"]],
  ["white space around the href is dropped", '<a href="\n /x ">t</a>', ["http://a.test/x"]],
  ["an anchor without href is a place, not a link", "<a name=top>t</a>", []],
  ["an empty href leads to the page itself", '<a href="">t</a>', ["http://a.test/dir/page"]],
  ["what cannot be parsed is kept without URL", '<a href="http://[">t</a>', [undefined]],
  ["NUL becomes the replacement letter", "<a href='/a\0b'>t</a>", ["http://a.test/a%EF%BF%BDb"]],
  ["comments hide links", "<!-- <a href=/x>t</a> --><a href=/y>t</a>", ["http://a.test/y"]],
  ["a comment may end with --!>", "<!-- x --!><a href=/y>t</a>", ["http://a.test/y"]],
  [
    "scripts, styles and text areas hide links",
    "<script>'<a href=/x>'</script><style><a href=/x></style><textarea><a href=/x></textarea>",
    [],
  ],
  ["templates hide links", "<template><p><a href=/x>t</a></template><a href=/y>t</a>", ["http://a.test/y"]],
  ["noscript shows its links", "<noscript><a href=/x>t</a></noscript>", ["http://a.test/x"]],
  ["nested anchors are two links", "<a href=/x>one<a href=/y>two</a>", ["http://a.test/x", "http://a.test/y"]],
  ["an SVG may close itself", "<svg/><title>t</title><a href=/x>t</a>", ["http://a.test/x"]],
  ["an unclosed SVG ends at the next block", "<svg><title>no</title><div><a href=/x>t</a></div>", ["http://a.test/x"]],
] as [string, string, (string | undefined)[]][])("links: %s", (_, html, expected) => {
  expect(urls(html)).toEqual(expected);
});

test.each([
  [
    "the first base with an href wins, for links before it too",
    '<a href=x>t</a><base target=_top><base href="/b/"><base href="/c/">',
    "http://a.test/b/x",
  ],
  ["an empty base is the page", '<base href=""><a href=x>t</a>', "http://a.test/dir/x"],
  ["a data: base is ignored", '<base href="data:,x"><base href="/c/"><a href=x>t</a>', "http://a.test/dir/x"],
  ["a base that cannot be parsed is ignored", '<base href="http://["><a href=x>t</a>', "http://a.test/dir/x"],
  ["a base on another host", '<base href="https://b.test/"><a href=x>t</a>', "https://b.test/x"],
])("base: %s", (_, html, expected) => {
  expect(read(html).links[0]?.url).toBe(expected);
});

test("a legacy document writes its query in its own encoding, and its path in UTF-8", () => {
  const bytes = Buffer.from('<a href="/\u00fc?q=\u00fc\u20ac">t</a>'.replace("\u20ac", "&#x4e00;"), "latin1");
  const { links, charset } = parseDocument({
    bytes,
    url: "http://a.test/",
    contentType: "text/html; charset=iso-8859-1",
    as: "page",
    embeddedLinks: false,
  });
  expect(charset).toBe("windows-1252");
  expect(links[0]?.url).toBe("http://a.test/%C3%BC?q=%FC%26%2319968%3B");
});

describe("what is seen around a link", () => {
  const html = `<h2>Fees</h2><ul><li>See the <a href=/f title=" All  fees " rel="NoFollow"> full
    <b>list</b></a> of fees.</li><li>Next</li></ul>
    <a href=/card><h3>Card</h3><p>Words</p></a><a href=/img><img alt="A picture"></a>`;
  const links = read(html).links;

  test.each([
    ["its text, tidied", 0, "text", "full list"],
    ["its title", 0, "title", "All fees"],
    ["its rel in lower case", 0, "rel", "nofollow"],
    ["the heading before it", 0, "heading", "Fees"],
    ["the block it stands in", 0, "block", "See the full list of fees."],
    ["an anchor around blocks has all their text", 1, "text", "Card Words"],
    ["and the first block as its own", 1, "block", "Card"],
    ["an image lends its alternative text", 2, "text", "A picture"],
    ["its place among the links", 2, "position", 2],
  ] as const)("%s", (_, at, field, expected) => {
    expect(links[at]?.[field]).toBe(expected);
  });

  test("a link inside a heading belongs to that heading", () => {
    expect(read("<h2>Old</h2><h2><a href=/n>New</a></h2>").links[0]?.heading).toBe("New");
  });

  test("long texts are cut without splitting a letter", () => {
    const text = read(`<a href=/x>${"😀".repeat(300)}</a>`).links[0]?.text ?? "";
    expect(text.length).toBe(200);
    expect(text).not.toMatch(/\p{Surrogate}/u);
  });
});

test.each([
  ["furniture is left out", "<nav>Menu</nav><header>Top</header><main><p>Words</p></main><aside>Ad</aside><footer>End</footer>", ["Words"]],
  ["the header of an article is not furniture", "<article><header><h1>T</h1></header><p>Words</p></article>", ["T", "Words"]],
  [
    "scripts, styles, templates and noscript are left out",
    "<style>x{}</style><script>x</script><template>x</template><noscript>x</noscript><p>Words",
    ["Words"],
  ],
  [
    "controls of a form are left out",
    "<form><label>Name</label><button>Go</button><select><option>1</select><p>Words</p></form>",
    ["Words"],
  ],
  ["unless noscript is all there is", `<noscript><p>${"Words".repeat(50)}</p></noscript><script src=/x></script>`, ["Words".repeat(50)]],
  ["white space is folded over inline elements", "<p>a <b> b</b>\n\tc&nbsp;d</p>", ["a b c d"]],
  ["a line break separates words", "<p>one<br>two</p>", ["one two"]],
  ["list items and cells are blocks", "<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>", ["a", "b", "c", "d"]],
  ["an unclosed nav ends with what holds it", "<div><nav>Menu</div><p>Words</p>", ["Words"]],
  ["NUL and stray surrogates never get through", "<p>a\0b&#xD800;c</p>", ["a b\ufffdc"]],
] as [string, string, string[]][])("main text: %s", (_, html, expected) => {
  expect(read(html).blocks).toEqual(expected);
});

test.each([
  ["the title first", "<title> A &amp; B </title><h1>C</h1>", { value: "A & B", source: "title" }],
  ["else the first h1", "<title> </title><h1>C</h1><h1>D</h1>", { value: "C", source: "h1" }],
  ["an h1 that is never closed", "<h1>C<h2>D", { value: "C", source: "h1" }],
  ["else og:title", '<meta property="og:title" content="E">', { value: "E", source: "og:title" }],
  ["an SVG's title is not the page's", "<svg><title>icon</title></svg>", undefined],
])("title: %s", (_, html, expected) => {
  expect(read(html).title).toEqual(expected);
});

test("a page's word about itself", () => {
  const page = read(`<html lang="de-AT"><meta name=Description content="D"><meta name=robots content=noindex>
    <meta name=GoogleBot content=nofollow><link rel=canonical href=/c><meta http-equiv=refresh content="5; url='/r'">`);
  expect(page).toMatchObject({
    lang: { value: "de-AT", source: "html:lang" },
    description: { value: "D", source: "meta:description" },
    robots: [
      { name: "robots", content: "noindex" },
      { name: "googlebot", content: "nofollow" },
    ],
    canonical: "http://a.test/c",
    refresh: { seconds: 5, url: "http://a.test/r" },
  });
  expect(page.links.map((link) => link.kind)).toEqual(["canonical", "refresh"]);
});

test.each([
  ["scripts and no text", "<div id=root></div><script src=/app.js></script>", true],
  ["no scripts", "<div id=root></div>", false],
  ["scripts and text", `<p>${"word ".repeat(100)}</p><script>x</script>`, false],
  ["scripts, and text only around the main part", `<nav>${"word ".repeat(100)}</nav><main></main><script>x</script>`, true],
  ["data in a script is not a script", '<script type="application/ld+json">{}</script>', false],
])("looks scripted: %s", (_, html, expected) => {
  expect(read(html).looksScripted).toBe(expected);
});

test.each([
  ["100,000 nested elements", `${"<div>".repeat(100_000)}<a href=/x>t</a>`, 1],
  ["100,000 nested templates stay inert", `${"<template>".repeat(100_000)}<a href=/x>t</a>`, 0],
  ["50,000 links", "<a href=/x>t</a>".repeat(50_000), 50_000],
  ["50,000 unclosed anchors", "<a href=/x>t".repeat(50_000), 50_000],
  ["an attribute of ten megabytes", `<a href="/${"x".repeat(10_000_000)}">t</a><a href=/y>t</a>`, 2],
  ["ten megabytes of entities", `<p>${"&amp;".repeat(2_000_000)}</p><a href=/y>t</a>`, 1],
  ["a tag that never ends", `<a href=/x>t</a><a ${"x ".repeat(100_000)}`, 1],
  ["a comment that never ends", `<a href=/x>t</a><!-- ${"-".repeat(1_000_000)}`, 1],
])("hostile: %s", (_, html, count) => {
  expect(read(html).links.length).toBe(count);
});

test("what a longer document left behind is not read as the end of a shorter one", () => {
  const whole = "<title>T</title><a href=/x title='t' hidden>t</a><!-- c --><a href=/y><br/></p ><![CDATA[ d ]]><a href=/z";
  for (let end = 0; end <= whole.length; end += 1) {
    const [first, ...others] = [" ", ">", "=", "'", "/", "-", "a"].map((left) => {
      read(left.repeat(500));
      return read(whole.slice(0, end));
    });
    for (const other of others) expect(other).toEqual(first);
  }
});
