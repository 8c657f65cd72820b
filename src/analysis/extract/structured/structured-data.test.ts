import { expect, test } from "vitest";
import { viewPage } from "../page-view.ts";
import { structuredOf } from "./structured-data.ts";

const structured = (html: string) => structuredOf(viewPage(html, { url: "http://a.test/", now: 0 }));
const none = { jsonld: [], microdata: [], rdfa: [], opengraph: {}, twitter: {}, isCut: false };

test.each<[fact: string, html: string, data: object]>([
  ["a page without any has none", "<p>a</p>", {}],
  [
    "JSON-LD is kept as written",
    '<script type="application/ld+json">{"@graph": [{"@id": "#a", "n": 1}]}</script>',
    { jsonld: [{ "@graph": [{ "@id": "#a", n: 1 }] }] },
  ],
  [
    "microdata have types with their vocabulary, and lists of values",
    '<p itemscope itemtype="https://schema.org/A" itemid="#a"><b itemprop="n">1</b><b itemprop="n">2</b><i itemprop="p" itemscope></i></p>',
    { microdata: [{ type: ["https://schema.org/A"], id: "#a", properties: { n: ["1", "2"], p: [{ type: [], properties: {} }] } }] },
  ],
  [
    "a vocabulary with an endless address is none",
    `<div vocab="http://${"a".repeat(100)}"><p typeof="A"><b property="n">1</b></p></div>`,
    { rdfa: [{ type: ["A"], properties: { n: ["1"] } }] },
  ],
  [
    "types of RDFa get the vocabulary in force",
    '<div vocab="https://schema.org"><p typeof="A"><b property="n">1</b></p></div>',
    { rdfa: [{ type: ["https://schema.org/A"], properties: { n: ["1"] } }] },
  ],
  [
    "Open Graph loses its prefix, and its like keep theirs",
    '<meta property="og:title" content=" a  b "><meta name="OG:Type" content="article"><meta property="article:tag" content="x"><meta property="article:tag" content="y"><meta property="site:kind" content="z"><meta name="site:kind" content="no"><meta property="other" content="no">',
    { opengraph: { title: ["a b"], type: ["article"], "article:tag": ["x", "y"], "site:kind": ["z"] } },
  ],
  [
    "what is said of a picture belongs to the one before it",
    '<meta property="og:image" content="/a"><meta property="og:image:url" content="/a"><meta property="og:image:width" content="10"><meta property="og:image" content="/b"><meta property="og:image:alt" content="c">',
    {
      opengraph: {
        image: [
          { url: "/a", width: "10" },
          { url: "/b", alt: "c" },
        ],
      },
    },
  ],
  [
    "of Twitter's the first counts",
    '<meta name="twitter:card" content="a"><meta property="twitter:card" content="b">',
    { twitter: { card: "a" } },
  ],
  ["half a letter is replaced", '<script type="application/ld+json">{"a": "\\ud83e b"}</script>', { jsonld: [{ a: "\ufffd b" }] }],
  [
    "a name that means something to programs is left out",
    '<meta name="twitter:__proto__" content="a"><script type="application/ld+json">{"__proto__": {"a": 1}, "b": 2}</script>',
    { jsonld: [{ b: 2 }] },
  ],
])("%s", (_fact, html, data) => {
  expect(structured(html)).toEqual({ ...none, ...data });
});

test("more than fits is cut, and said, and leaves room for the short ones", () => {
  const list = Array.from({ length: 5000 }, (_, at) => ({ "@type": "ListItem", name: `number ${at}` }));
  const found = structured(`<script type="application/ld+json">${JSON.stringify(list)}</script><meta property="og:title" content="a">`);
  expect(found.isCut).toBe(true);
  expect(found.opengraph).toEqual({ title: ["a"] });
  expect((found.jsonld[0] as unknown[])[0]).toEqual(list[0]);
  const size = JSON.stringify(found).length;
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThan(65_600);
});

test("a long text in it is cut", () => {
  const found = structured(`<script type="application/ld+json">{"articleBody": "${"a".repeat(50_000)}", "b": 1}</script>`);
  expect(found).toMatchObject({ isCut: true, jsonld: [{ articleBody: "a".repeat(8192), b: 1 }] });
});
