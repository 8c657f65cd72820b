import { describe, expect, test } from "vitest";
import { markdownOf } from "../parse/index.ts";
import { mainTextOf } from "./main-text.ts";
import { viewPage } from "./page-view.ts";

const url = "http://birds.test/guide/the-nuthatch-and-its-ways";
const view = (html: string) => viewPage(html, { url, now: Date.UTC(2026, 0, 1) });
const main = (html: string, cascade: "weighed" | "classic" = "weighed") => mainTextOf(view(html), cascade);

const walk =
  "The nuthatch is the only bird of our woods that walks down a trunk head first, and it looks for insects in the bark while it goes.";
const seed =
  "In autumn it takes seeds and nuts, wedges them into cracks, and opens them with its bill; what it does not eat at once, it hides.";
const nest =
  "It nests in holes that woodpeckers have left, and closes the entrance with mud until only the nuthatch itself can pass through it.";
const call =
  "Its call is a loud and clear whistle that carries far through the bare wood in spring, long before there is a leaf on any tree.";
const menu = `<header><a href="/">Birds</a></header><nav><ul>${["Owls", "Tits", "Ducks", "Gulls", "About us"].map((name) => `<li><a href="/${name}">${name}</a></li>`).join("")}</ul></nav>`;
const foot = `<footer><p>© 2026 Birds. All rights reserved.</p><a href="/privacy">Privacy</a> <a href="/imprint">Imprint</a></footer>`;
const shell = (content: string, head = "") =>
  `<!doctype html><html><head><title>The nuthatch</title>${head}</head><body>${menu}${content}${foot}</body></html>`;
const article = (content: string) => shell(`<main><article><h1>The nuthatch</h1>${content}</article></main>`);
const paragraphs = `<p>${walk}</p><p>${seed}</p><p>${nest}</p><p>${call}</p>`;

describe("the main text of a page", () => {
  test.each([
    ["an article in its landmarks", article(paragraphs)],
    [
      "an article in boxes without names",
      shell(`<div><div><div><p>${walk}</p><p>${seed}</p></div><div><p>${nest}</p><p>${call}</p></div></div></div>`),
    ],
    ["paragraphs that are only broken lines", shell(`<div class="text">${[walk, seed, nest, call].join("<br><br>")}</div>`)],
    ["a table that lays the page out", shell(`<table><tr><td><a href="/x">Owls</a></td><td>${paragraphs}</td></tr></table>`)],
  ])("is found: %s", (_, html) => {
    const { field } = main(html);
    for (const said of [walk, seed, nest, call]) expect(field.value).toContain(said);
    expect(field.value).not.toMatch(/Owls|Imprint|All rights/);
    expect(field.confidence).toBeGreaterThan(0.6);
  });

  test("of documentation with code includes its short sections, as the Markdown does", () => {
    const { field, root } = main(
      article(
        `${paragraphs}<pre>nuthatch crawl https://birds.test/\nnuthatch show 1</pre><p>${call}</p>` +
          `<h2>See also</h2><ul><li><a href="/a">nest(1)</a></li><li><a href="/b">seed(5)</a></li></ul>` +
          `<h2>Errors</h2><dl><dt>ENEST</dt><dd>No nest.</dd><dt>ESEED</dt><dd>No seed.</dd></dl>`,
      ),
    );
    for (const said of ["See also", "nest(1)", "seed(5)", "ENEST", "No seed."]) {
      expect(markdownOf(root, { resolve: (href) => href, isPlain: true })).toContain(said);
      expect(field.value).toContain(said);
    }
    expect(field.value).not.toMatch(/Owls|Imprint/);
  });

  test.each([
    ["scripts and styles", `<script>var walk = 1;</script><style>p{color:red}</style>`, /var walk|color/],
    [
      "what is for readers without scripts",
      `<noscript><p>Please turn on scripts to read this guide about birds of the wood.</p></noscript>`,
      /turn on/,
    ],
    ["templates", `<template><p>A card that is drawn later by a script.</p></template>`, /drawn later/],
    [
      "buttons to share with",
      `<div class="social-share"><a href="/f">Share on Facebook</a> <a href="/t">Tweet</a> <a href="/w">WhatsApp</a></div>`,
      /Facebook|Tweet/,
    ],
    [
      "other articles",
      `<aside class="related"><h3>Related articles</h3><ul><li><a href="/1">The owl at night</a></li><li><a href="/2">The duck by day</a></li></ul></aside>`,
      /owl at night|duck by day/,
    ],
    [
      "a cookie notice",
      `<div id="cookie-consent"><p>We use cookies to give you the best experience. By clicking accept you agree to our use of cookies.</p><button>Accept</button></div>`,
      /cookies/,
    ],
  ])("leaves out %s", (_, part, pattern) => {
    const { field } = main(article(`${paragraphs}${part}`));
    expect(field.value).toContain(call);
    expect(field.value).not.toMatch(pattern);
  });

  test("a section of a manual about cookies is no cookie notice", () => {
    const section = `<section id="cookies"><h2>Cookies<a href="#cookies">¶</a></h2><p>To read cookies, use the cookies attribute of the request, a dictionary
      with all the cookies that the client transmits.</p><p>Reading cookies:</p><pre>from web import request\n\ndef index():\n    name = request.cookies.get("name")\n    return name</pre></section>`;
    const { field } = main(article(`${paragraphs}<section id="birds"><h2>Birds</h2><p>${walk} And so on.</p></section>${section}`));
    expect(field.value).toContain("To read cookies");
    expect(field.value).toContain('request.cookies.get("name")');
  });

  test("has each block on its own line, and code as it was", () => {
    const html = article(`${paragraphs}<h2>Counting them</h2><pre>for bird in wood:\n    count(bird)</pre><p>${walk} And so on.</p>`);
    const { field, blocks } = main(html);
    expect(field.value).toBe(blocks.join("\n"));
    expect(field.value).toContain("Counting them\nfor bird in wood:\n    count(bird)\n");
  });

  test("has formulas as they were written, once", () => {
    const formula = `<span class="katex"><math><mi>d</mi><annotation encoding="application/x-tex">d = 2r</annotation></math><span class="katex-html" aria-hidden="true">d=2r</span></span>`;
    expect(
      main(article(`${paragraphs}<p>The hole is as wide as ${formula} where it ends, and no wider than that.</p>`)).field.value,
    ).toContain("as wide as $d = 2r$ where it ends");
  });

  test("languages without spaces are text too", () => {
    const chinese = "五子雀是唯一能头朝下在树干上行走的鸟，它一边走一边在树皮里寻找昆虫，全年都在同一片树林里生活。";
    const html = shell(
      `<div class="content"><p>${chinese}</p><p>${chinese.replace("五子雀", "它")}</p><p>${chinese.replace("昆虫", "种子")}</p></div>`,
    );
    expect(main(html).field.value).toContain(chinese);
  });

  test("a page for scripts alone is read where it speaks to readers without", () => {
    const html = `<body><div id="app"></div><noscript><h1>The nuthatch</h1>${paragraphs}</noscript></body>`;
    expect(main(html).field.value).toContain(nest);
  });

  test.each([
    ["as plain text", [walk, seed, nest].join("\n\n")],
    ["as HTML", [walk, seed, nest].map((each) => `<p>${each}</p>`).join("")],
  ])("a shell tells it %s to machines, and that is taken", (_, articleBody) => {
    const data = JSON.stringify({ "@type": "NewsArticle", articleBody }).replaceAll("<", "\\u003c");
    const { field, blocks, root } = main(shell(`<div id="app"></div>`, `<script type="application/ld+json">${data}</script>`));
    expect(field).toMatchObject({ source: "jsonld:articleBody", value: [walk, seed, nest].join("\n") });
    expect(blocks).toEqual([walk, seed, nest]);
    expect(markdownOf(root, { resolve: () => undefined, isPlain: true })).toBe(`${[walk, seed, nest].join("\n\n")}\n`);
  });

  test.each([
    ["nothing", ""],
    ["no text", "<body><img src=x.png></body>"],
    ["only script", "<script>document.write('x')</script>"],
  ])("%s has none", (_, html) => {
    expect(main(html).field).toMatchObject({ value: null, source: "", confidence: 0 });
    expect(main(html, "classic").field.value).toBeNull();
  });

  test("a book without end goes on as it began", () => {
    const pages = Array.from({ length: 13_000 }, (_, at) => `<p>On day ${at} the nuthatch came down the oak, took a seed, and hid it.</p>`);
    const { field } = main(article(pages.join("")));
    expect(field.value).toContain("On day 12999 the nuthatch");
    expect(field.value).not.toContain("Imprint");
  });

  test("what lost is told, with how likely it was", () => {
    const { field } = main(article(paragraphs));
    expect(field.source).toMatch(/^blocks:/);
    expect(field.candidates.length).toBeGreaterThan(0);
    for (const { rejected, value } of field.candidates) {
      expect(rejected).toMatch(/^\d+ % likely$/);
      expect(value.length).toBeLessThanOrEqual(200);
    }
  });
});

describe("as Markdown, the main text", () => {
  const html = article(
    `${paragraphs}<figure><img src="/n.jpg" alt="A nuthatch on an oak"></figure><h2>Sizes</h2>
     <table><tr><th>Part</th><th>Centimetres</th></tr><tr><td>Body</td><td>14</td></tr><tr><td>Wing</td><td>9</td></tr></table>
     <p>${seed} It remembers most of its hiding places.</p><ul><li>It eats beetles, spiders and larvae in summer.</li><li>It eats beechmast, acorns and hazelnuts in winter.</li></ul>
     <pre><code class="language-js">listen("tuit");</code></pre><p>${call} Listen for it <a href="/when">in March</a>.</p>`,
  );
  const page = view(html);
  const markdown = markdownOf(mainTextOf(page, "weighed").root, { resolve: page.resolve, isPlain: false });

  test.each([
    ["headings", "## Sizes"],
    ["tables", "| Wing | 9 |"],
    ["lists", "- It eats beetles"],
    ["code", '```js\nlisten("tuit");\n```'],
    ["pictures with what they show", "![A nuthatch on an oak](http://birds.test/n.jpg)"],
    ["links, absolute", "[in March](http://birds.test/when)"],
  ])("keeps %s", (_, part) => {
    expect(markdown).toContain(part);
  });

  test("has nothing of what stands around it", () => {
    expect(markdown).not.toMatch(/Owls|Imprint|All rights/);
  });
});

describe("the classic cascade", () => {
  const long = (name: string) => `${name}: ${walk}`;
  test.each([
    ["article", `<div class="content">${long("b")}</div><article>${long("a")}</article>`],
    ["role:main", `<main>${long("b")}</main><div role="main">${long("a")}</div>`],
    ["articleBody", `<main>${long("b")}</main><div itemprop="articleBody">${long("a")}</div>`],
    ["main", `<div class="content">${long("b")}</div><main>${long("a")}</main>`],
    [".content", `<div class="post">${long("b")}</div><div class="x entry-content">${long("a")}</div>`],
    [".article-body", `<div id="content">${long("b")}</div><div class="article-content">${long("a")}</div>`],
    [".post", `<div id="content">${long("b")}</div><div class="entry">${long("a")}</div>`],
    ["#content", `<p>${long("b")}</p><div id="main-content">${long("a")}</div>`],
    ["paragraphs", `<div>${long("b")}</div><p>${long("a")}</p>`],
  ])("takes %s", (source, html) => {
    expect(main(html, "classic").field).toMatchObject({ value: long("a"), source, confidence: 1 });
  });

  test("takes the next where there is too little, and says so", () => {
    const { field } = main(`<article>Short.</article><main><p>${walk}</p></main>`, "classic");
    expect(field).toMatchObject({ value: walk, source: "main" });
    expect(field.candidates).toContainEqual({ source: "article", value: "Short.", rejected: "6 < 50 characters" });
  });

  test("removes script, style, nav, footer, aside and advertisements, and keeps the whole text", () => {
    const noise = `<script>x()</script><style>y{}</style><nav>Menu</nav><footer>Foot</footer><aside>Beside</aside><div class="ad-slot">Buy now</div>`;
    const text = Array.from({ length: 40 }, () => walk);
    const { field } = main(`<article>${noise}${text.map((each) => `<p>${each}</p>`).join("")}</article>`, "classic");
    expect(field.value).toBe(text.join("\n"));
  });
});
