import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument, parseSitemap } from "../../src/analysis/parse/index.ts";
import { hash64, resolve } from "../../src/analysis/url/index.ts";
import { unpackLinks } from "../../src/engine/crawl/read/link-document.ts";
import { readLinks } from "../../src/engine/crawl/read/link-set.ts";
import { openBodyReader } from "../../src/engine/crawl/read/read.ts";
import { bytesOf, isWhole, numRuns, soup } from "./soup.ts";

const html = soup([
  ...'<a </a> <a/> <base <area <iframe <link <meta <title> </title> <script> </script> <style> <template> </template> <noscript> <svg> <math> <![CDATA[ ]]> <!-- --> --!> <!> <!doctype <p> </p> <h1> <li> <table> <plaintext> <textarea> href= src= content= rel= name= http-equiv=refresh rel=canonical rel=nofollow name=robots charset=utf-16 " \' > /> &amp; &#x; &#xD800; &#1114112; &lt &notin; &colon; http://a.test/ //b.test ../c /p/q.html /p?q=1 /./r http://a.test:80/s?utm_x=1 #d javascript: mailto: data: 0;url= {"path":"/x"} drupal-settings-json type=application/json lang=en'.split(
    " ",
  ),
  " ",
  "\n",
]);
const xml = soup([
  ...'<?xml version="1.0"?> <!DOCTYPE [ <!ENTITY x "y"> %x; &x; &lol; SYSTEM "file:///etc/passwd" ]> <urlset> </urlset> <sitemapindex> <url> </url> <sitemap> <loc> </loc> <lastmod> </lastmod> 2024-05-06 2024-13-40T25:61 <rss> <channel> <item> <link> </link> <feed> <entry> <id> <updated> <guid> <![CDATA[ ]]> <!-- --> http://a.test/ &amp; &#0; &#x110000; <x:loc> xmlns:x="y" <a/> </ >'.split(
    " ",
  ),
  " ",
  "\n",
]);
const types = soup(
  'text/html application/xhtml+xml text/plain text/markdown application/xml application/rss+xml image/png ; charset= utf-8 utf-16 shift_jis iso-2022-jp utf-7 " , x-user-defined'.split(
    " ",
  ),
  5,
);
const url = "http://a.test/dir/page";

const setup = {
  key: { stripParams: ["utm_*"], sortParams: false, maxParams: Number.POSITIVE_INFINITY },
  embeddedLinks: true,
  agent: "nuthatch",
  hashSeed: { hi: 1, lo: 2 },
  keeps: "pages" as const,
  keywords: [],
  scorer: "embedded" as const,
  scoreRatio: 0.5,
  isLean: false,
  wantsWords: true,
  metadata: { cascade: "weighed" as const, topics: [], memories: new Map() },
};

test.each([
  ["HTML", html],
  ["XML", xml],
])("any %s gives a document whose links are absolute and whose text is whole", (_, source) => {
  fc.assert(
    fc.property(bytesOf(source), fc.option(types, { nil: undefined }), (bytes, contentType) => {
      const document = parseDocument({ bytes, url, contentType, as: "page", embeddedLinks: true });
      for (const link of document.links) if (link.url !== undefined) expect(() => new URL(link.url!)).not.toThrow();
      for (const text of [document.text, document.title?.value ?? "", ...document.links.flatMap((link) => [link.text, link.block])])
        expect(isWhole(text)).toBe(true);
      expect(document.blocks.join("\n")).toBe(document.text);
    }),
    { numRuns },
  );
});

test("a reading is the same twice, and all its URLs can be asked", async () => {
  const readBody = await openBodyReader(setup);
  fc.assert(
    fc.property(bytesOf(html), fc.option(types, { nil: undefined }), (bytes, contentType) => {
      const read = () => readBody({ bytes, url, contentType, robotsTags: [], as: "page", isSuspect: true, now: 0 });
      const reading = read();
      expect(read()).toEqual(reading);
      const links = readLinks(reading.links);
      expect(links.count).toBe(reading.linkCount);
      const stored = unpackLinks(reading.packedLinks, setup.hashSeed);
      expect(stored.length).toBe(links.count);
      for (let at = 0; at < links.count; at++) {
        const link = links.url(at);
        const [key, hash] = [links.key(at) || link, links.hash(at)];
        expect(link).toMatch(/^https?:\/\/[^/@]+\//);
        expect(resolve(link, undefined, setup.key)).toMatchObject({ url: link, key });
        expect(hash).toEqual(hash64(key, setup.hashSeed));
        expect(stored[at]).toMatchObject({ url: link, key, hash, position: at });
      }
    }),
    { numRuns },
  );
});

test("any sitemap gives entries with http or https, and no entity is expanded", () => {
  fc.assert(
    fc.property(bytesOf(xml), fc.option(types, { nil: undefined }), (bytes, contentType) => {
      const { pages, sitemaps } = parseSitemap(bytes, "http://a.test/sitemap.xml", contentType);
      for (const entry of [...pages, ...sitemaps]) {
        expect(entry.url).toMatch(/^https?:/);
        expect(entry.lastmod === undefined || Number.isFinite(entry.lastmod)).toBe(true);
        expect(entry.url).not.toContain("root:");
      }
    }),
    { numRuns },
  );
});
