import { expect, test } from "vitest";
import { canonicalOf } from "../canonical.ts";
import { imageOf } from "../image/image.ts";
import { viewPage } from "../page-view.ts";
import { siteNameOf } from "../site-name.ts";
import { titleOf } from "../title/title.ts";
import { descriptionOf } from "./description.ts";

const page = (html: string, url = "https://www.birdpost.example/news/1") => viewPage(html, { url, now: 0 });
const meta = (name: string, content: string) => `<meta name="${name}" property="${name}" content="${content}">`;
const bird = "A small bird that walks down trees head first and hides what it finds.";
const other = "Seeds, nuts and insects are hidden in the bark for the colder months.";

test.each([
  ["og:description", `${meta("og:description", bird)}${meta("twitter:description", other)}`, bird, "og:description"],
  ["twitter:description", `${meta("twitter:description", bird)}${meta("description", other)}`, bird, "twitter:description"],
  ["the plain one", `${meta("description", bird)}<p>${other}</p>`, bird, "meta:description"],
  ["itemprop", `<div itemprop="description">${bird}</div><p>${other}</p>`, bird, "itemprop:description"],
  ["the first paragraph of the article", `<p>${other}</p><article><p>${bird}</p></article>`, bird, "p"],
  ["too short is passed over", `${meta("og:description", "A small bird.")}${meta("description", bird)}`, bird, "meta:description"],
  ["too long as well", `${meta("og:description", other.repeat(8))}${meta("description", bird)}`, bird, "meta:description"],
])("classic: %s", (_, html, value, source) => {
  expect(descriptionOf(page(html), "classic")).toMatchObject({ value, source });
});

test.each([
  [
    "what is escaped twice",
    meta("description", "Seeds &amp;amp; nuts: what the nuthatch hides in the bark."),
    "Seeds & nuts: what the nuthatch hides in the bark.",
  ],
  [
    "markup where none is read",
    meta("og:description", "&lt;p&gt;A bird that walks &lt;em&gt;head first&lt;/em&gt;.&lt;/p&gt;"),
    "A bird that walks head first.",
  ],
  [
    "an invitation to read on is cut off",
    meta("og:description", "A small bird that walks down trees. Continue reading “The nuthatch”"),
    "A small bird that walks down trees…",
  ],
  [
    "markup leaves a space before a comma",
    meta("description", "Seeds , nuts and insects are its food ."),
    "Seeds, nuts and insects are its food.",
  ],
  ["a menu is no description", `<p>Home | News | Contact | Search the site</p><p>${bird}</p>`, bird],
  ["nor is a trail of pages", `<p>Post &gt; Birds &gt; Small ones &gt; Nuthatch</p><p>${bird}</p>`, bird],
  ["who and when is no description", `<article><p>By Ann Finch on 3 May 2024, 10:15</p><p>${bird}</p></article>`, bird],
  ["neither is what says nothing", `${meta("og:description", "Visit the post for more.")}<p>${bird}</p>`, bird],
])("%s", (_, html, expected) => {
  expect(descriptionOf(page(html), "weighed").value).toBe(expected);
});

test("a long one is cut between words, and says so", () => {
  const { value } = descriptionOf(page(meta("description", "bird ".repeat(200))), "weighed");
  expect(value).toMatch(/bird…$/);
  expect(value!.length).toBeLessThanOrEqual(500);
});

test("the example of a page without a heading, a card or an author", () => {
  const html = `<head><title>Media Tree - A free media server. Stream your media to devices at home.</title>
    ${'<meta name="description" content="Media Tree - A free media server. Stream your media to devices at home: Home Page">'}
    <meta name="keywords" content="media, server"></head>
    <body><a href="https://code.example/mediatree"><img src="/fork-ribbon.png" alt="Fork me"></a><p>It serves.</p></body>`;
  const home = page(html, "https://mediatree.example/");
  expect(titleOf(home, "classic")).toMatchObject({
    value: "Media Tree - A free media server. Stream your media to devices at home.",
    source: "title",
  });
  expect(descriptionOf(home, "classic")).toMatchObject({
    value: "Media Tree - A free media server. Stream your media to devices at home: Home Page",
    source: "meta:description",
  });
  expect(imageOf(home, "classic")).toMatchObject({ value: "https://mediatree.example/fork-ribbon.png", source: "first-img" });
});

test.each([
  ["og:site_name", `${meta("og:site_name", "Bird Post")}${meta("application-name", "BP")}`, "Bird Post", "og:site_name"],
  [
    "JSON-LD of the site",
    `<script type="application/ld+json">{"@type":"WebSite","name":"Bird Post"}</script>${meta("application-name", "BP")}`,
    "Bird Post",
    "ld:WebSite",
  ],
  [
    "the publisher of the article",
    `<script type="application/ld+json">{"@type":"Article","publisher":{"@type":"Organization","name":"Bird Post"}}</script>`,
    "Bird Post",
    "ld:publisher",
  ],
  ["the title's suffix, if the domain agrees", `<title>Nuthatches | Bird Post</title>`, "Bird Post", "title:suffix"],
  ["else the domain", `<title>Nuthatches | Woods</title>`, "birdpost", "domain"],
])("site name: %s", (_, html, value, source) => {
  expect(siteNameOf(page(html), "weighed")).toMatchObject({ value, source });
});

test.each([
  [
    "the link",
    `<link rel="canonical" href="/news/one">${meta("og:url", "https://birdpost.example/x")}`,
    "https://www.birdpost.example/news/one",
    "link:canonical",
  ],
  ["og:url without one", meta("og:url", "https://birdpost.example/x"), "https://birdpost.example/x", "og:url"],
  [
    "not another scheme",
    `<link rel="canonical" href="javascript:void(0)">${meta("og:url", "https://birdpost.example/x")}`,
    "https://birdpost.example/x",
    "og:url",
  ],
  ["nothing", "<p>text", null, ""],
])("canonical: %s", (_, html, value, source) => {
  expect(canonicalOf(page(html), "weighed")).toMatchObject({ value, source });
});
