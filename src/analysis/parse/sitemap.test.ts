import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isSitemapLocationValid, parseDocument, parseLastmod, parseSitemap } from "./index.ts";

const read = (text: string | Buffer) => parseSitemap(Buffer.from(text as string), "http://a.test/sitemap.xml");
const pages = (text: string) => read(text).pages.map((entry) => entry.url);
const urlset = (inside: string) => `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inside}</urlset>`;

test.each([
  ["a plain one", urlset("<url><loc>http://a.test/1</loc></url>"), ["http://a.test/1"]],
  [
    "entities and CDATA",
    urlset("<url><loc>\n http://a.test/?a&amp;b&#38;c </loc></url><url><loc><![CDATA[http://a.test/?d&e]]></loc></url>"),
    ["http://a.test/?a&b&c", "http://a.test/?d&e"],
  ],
  ["an ampersand nobody escaped", urlset("<url><loc>http://a.test/?a=1&b=2</loc></url>"), ["http://a.test/?a=1&b=2"]],
  ["its own prefix", '<s:urlset xmlns:s="x"><s:url><s:loc>http://a.test/1</s:loc></s:url></s:urlset>', ["http://a.test/1"]],
  [
    "images are not pages",
    urlset("<url><loc>http://a.test/1</loc><image:image><image:loc>http://a.test/i</image:loc></image:image></url>"),
    ["http://a.test/1"],
  ],
  ["comments hide", urlset("<!-- <url><loc>http://a.test/0</loc></url> --><url><loc>http://a.test/1</loc></url>"), ["http://a.test/1"]],
  [
    "broken: read up to the break",
    "<urlset><url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2</loc><x y='",
    ["http://a.test/1", "http://a.test/2"],
  ],
  ["warnings before the root", "\n<br/>Warning: x<urlset><url><loc>http://a.test/1</loc></url></urlset>", ["http://a.test/1"]],
  ["relative places", urlset("<url><loc>/1</loc></url>"), ["http://a.test/1"]],
  ["places outside the web", urlset("<url><loc>javascript:x</loc></url><url><loc></loc></url>"), []],
  ["external entities stay unread", '<!DOCTYPE u [<!ENTITY x SYSTEM "file:///x">]><urlset><url><loc>&x;</loc></url></urlset>', []],
  ["entities of its own are never expanded", '<!DOCTYPE u [<!ENTITY x "y">]><urlset><url><loc>http://a.test/&x;</loc></url></urlset>', []],
  ["a list of lines", "\ufeffhttp://a.test/1\r\n\n  https://a.test/2\nnothing\n", ["http://a.test/1", "https://a.test/2"]],
  [
    "RSS: items, not the channel",
    "<rss><channel><link>http://a.test/</link><item><link>http://a.test/1</link></item></channel></rss>",
    ["http://a.test/1"],
  ],
  [
    "RSS: a permanent guid instead of a link",
    "<rss><item><guid>http://a.test/1</guid></item><item><guid isPermaLink='false'>http://a.test/2</guid></item></rss>",
    ["http://a.test/1"],
  ],
  [
    "Atom: the alternate link",
    "<feed><link href='/'/><entry><link rel='edit' href='/e'/><link href='/1'/></entry></feed>",
    ["http://a.test/1"],
  ],
  ["an HTML page is no sitemap", "<!doctype html><html><body><a href=http://a.test/1>x</a></html>", []],
] as [string, string, string[]][])("%s", (_, text, expected) => {
  expect(pages(text)).toEqual(expected);
});

test("an index leads to sitemaps, with their dates", () => {
  const { kind, sitemaps } = read(
    "<sitemapindex><sitemap><lastmod>2024-02-03</lastmod><loc>http://a.test/s</loc></sitemap></sitemapindex>",
  );
  expect({ kind, sitemaps }).toEqual({ kind: "index", sitemaps: [{ url: "http://a.test/s", lastmod: Date.UTC(2024, 1, 3) }] });
});

describe("packed", () => {
  test("a .gz file is unpacked, whatever its label", () => {
    expect(read(gzipSync(urlset("<url><loc>http://a.test/1</loc></url>"))).pages.length).toBe(1);
  });
  test("a broken one is empty", () => {
    expect(read(gzipSync(urlset("<url><loc>http://a.test/1</loc></url>")).subarray(0, 40)).pages).toEqual([]);
  });
  test("a bomb is empty", () => {
    expect(read(gzipSync(Buffer.alloc(60 * 1024 * 1024, 0x20))).pages).toEqual([]);
  });
});

test("no more than 50,000 entries", () => {
  expect(read(urlset("<url><loc>http://a.test/1</loc></url>".repeat(50_001))).pages.length).toBe(50_000);
});

test.each([
  ["a year", "2024", "2024-01-01T00:00:00Z"],
  ["a day", "2024-02-03", "2024-02-03T00:00:00Z"],
  ["minutes and a zone", "2024-02-03T04:05-01:30", "2024-02-03T05:35:00Z"],
  ["a fraction", "2024-02-03T04:05:06.5Z", "2024-02-03T04:05:06.500Z"],
  ["RFC 822", "Sat, 03 Feb 2024 04:05:06 EST", "2024-02-03T09:05:06Z"],
  ["two digits of a year", "3 Feb 99 04:05 +0000", "1999-02-03T04:05:00Z"],
  ["a day that does not exist", "2024-02-31", undefined],
  ["a time without zone in RFC 822", "3 Feb 2024 04:05", undefined],
  ["words", "yesterday", undefined],
  ["nothing", "", undefined],
])("date: %s", (_, text, expected) => {
  expect(parseLastmod(text)).toBe(expected === undefined ? undefined : Date.parse(expected));
});

test.each([
  ["below its folder", "http://a.test/c/sitemap.xml", "http://a.test/c/d/e", true],
  ["beside its folder", "http://a.test/c/sitemap.xml", "http://a.test/d", false],
  ["another scheme", "http://a.test/sitemap.xml", "https://a.test/d", false],
  ["no URL", "http://a.test/sitemap.xml", "x", false],
])("location: %s", (_, sitemap, url, expected) => {
  expect(isSitemapLocationValid(sitemap, url)).toBe(expected);
});

test("a feed met as a page has its titles as link texts", () => {
  const feed = parseDocument({
    bytes: Buffer.from(
      "<rss><channel><title>News</title><item><title>One &amp; &lt;b&gt;two&lt;/b&gt;</title><link>/1</link></item></channel></rss>",
    ),
    url: "http://a.test/feed",
    contentType: "application/rss+xml",
    as: "page",
    embeddedLinks: false,
  });
  expect(feed).toMatchObject({ type: "feed", title: { value: "News", source: "title" } });
  expect(feed.links[0]).toMatchObject({ kind: "feed", url: "http://a.test/1", text: "One & two", heading: "News" });
});
