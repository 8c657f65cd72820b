import { expect, test } from "vitest";
import { readTree } from "./html-tree.ts";
import { parseDocument } from "./read.ts";

const read = (html: string, withTree: boolean) =>
  parseDocument({
    bytes: Buffer.from(html),
    url: "http://a.test/",
    contentType: "text/html; charset=utf-8",
    as: "page",
    embeddedLinks: true,
    withTree,
  });

test.each<[fact: string, html: string]>([
  [
    "a plain page",
    "<!doctype html><html lang=de><head><title>a &amp; b</title><meta name=description content=c></head><body><h1>x</h1><p>y <a href=/z>z</a>",
  ],
  [
    "elements only one of the two knows",
    "<nav><span class=a>b</span><option>c</option><u>d</u><area href=/e></nav><picture><source srcset=f><img alt=g></picture>",
  ],
  [
    "scripts, in templates too",
    '<script type="application/ld+json">{"a": "b &amp; c", "url": "/d"}</script><template><script>"&lt;p>"</script><a href=/no></template>',
  ],
  ["a script in an SVG is none", "<svg><script>a &amp; <b>b</b></script><title>t</title></svg><p>c"],
  ["an SVG left open ends at the next block", "<div><svg><path><p>a</p><script>b < c</script><title>t</title>"],
  ["tables and lists left open", "<table><tr><td>a<td>b<tr><td><ul><li>c<li>d</table>e</ul>"],
  ["what ends in the middle of a tag", "<p>a<a href='/b"],
])("a page read with its tree is read as without: %s", (_fact, html) => {
  const { tree, ...reading } = read(html, true);
  const { tree: none, ...without } = read(html, false);
  expect(reading).toEqual(without);
  expect(none).toBeUndefined();
  expect(tree).toEqual(readTree(html));
});

test("after so many elements a tree has text alone", () => {
  const tree = readTree("<p>a</p><div>b<p>c</p>d<br>e<img></div>f<script>g</script>", 3);
  expect(tree.children).toMatchObject([
    { name: "p", children: ["a"] },
    { name: "div", children: ["b", { name: "p", children: ["c"] }, "d\ne"] },
    "f",
  ]);
});
