import { expect, test } from "vitest";
import { viewPage } from "../page-view.ts";
import { imageOf, imageSize } from "./image.ts";
import { imageRejection } from "./image-rules.ts";
import { largestInSrcset } from "./image-sources.ts";

const page = (html: string) => viewPage(html, { url: "https://birdpost.example/news/1", now: 0 });

test.each([
  ["a photo", "https://a.test/bird.jpg", {}, undefined],
  ["an address without an ending", "https://a.test/image/4711", {}, undefined],
  ["one dot wide", "https://a.test/a.gif", { width: 1, height: 1 }, "tracking pixel"],
  ["one dot high", "https://a.test/a.png", { height: 1 }, "tracking pixel"],
  ["1x1 in its name", "https://a.test/1x1.png", {}, "tracking pixel"],
  ["a pixel", "https://a.test/pixel.gif?u=1", {}, "tracking pixel"],
  ["a tracker", "https://a.test/track?id=1", {}, "tracking pixel"],
  ["tracking", "https://a.test/tracking/open.php?m=1", {}, "tracking pixel"],
  ["a beacon", "https://a.test/beacon.png", {}, "tracking pixel"],
  ["a host that counts", "https://pixel.a.test/i", {}, "tracking pixel"],
  ["a telephone called Pixel", "https://a.test/uploads/google-pixel-phone-review.jpg", {}, undefined],
  ["a race track", "https://a.test/race-track-opens-today.jpg", {}, undefined],
  ["a spacer", "https://a.test/img/spacer.gif", {}, "placeholder"],
  ["a placeholder with its size", "https://a.test/placeholder-600x400.png", {}, "placeholder"],
  ["a stand-in for what is loaded late", "https://a.test/lazyload.svg", {}, "placeholder"],
  ["data in the address", "data:image/gif;base64,R0lGOD", {}, "data: address"],
  ["another scheme", "ftp://a.test/bird.jpg", {}, "not http or https"],
  ["no address at all", "http://", {}, "no address"],
])("%s", (_, url, size, expected) => {
  expect(imageRejection(url, size)).toBe(expected);
});

test.each([
  ["og:image before all", `<meta property="og:image" content="/a.jpg"><meta name="twitter:image" content="/b.jpg">`, "/a.jpg", "og:image"],
  [
    "its secure address",
    `<meta property="og:image:secure_url" content="/a.jpg"><meta name="twitter:image" content="/b.jpg">`,
    "/a.jpg",
    "og:image:secure_url",
  ],
  ["twitter:image", `<meta name="twitter:image" content="/b.jpg"><link rel="image_src" href="/d.jpg">`, "/b.jpg", "twitter:image"],
  ["itemprop", `<img itemprop="image" src="/c.jpg"><link rel="image_src" href="/d.jpg">`, "/c.jpg", "itemprop:image"],
  ["link", `<link rel="image_src" href="/d.jpg"><img src="/f.jpg"><article><img src="/e.jpg"></article>`, "/d.jpg", "link:image_src"],
  ["the first in the article", `<img src="/f.jpg"><article><img src="/e.jpg"></article>`, "/e.jpg", "article-img"],
  ["the first of all", `<div><img src="/f.jpg"></div><img src="/g.jpg">`, "/f.jpg", "first-img"],
  ["not a pixel", `<meta property="og:image" content="/pixel.gif"><meta name="twitter:image" content="/b.jpg">`, "/b.jpg", "twitter:image"],
])("classic: %s", (_, html, path, source) => {
  expect(imageOf(page(html), "classic")).toMatchObject({ value: `https://birdpost.example${path}`, source });
});

test.each([
  ["relative addresses are made absolute", `<meta property="og:image" content="/a.jpg">`, "https://birdpost.example/a.jpg"],
  [
    "JSON-LD as an object",
    `<script type="application/ld+json">{"@type":"Article","image":{"@type":"ImageObject","url":"https://c.test/x.jpg"}}</script>`,
    "https://c.test/x.jpg",
  ],
  [
    "and as a list",
    `<script type="application/ld+json">{"@type":"Article","image":["https://c.test/x.jpg","https://c.test/y.jpg"]}</script>`,
    "https://c.test/x.jpg",
  ],
  [
    "what is loaded late",
    `<article><figure><img src="data:image/gif;base64,R0" data-src="/late.jpg"></figure></article>`,
    "https://birdpost.example/late.jpg",
  ],
  [
    "the largest of a set",
    `<article><figure><img src="/spacer.gif" srcset="/s.jpg 300w, /l.jpg 1200w"></figure></article>`,
    "https://birdpost.example/l.jpg",
  ],
  [
    "a photo before who wrote it",
    `<article><div class="by"><img class="avatar" src="/ann.jpg" width="40" height="40"></div><h1>Rain</h1><img src="/rain.jpg" width="1200" height="800"></article>`,
    "https://birdpost.example/rain.jpg",
  ],
  [
    "a photo before an avatar whose size is not known",
    `<article><img class="author-avatar" src="/ann.jpg"><h1>Rain</h1><p><img src="/rain.jpg"></p></article>`,
    "https://birdpost.example/rain.jpg",
  ],
  [
    "what the page declares before a small copy of it",
    `<meta property="og:image" content="/img/1200/rain-in-may.jpg"><article><figure><img src="/img/60/rain-in-may.jpg"></figure></article>`,
    "https://birdpost.example/img/1200/rain-in-may.jpg",
  ],
  ["a pixel is no picture", `<img src="https://stats.test/i" width="1" height="1">`, null],
])("%s", (_, html, expected) => {
  expect(imageOf(page(html), "weighed").value).toBe(expected);
});

test.each([
  ["spaces", "/a.jpg 1x, /b.jpg 2x", "/b.jpg"],
  ["none after the comma", "/a.jpg 300w,/b.jpg 900w", "/b.jpg"],
  ["commas in an address", "/a,w_300.jpg 300w, /b,w_9.jpg 100w", "/a,w_300.jpg"],
  ["nothing", "", undefined],
])("a set of sources: %s", (_, set, expected) => {
  expect(largestInSrcset(set)).toBe(expected);
});

test.each([
  [
    "said beside og:image",
    `<meta property="og:image" content="/a.jpg"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">`,
    { width: 1200, height: 630 },
  ],
  ["attributes", `<img src="/a.jpg" width="640" height="480">`, { width: 640, height: 480 }],
  ["nobody says", `<img src="/a.jpg">`, {}],
])("size: %s", (_, html, expected) => {
  expect(imageSize(page(html), "https://birdpost.example/a.jpg")).toEqual(expected);
});
