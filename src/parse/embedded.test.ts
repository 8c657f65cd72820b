import { expect, test } from "vitest";
import { parseDocument } from "./index.ts";

const read = (type: string, json: unknown, embeddedLinks = true) =>
  parseDocument({
    bytes: Buffer.from(
      `<script type="${type}" data-drupal-selector="drupal-settings-json">${typeof json === "string" ? json : JSON.stringify(json)}</script>`,
    ),
    url: "http://a.test/",
    contentType: "text/html",
    as: "page",
    embeddedLinks,
  }).links.map(({ url, text, kind }) => `${kind} ${url} ${text}`.trim());

test.each([
  ["a path with its title", { items: [{ url: "/node/1", title: "One" }] }, ["embedded http://a.test/node/1 One"]],
  ["an absolute URL with its label", { menu: { link: { href: "https://b.test/x", label: "X" } } }, ["embedded https://b.test/x X"]],
  ["markup in the label is dropped", [{ path: "/a", title: "<b>A</b>" }], ["embedded http://a.test/a A"]],
  ["the same page once, with the text that was found", [{ path: "/a" }, { path: "/a", name: "A" }], ["embedded http://a.test/a A"]],
  ["assets are no pages", { a: "/x.css", b: "/y.js?v=1", c: "https://b.test/i.png", image: "/picture", logo: { url: "/l" } }, []],
  ["templates and patterns are no pages", { a: "/node/{{ id }}", b: "/node/*", c: "/user/:id", d: "/^x$/", e: "/Date(1)/" }, []],
  ["endpoints and prefixes are no pages", { ajax: { url: "/views/ajax" }, pathPrefix: "/en", baseUrl: "/" }, []],
  ["vocabularies are no pages", { type: "https://schema.org/Thing", ns: "http://www.w3.org/2000/svg" }, []],
  [
    "remote keys are only keys",
    JSON.parse('{"__proto__":{"url":"/p"},"constructor":{"url":"/c"}}'),
    ["embedded http://a.test/p", "embedded http://a.test/c"],
  ],
] as [string, unknown, string[]][])("settings: %s", (_, json, expected) => {
  expect(read("application/json", json)).toEqual(expected);
});

test.each([
  [
    "url and breadcrumb items",
    { "@type": "BreadcrumbList", itemListElement: [{ item: { "@id": "http://a.test/c", name: "C" } }] },
    ["embedded http://a.test/c C"],
  ],
  ["names of things are no pages", { "@id": "http://a.test/#org", sameAs: "https://social.test/x" }, []],
  ["images are no pages", { image: { "@type": "ImageObject", url: "http://a.test/picture" } }, []],
] as [string, unknown, string[]][])("linked data: %s", (_, json, expected) => {
  expect(read("application/ld+json", json)).toEqual(expected);
});

test.each([
  ["broken JSON says nothing", "application/json", '{"url":"/x"', []],
  ["scripts are not read", "text/javascript", '{"url":"/x"}', []],
  [
    "deep JSON is walked without recursion",
    "application/json",
    `${"[".repeat(30_000)}{"url":"/x"}${"]".repeat(30_000)}`,
    ["embedded http://a.test/x"],
  ],
])("%s", (_, type, json, expected) => {
  expect(read(type, json)).toEqual(expected);
});

test("nothing is read unless asked for", () => {
  expect(read("application/json", { url: "/x" }, false)).toEqual([]);
});
