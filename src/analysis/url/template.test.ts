import fc from "fast-check";
import { expect, test } from "vitest";
import { folderTemplateOf, templateOf } from "./index.ts";

test.each([
  ["numbers", "https://a.test/item/17", "a.test/item/{n}"],
  ["numbers in a name", "https://a.test/chapter12.html", "a.test/chapter{n}.html"],
  ["years, months and days", "https://a.test/2024/05/06/", "a.test/{n}/{n}/{n}/"],
  ["dates in one piece", "https://a.test/on/2024-05-06", "a.test/on/{date}"],
  ["UUIDs", "https://a.test/x/123e4567-e89b-12d3-a456-426614174000", "a.test/x/{token}"],
  ["hex", "https://a.test/commit/9fceb02d0ae598e95dc970b74767f19372d61af8", "a.test/commit/{token}"],
  ["long slugs, with their extension", "https://a.test/blog/how-we-moved-the-old-barn.html", "a.test/blog/{slug}.html"],
  ["short names are kept", "https://a.test/about-us/team", "a.test/about-us/team"],
  ["a word of hex letters is a word", "https://a.test/cafe/facade", "a.test/cafe/facade"],
  ["path parameters", "https://a.test/shop;jsessionid=AB12", "a.test/shop;jsessionid={v}"],
  ["a query by its names", "https://a.test/l?sort=asc&page=3&q=", "a.test/l?page={n}&q=&sort={w}"],
  ["a parameter said twice", "https://a.test/l?c=1&c=2", "a.test/l?c={n}"],
  ["the scheme does not count, the port does", "http://a.test:8080/", "a.test:8080/"],
])("masks values and keeps names: %s", (_, url, expected) => {
  expect(templateOf(url)).toBe(expected);
});

test.each([
  ["short names", "https://a.test/staff/mill", "a.test/staff/{name}"],
  ["any names", "https://a.test/blog/how-we-moved-the-old-barn.html", "a.test/blog/{name}"],
  ["not the page of the folder", "https://a.test/staff/", "a.test/staff/"],
  ["not programs", "https://a.test/forum/topic.php?t=4", "a.test/forum/topic.php?t={n}"],
  ["not programs without a query", "https://a.test/forum/index.php", "a.test/forum/index.php"],
])("are one template of a folder: %s", (_, url, expected) => {
  expect(folderTemplateOf(url)).toBe(expected);
});

test.each([
  ["a segment again and again", "http://t.test/a/b/b/b/", "http://t.test/a/b/b/"],
  ["two segments in turn", "http://t.test/x/y/x/y/x/y", "http://t.test/x/y/x/y"],
  ["three segments in turn", "http://t.test/x/y/z/x/y/z", "http://t.test/x/y/z"],
  ["other values of one page", "http://t.test/p/1?d=2024-01-01", "http://t.test/p/2?d=2024-12-31"],
])("are one template: %s", (_, one, other) => {
  expect(templateOf(one)).toBe(templateOf(other));
});

test.each([
  ["a year and a month", "http://t.test/2024/", "http://t.test/2024/05/"],
  ["other hosts", "http://t.test/", "http://u.test/"],
  ["other names of parameters", "http://t.test/?page=1", "http://t.test/?cat=1"],
  ["a number and a word", "http://t.test/?v=1", "http://t.test/?v=x"],
])("are two templates: %s", (_, one, other) => {
  expect(templateOf(one)).not.toBe(templateOf(other));
});

test("any text has a template", () => {
  fc.assert(fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (url) => typeof templateOf(url) === "string"));
});
