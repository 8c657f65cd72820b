import { describe, expect, test } from "vitest";
import { viewPage } from "../page-view.ts";
import { firstText, itemsIn, itemsOfType, type SchemaItem, textsIn } from "./schema-items.ts";

const view = (html: string) => viewPage(html, { url: "http://a.test/dir/page", now: 0 });

/** An item as a plain object, for comparison in the tables of facts. */
const plain = ({ types, id, properties }: SchemaItem): object => ({
  ...(types.length > 0 && { is: types.join(" ") }),
  ...(id !== undefined && { id }),
  ...Object.fromEntries(
    [...properties].map(([name, values]) => {
      const all = values.map((value) => (typeof value === "string" ? value : plain(value)));
      return [name, all.length === 1 ? all[0] : all];
    }),
  ),
});

const jsonLd = (json: unknown) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`;

describe("JSON-LD", () => {
  test.each<[fact: string, json: unknown, items: object[]]>([
    ["types and names lose their vocabulary", { "@type": "http://schema.org/Thing", "schema:name": "n" }, [{ is: "Thing", name: "n" }]],
    [
      "a thing may have several types",
      { "@type": ["Article", "schema:NewsArticle"], name: "n" },
      [{ is: "Article NewsArticle", name: "n" }],
    ],
    ["all of a graph stand by themselves", { "@graph": [{ "@type": "A" }, { "@type": "B" }] }, [{ is: "A" }, { is: "B" }]],
    [
      "a thing within another is its property",
      { "@type": "A", author: { "@type": "P", name: "n" } },
      [{ is: "A", author: { is: "P", name: "n" } }],
    ],
    ["numbers are text, and nothing is nothing", { "@type": "A", count: 3, empty: null }, [{ is: "A", count: "3" }]],
    [
      "values in wrappers are values",
      { "@type": "A", a: { "@value": "x" }, b: { "@list": ["y", "z"] } },
      [{ is: "A", a: "x", b: ["y", "z"] }],
    ],
    [
      "entities in values are decoded, addresses are left alone",
      { "@type": "A", a: "b&#39;s", u: "/?a=1&copy=2" },
      [{ is: "A", a: "b's", u: "/?a=1&copy=2" }],
    ],
    [
      "a reference is what it refers to, wherever that stands",
      [
        { "@type": "A", author: { "@id": "#p" } },
        { "@type": "P", "@id": "#p", name: "n" },
      ],
      [
        { is: "A", author: { is: "P", id: "#p", name: "n" } },
        { is: "P", id: "#p", name: "n" },
      ],
    ],
    [
      "things that refer to each other end after one step",
      [
        { "@type": "A", "@id": "#a", b: { "@id": "#b" } },
        { "@type": "B", "@id": "#b", a: { "@id": "#a" } },
      ],
      [
        { is: "A", id: "#a", b: { is: "B", id: "#b", a: { id: "#a" } } },
        { is: "B", id: "#b", a: { is: "A", id: "#a", b: { id: "#b" } } },
      ],
    ],
    [
      "a thing may refer to itself",
      { "@type": "A", "@id": "#a", n: "1", a: { "@id": "#a" } },
      [{ is: "A", id: "#a", n: "1", a: { is: "A", id: "#a", n: "1", a: { id: "#a" } } }],
    ],
  ])("%s", (_fact, json, items) => {
    expect(view(jsonLd(json)).items.map(plain)).toEqual(items);
  });

  test("names that mean something to programs are names", () => {
    const [item] = view('<script type="application/ld+json">{"@type": "A", "__proto__": "x", "constructor": "y"}</script>').items;
    expect([...item!.properties]).toEqual([
      ["__proto__", ["x"]],
      ["constructor", ["y"]],
    ]);
  });

  test("depth without end is cut", () => {
    const deep = (open: string, close: string) =>
      view(`<script type="application/ld+json">${open.repeat(200_000)}1${close.repeat(200_000)}</script>`);
    expect(deep("[", "]").items).toEqual([]);
    expect(deep('{"a":', "}").items).toHaveLength(1);
  });
});

describe("microdata", () => {
  test.each<[fact: string, html: string, items: object[]]>([
    [
      "a scope is an item, and what is marked inside are its properties",
      '<p itemscope itemtype="http://schema.org/A"><b itemprop="name"> a  b </b></p>',
      [{ is: "A", name: "a b" }],
    ],
    ["an element may be several properties", '<p itemscope><b itemprop="a b">x</b></p>', [{ a: "x", b: "x" }]],
    [
      "a scope that is a property is an item inside",
      '<p itemscope><b itemprop="author" itemscope itemtype="P"><i itemprop="name">n</i></b></p>',
      [{ author: { is: "P", name: "n" } }],
    ],
    [
      "a scope inside that is no property stands by itself",
      '<div itemscope itemtype="A"><p itemscope itemtype="B"><i itemprop="n">1</i></p></div>',
      [{ is: "A" }, { is: "B", n: "1" }],
    ],
    ["a property of nothing is nothing", '<b itemprop="name">x</b>', []],
    ["a scope that is the property of nothing stands by itself", '<p itemscope itemprop="x" itemtype="A">', [{ is: "A" }]],
    ["a meta's value is its content", '<p itemscope><meta itemprop="a" content=" x "></p>', [{ a: "x" }]],
    [
      "a link's value is its address",
      '<p itemscope><a itemprop="a" href="x">y</a><link itemprop="b" href="/z"></p>',
      [{ a: "http://a.test/dir/x", b: "http://a.test/z" }],
    ],
    ["a picture's value is its address", '<p itemscope><img itemprop="a" src="x.png"></p>', [{ a: "http://a.test/dir/x.png" }]],
    [
      "a time's value is for machines",
      '<p itemscope><time itemprop="a" datetime="2020-01-02">today</time><time itemprop="b">2021</time></p>',
      [{ a: "2020-01-02", b: "2021" }],
    ],
    [
      "data have a value",
      '<p itemscope><data itemprop="a" value="1">one</data><meter itemprop="b" value=".5">half</meter></p>',
      [{ a: "1", b: ".5" }],
    ],
    [
      "content goes before text on any element",
      '<p itemscope><span itemprop="price" content="9.50">nine fifty</span></p>',
      [{ price: "9.50" }],
    ],
    [
      "scopes may refer to what stands elsewhere",
      '<p itemscope itemref="x y none"></p><p id="x" itemprop="a">1</p><div id="y"><b itemprop="b">2</b></div>',
      [{ a: "1", b: "2" }],
    ],
    [
      "several scopes may refer to one thing",
      '<p itemscope itemref="x"></p><p itemscope itemref="x"></p><a id="x" itemprop="a b" href="y">1</a>',
      [
        { a: "http://a.test/dir/y", b: "http://a.test/dir/y" },
        { a: "http://a.test/dir/y", b: "http://a.test/dir/y" },
      ],
    ],
    [
      "what is referred to may be an item",
      '<p itemscope itemref="x"></p><p id="x" itemprop="a" itemscope><b itemprop="n">1</b></p>',
      [{ a: { n: "1" } }],
    ],
    [
      "scopes that refer to each other go round once",
      '<p id="a" itemprop="a" itemscope itemref="b"></p><p id="b" itemprop="b" itemscope itemref="a"></p><p itemscope itemref="a">',
      [{ a: { b: {} } }],
    ],
  ])("%s", (_fact, html, items) => {
    expect(view(html).items.map(plain)).toEqual(items);
  });
});

describe("RDFa", () => {
  test.each<[fact: string, html: string, items: object[]]>([
    [
      "a type is an item with the properties inside",
      '<p vocab="https://schema.org/" typeof="A"><b property="name">x</b></p>',
      [{ is: "A", name: "x" }],
    ],
    [
      "prefixes of schema.org are dropped, others stay",
      '<p typeof="schema:A"><b property="schema:name dc:title">x</b></p>',
      [{ is: "A", name: "x", "dc:title": "x" }],
    ],
    [
      "a type that is a property is an item inside",
      '<p typeof="A"><b property="author" typeof="P"><i property="name">n</i></b></p>',
      [{ is: "A", author: { is: "P", name: "n" } }],
    ],
    [
      "a resource names the item",
      '<p typeof="A" resource="#a"><a property="url" href="x">y</a></p>',
      [{ is: "A", id: "#a", url: "http://a.test/dir/x" }],
    ],
    ["content goes before addresses and text", '<p typeof="A"><b property="a" content="1">one</b></p>', [{ is: "A", a: "1" }]],
    ["Open Graph alone is no item", '<meta property="og:title" content="x">', []],
  ])("%s", (_fact, html, items) => {
    expect(view(html).items.map(plain)).toEqual(items);
  });
});

test("items are found by type, also as what a page is mainly about, and once", () => {
  const page = view(
    jsonLd([
      { "@type": "WebPage", mainEntity: { "@type": "NewsArticle", headline: "inner" } },
      { "@type": "Article", "@id": "#1", headline: "outer" },
      { "@type": "WebPage", mainEntity: { "@id": "#1" } },
      { "@type": "ItemList", itemListElement: [{ "@type": "Article", headline: "other" }] },
    ]),
  );
  const found = itemsOfType(page, new Set(["Article", "NewsArticle"]));
  expect(found.map((item) => firstText(item, "headline"))).toEqual(["outer", "inner"]);
});

test("a property's words are its text, or the name of the item it is", () => {
  const [item] = view(jsonLd({ "@type": "A", author: [{ name: " n " }, "m", { url: "x" }] })).items;
  expect(textsIn(item!, "author")).toEqual(["n", "m"]);
  expect(firstText(item!, "author")).toBe("n");
  expect(firstText(item!, "editor")).toBeUndefined();
  expect(itemsIn(item!, "author")).toHaveLength(2);
});
