import { describe, expect, test } from "vitest";
import { parseDocument } from "./index.ts";

const linksIn = (html: string, embeddedLinks = true) =>
  parseDocument({ bytes: Buffer.from(html), url: "http://a.test/", contentType: "text/html", as: "page", embeddedLinks }).links.map(
    ({ url, text }) => `${url?.replace("http://a.test", "")} ${text}`.trim(),
  );
const script = (attributes: string, content: unknown) =>
  `<script ${attributes}>${typeof content === "string" ? content : JSON.stringify(content)}</script>`;
const settings = (content: unknown) => linksIn(script('type="application/json" data-drupal-selector="drupal-settings-json"', content));
const linkedData = (content: unknown) => linksIn(script('type="application/ld+json"', content));
const inline = (content: string) => linksIn(script("", content));

describe("what leads to a page", () => {
  test.each([
    ["a path with its title", { items: [{ url: "/node/1", title: "One" }] }, ["/node/1 One"]],
    ["an absolute URL with its label", { menu: { link: { href: "https://b.test/x", label: "X" } } }, ["https://b.test/x X"]],
    ["a host of one's own", [{ url: "http://127.0.0.1:8080/study", title: "Study" }], ["http://127.0.0.1:8080/study Study"]],
    ["a document, wherever it lies", [{ href: "/sites/default/files/plan.pdf", text: "Plan" }], ["/sites/default/files/plan.pdf Plan"]],
    ["the title one level up", { title: "Fees", link: { url: "/fees" } }, ["/fees Fees"]],
    ["the title of a path with an alias", { title: "Fees", path: { alias: "/fees", pid: 7 } }, ["/fees Fees"]],
    ["the title in attributes", { url: "/fees", options: { attributes: { title: "Fees" } } }, ["/fees Fees"]],
    ["a title that is wrapped", { link: "http://a.test/p", title: { rendered: "Bread &#038; roses" } }, ["/p Bread & roses"]],
    ["a title in pieces", { url: "/p", heading: [{ type: "h1", text: "Piece" }] }, ["/p Piece"]],
    ["a menu's title is not that of its items", { title: "Menu", items: [{ url: "/a" }, { url: "/b", text: "B" }] }, ["/a", "/b B"]],
    [
      "pairs, in either order",
      {
        nav: [
          ["Home page", "/home"],
          ["/about", "About us"],
        ],
      },
      ["/home Home page", "/about About us"],
    ],
    ["a list of addresses that says so", { pages: ["/one", "/two"] }, ["/one", "/two"]],
    ["addresses as names of what they lead to", { routes: { "/about": { title: "About" } } }, ["/about About"]],
    ["markup in the label is dropped", [{ path: "/a", title: "<b>A</b>" }], ["/a A"]],
    ["the same page once, with the text that was found", [{ path: "/a" }, { path: "/a", name: "A" }], ["/a A"]],
    ["a year that somebody calls a link", [{ href: "/2020/", text: "All of 2020" }], ["/2020/ All of 2020"]],
    ["remote keys are only keys", JSON.parse('{"__proto__":{"url":"/p"},"constructor":{"url":"/c"}}'), ["/p", "/c"]],
    [
      "letters of any script",
      [
        { url: "/über-uns/öffnungszeiten", title: "Hours" },
        { url: "/회사/소개", title: "Firm" },
        { url: "/قائمة?صفحة=2", title: "List" },
      ],
      [
        "/%C3%BCber-uns/%C3%B6ffnungszeiten Hours",
        "/%ED%9A%8C%EC%82%AC/%EC%86%8C%EA%B0%9C Firm",
        "/%D9%82%D8%A7%D8%A6%D9%85%D8%A9?%D8%B5%D9%81%D8%AD%D8%A9=2 List",
      ],
    ],
    ["pairs of parentheses", { url: "/wiki/Mercury_(planet)", title: "Mercury" }, ["/wiki/Mercury_(planet) Mercury"]],
    ["a host without a scheme", { url: "//b.test/shop", title: "Shop" }, ["http://b.test/shop Shop"]],
    ["a list of addresses in other letters", { links: ["/città", "/città/mappa"] }, ["/citt%C3%A0", "/citt%C3%A0/mappa"]],
    ["words that only sound like assets", { lifestyle: { url: "/style" }, subscription: { url: "/join" } }, ["/style", "/join"]],
  ] as [string, unknown, string[]][])("%s", (_, json, expected) => {
    expect(settings(json)).toEqual(expected);
  });
});

describe("what does not", () => {
  test.each([
    ["assets", { url: "/x.css", href: "/y.js?v=1", link: "https://b.test/i.png", image: { url: "/picture" }, logo: "/l" }],
    ["what build tools make", { url: "/_next/data/b1/p", path: "/_nuxt/entry", link: "/static/chunk", href: "https://cdn.b.test/lib" }],
    ["templates", { url: "/node/{{ id }}", path: "/user/:id", href: "/blog/[slug]", link: "/n/%7Bid%7D", uri: "/node/*" }],
    ["comments and unpaired parentheses", { url: "//note", href: "/a(b", link: "/x) y", path: "//two words" }],
    ["expressions", { path: "/^x$/", url: "/foo/i", pattern: "/foo", regex: { path: "/bar" } }],
    ["dates and numbers", { path: "/2020/", url: "/12", value: "/2020/01/" }],
    ["types and classes", { path: "text/html", link: "btn btn/primary", to: "application/json" }],
    ["endpoints", { url: "/api/items", path: "/jsonapi/node", href: "https://api.b.test/v1", ajax: { url: "/views/ajax" } }],
    ["more endpoints", { link: "/wp-json/wp/v2/posts", url: "/graphql?q=1", ajaxUrl: "/search", endpoint: { path: "/send" } }],
    ["backstage", { url: "/core/modules/stats", href: "/wp-admin/edit", path: "/session/token" }],
    ["prefixes", { pathPrefix: "/en", baseUrl: "/base", path: { baseUrl: "/", currentPath: "node/1" } }],
    ["keys and accounts", { url: "https://key@errors.test/2", dsn: { url: "https://errors.test/2" } }],
    ["vocabularies", { url: "https://schema.org/Thing", href: "http://www.w3.org/2000/svg" }],
    ["fields that nobody calls a link", { color: "/blue", sort: "/asc", title: "Blue", family: "/sans" }],
    ["lists of other things", { paths: ["/a", "/b"], classes: ["/c"], pair: ["/a", "/b"] }],
    ["addresses as names of nothing", { "/about": { count: 3 }, "/api/x": { title: "X" } }],
  ] as [string, unknown][])("%s", (_, json) => {
    expect(settings(json)).toEqual([]);
  });
});

const flattened = [
  ["ShallowReactive", 1],
  { data: 2, path: 12 },
  ["Reactive", 3],
  { menu: 4 },
  [5, 9],
  { title: 6, to: 7, self: 5, seen: 8 },
  "Opening hours",
  "/hours",
  ["Date", "2026-01-01"],
  { label: 10, url: 11 },
  "Prices",
  "/prices",
  "/now",
];
const fetched = { status: 200, headers: {}, body: JSON.stringify({ posts: [{ title: "First", path: "/posts/first" }] }) };
const interactive = { state: { menu: { items: [{ label: "Shop", url: "http://a.test/shop/" }] } }, config: { restUrl: "/wp-json/" } };

describe("frameworks", () => {
  test.each([
    [
      "Drupal's settings",
      script('type="application/json" data-drupal-selector="drupal-settings-json"', {
        path: { baseUrl: "/", pathPrefix: "", currentPath: "node/1" },
        ajaxTrustedUrl: { "/search/node": true },
        brand: {
          props: {
            navTree: [
              { href: "/", text: "Home" },
              { href: "/news", text: "News", items: [[{ href: "/news/old", text: "Archive" }]] },
            ],
          },
        },
        statistics: { url: "/core/modules/statistics/statistics.php" },
      }),
      ["/news News", "/news/old Archive"],
    ],
    [
      "Drupal 7",
      script("", 'jQuery.extend(Drupal.settings, {"basePath":"\\/","menu":[{"href":"\\/staff","title":"Staff"}]});'),
      ["/staff Staff"],
    ],
    [
      "Next",
      script('id="__NEXT_DATA__" type="application/json"', {
        props: { pageProps: { posts: [{ slug: "/blog/one", title: "One", cover: { src: "/one" } }] } },
        page: "/blog/[slug]",
        buildId: "b1",
        assetPrefix: "/cdn",
      }),
      ["/blog/one One"],
    ],
    [
      "Nuxt 3, by reference",
      script('type="application/json" id="__NUXT_DATA__"', flattened),
      ["/now", "/hours Opening hours", "/prices Prices"],
    ],
    ["Nuxt 2, if it is plain", script("", 'window.__NUXT__={"data":[{"path":"/old","title":"Old"}]};'), ["/old Old"]],
    ["Nuxt 2, if it is a function", script("", 'window.__NUXT__=(function(a){return {data:[{path:"/old"}]}}("x"));'), []],
    ["Redux", script("", 'window.__PRELOADED_STATE__ = {"nav":[{"to":"/jobs","label":"Jobs"}]};var x={"url":"/no"}'), ["/jobs Jobs"]],
    [
      "Redux, in a string",
      script("", 'window.__INITIAL_STATE__ = JSON.parse("{\\"url\\":\\"/jobs\\",\\"name\\":\\"Jobs\\"}");'),
      ["/jobs Jobs"],
    ],
    [
      "Apollo",
      script("", 'window.__APOLLO_STATE__={"Article:1":{"__typename":"Article","title":"A } brace","url":"/a"}}'),
      ["/a A } brace"],
    ],
    ["SvelteKit", script('type="application/json" data-sveltekit-fetched data-url="/api/posts"', fetched), ["/posts/first First"]],
    ["WordPress", script('type="application/json" id="wp-script-module-data-@wordpress/interactivity"', interactive), ["/shop/ Shop"]],
    ["several in one script", script("", 'a.__STATE__={"url":"/a"}; b.__DATA__ = [{"url":"/b"}];'), ["/a", "/b"]],
  ] as [string, string, string[]][])("%s", (_, html, expected) => {
    expect(linksIn(html)).toEqual(expected);
  });

  test.each([
    ["a program's own data", 'var formData = {"url":"/x"}; const options = {"href":"/y"};'],
    ["what WordPress tells its scripts", 'var shop_params = {"ajax_url":"\\/wp-admin\\/admin-ajax.php","url":"\\/cart"};'],
    ["what is not JSON", "window.__INITIAL_STATE__ = {url: '/x'};"],
    ["what has no end", 'window.__INITIAL_STATE__ = {"url":"/x"'],
    ["the name alone", "if (window.__INITIAL_STATE__ == undefined) go('/x')"],
  ])("not: %s", (_, content) => {
    expect(inline(content)).toEqual([]);
  });
});

describe("linked data", () => {
  test.each([
    ["breadcrumbs", { "@type": "BreadcrumbList", itemListElement: [{ item: { "@id": "http://a.test/c", name: "C" } }] }, ["/c C"]],
    [
      "breadcrumbs with the name outside",
      {
        itemListElement: [
          { name: "C", item: "http://a.test/c" },
          { name: "D", item: { "@id": "http://a.test/d" } },
        ],
      },
      ["/c C", "/d D"],
    ],
    ["lists", { "@type": "ItemList", itemListElement: [{ "@type": "ListItem", position: 1, url: "http://a.test/p" }] }, ["/p"]],
    [
      "navigation",
      { "@type": "SiteNavigationElement", name: ["One", "Two"], url: ["http://a.test/1st", "http://a.test/2nd"] },
      ["/1st One", "/2nd Two"],
    ],
    [
      "the page an article is",
      { headline: "Flood", mainEntityOfPage: { "@type": "WebPage", "@id": "http://a.test/flood" } },
      ["/flood Flood"],
    ],
    ["not: names of things", { "@id": "http://a.test/#org", sameAs: "https://social.test/x" }, []],
    ["not: images", { image: { url: "http://a.test/picture" }, "@graph": [{ "@type": "ImageObject", url: "http://a.test/other" }] }, []],
    ["not: searches", { potentialAction: { "@type": "SearchAction", target: "http://a.test/?s={term}", url: "http://a.test/s" } }, []],
  ] as [string, unknown, string[]][])("%s", (_, json, expected) => {
    expect(linkedData(json)).toEqual(expected);
  });
});

test.each([
  ["broken JSON says nothing", '{"url":"/x"', []],
  ["deep JSON is walked without recursion", `${"[".repeat(30_000)}{"url":"/x"}${"]".repeat(30_000)}`, ["/x"]],
  ["JSON in JSON in JSON is read as often as that", JSON.stringify({ body: JSON.stringify({ body: '{"url":"/x"}' }) }), ["/x"]],
])("%s", (_, json, expected) => {
  expect(settings(json)).toEqual(expected);
});

test("nothing is read unless asked for", () => {
  expect(linksIn(script('type="application/json"', { url: "/x" }), false)).toEqual([]);
  expect(linksIn(script("", 'window.__STATE__={"url":"/x"}'), false)).toEqual([]);
});
