import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument, parseRefresh, sniffType } from "./index.ts";
import { createResolver } from "./resolve.ts";

const html = "<!doctype html><p>x";

test.each([
  ["HTML", html, "text/html; charset=utf-8", "", "html"],
  ["HTML without a label", html, undefined, "", "html"],
  ["a whole document labelled as text", html, "text/plain", "", "html"],
  ["a whole document labelled as text, behind comments", `<!-- a --><!-- b -->\n<HTML lang=en><p>x`, "text/plain", "/a", "html"],
  ["a whole document labelled as a stream", `\xef\xbb\xbf\n${html}`, "application/octet-stream", "/a", "html"],
  ["a whole document in a text file", html, "text/plain", "/example.txt", "text"],
  ["an example of HTML labelled as text", "<p>x</p>", "text/plain", "", "text"],
  ["words about HTML", `Begin with ${html}`, "text/plain", "", "text"],
  ["a stream that is no document", "<p>x", "application/octet-stream", "", "binary"],
  ["a stream of words", "words", "application/octet-stream", "/a", "binary"],
  ["Markdown labelled as a stream", "# x", "application/octet-stream", "/a.md", "markdown"],
  ["Markdown labelled as HTML", "Guide\n=====\n\nRun `x`.\n", "text/html", "/guide.md", "markdown"],
  [
    "Markdown labelled as HTML that begins with HTML",
    '<p align="center">Logo</p>\n\n## Use\n',
    "text/html; charset=utf-8",
    "/a.md",
    "markdown",
  ],
  ["a page made from Markdown", `${html}\n# x`, "text/html", "/a.md", "html"],
  ["a part of a page made from Markdown", "<h1>Guide</h1><p>Run it</p>", "text/html", "/a.md", "html"],
  ["a page without a root made from Markdown", "<head><title>x</title></head>\n- x\n", "text/html", "/a.md", "html"],
  ["a PDF labelled as HTML", "%PDF-1.7\n", "text/html", "", "binary"],
  ["a picture labelled as HTML", "\x89PNG\r\n\x1a\n", "text/html", "", "binary"],
  ["noise labelled as HTML", "\x01\x02\x03\x04ab", "text/html", "", "binary"],
  ["a stray control in HTML", `<p>${"x".repeat(50)}\x01`, "text/html", "", "html"],
  ["UTF-16 is not noise", "\xff\xfe<\0p\0>\0x\0", "text/html", "", "html"],
  ["Markdown by its label", "# x", "text/markdown", "", "markdown"],
  ["Markdown by its name", "# x", "text/plain", "/readme.md", "markdown"],
  ["a feed labelled as XML", "<?xml version='1.0'?><!-- x --><rss>", "text/xml", "", "feed"],
  ["a sitemap labelled as HTML", "<?xml version='1.0'?><urlset>", "text/html", "", "sitemap"],
  ["XHTML", "<?xml version='1.0'?><html>", "application/xml", "", "html"],
  ["other XML", "<note/>", "application/xml", "", "binary"],
  ["JSON", "{}", "application/json", "", "binary"],
  ["a style sheet", "x{}", "text/css", "", "binary"],
  ["text without a label", "words", undefined, "", "text"],
  ["nothing at all", "", undefined, "", "text"],
])("type: %s", (_, body, label, path, expected) => {
  expect(sniffType(Buffer.from(body, "latin1"), label, `http://a.test${path}`)).toBe(expected);
});

test.each([
  ["seconds alone", "5", { seconds: 5, url: null }],
  ["a URL", "0; url=/x", { seconds: 0, url: "/x" }],
  ["in quotes, with the rest dropped", "1;URL='/x'y", { seconds: 1, url: "/x" }],
  ["without url=", "1, /x", { seconds: 1, url: "/x" }],
  ["a URL that begins like url", "1; urban", { seconds: 1, url: "urban" }],
  ["fractions are dropped", "1.9;url=x", { seconds: 1, url: "x" }],
  ["no number", "url=x", undefined],
  ["a number that runs on", "1x;url=y", undefined],
])("refresh: %s", (_, content, expected) => {
  expect(parseRefresh(content)).toEqual(expected);
});

describe("text documents", () => {
  const read = (text: string, contentType: string) =>
    parseDocument({ bytes: Buffer.from(text), url: "http://a.test/d/", contentType, as: "page", embeddedLinks: false });
  const links = (text: string, contentType = "text/markdown") =>
    read(text, contentType).links.map((link) => `${link.url} ${link.text}`.trim());

  test.each([
    ["an inline link", 'See [the docs](x.md "Docs").', ["http://a.test/d/x.md the docs"]],
    ["brackets in the text and in the URL", "[a [b]](/w_(x))", ["http://a.test/w_(x) a b"]],
    ["an autolink and a bare one", "<http://b.test/1> and http://b.test/2.", ["http://b.test/1", "http://b.test/2"]],
    ["an image is no link, a link around it is", "![i](/i.png) [![i](/i.png)](/x)", ["http://a.test/x i"]],
    ["a definition", "[a]\n\n[a]: /x", ["http://a.test/x a"]],
    ["code is no place to go", "```\n[a](/x)\n```", []],
    ["an escaped bracket is no link", "\\[a](/x)", []],
  ])("Markdown: %s", (_, text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  test("headings and blocks", () => {
    const page = read("# One *big* #\n\n- a\n- [b](/b)\n\nTwo\n---\ntext", "text/markdown");
    expect(page.title).toEqual({ value: "One big", source: "heading" });
    expect(page.blocks).toEqual(["One big", "a", "b", "Two", "text"]);
    expect(page.links[0]).toMatchObject({ kind: "text", heading: "One big", block: "b" });
  });

  test("half a million addresses in one block", () => {
    expect(links("http://b.test/ ".repeat(500_000)).length).toBe(500_000);
  });

  test("plain text has bare URLs, without the sentence's punctuation", () => {
    expect(links("(see http://b.test/x_(y), or https://b.test/z)!", "text/plain")).toEqual(["http://b.test/x_(y)", "https://b.test/z"]);
  });
});

function parsed(href: string): string | undefined {
  try {
    return new URL(href, "http://a.test/d/e").href;
  } catch {
    return undefined;
  }
}

describe("whatever comes", () => {
  const types = fc.constantFrom(
    "text/html",
    "text/plain",
    "text/markdown",
    "application/xml",
    "application/rss+xml",
    undefined,
    "text/html; charset=utf-16",
    "text/html; charset=iso-2022-jp",
  );
  const pieces = fc.constantFrom(
    ..."<a href= <!-- --> <svg> </svg> <template> </template> <p> </p> <base href= <meta <script> </script> <title> </title> <![CDATA[ ]]> &amp; &#x; & \" ' > / = [x](y) ![ ] ( ``` # <loc> <url> <urlset> <!DOCTYPE <!ENTITY <rss> <item> <link> \0 \ud800 😀 http://a.test/".split(
      " ",
    ),
    " ",
    "\n",
  );
  const markup = fc.oneof(
    fc.string(),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 60 }).map((parts) => parts.join("")),
  );
  const read = (bytes: Uint8Array, contentType: string | undefined, as: "page" | "sitemap" = "page") =>
    parseDocument({ bytes, url: "http://a.test/x", contentType, as, embeddedLinks: true });

  test("bytes never throw", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), types, fc.constantFrom("page", "sitemap"), (bytes, contentType, as) => {
        read(bytes, contentType, as);
      }),
      { numRuns: 500 },
    );
  });

  test("markup never throws, and every string it yields can be stored", () => {
    fc.assert(
      fc.property(markup, types, (text, contentType) => {
        const page = read(Buffer.from(text), contentType);
        const said = JSON.stringify([page.text, page.title, page.description, page.links]);
        expect(said).not.toMatch(/\\u0000|\\ud[89a-f]/);
        for (const link of page.links) expect(link.url === undefined || URL.canParse(link.url)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("a link stands alone: the same link after any other text that is closed", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[<&]/.test(text)),
        (text) => {
          expect(read(Buffer.from(`<p>${text}</p><a href=/y>t</a>`), "text/html; charset=utf-8").links.at(-1)?.url).toBe("http://a.test/y");
        },
      ),
      { numRuns: 300 },
    );
  });

  test("the short way to resolve a link agrees with the URL parser", () => {
    const resolve = createResolver("http://a.test/d/e", "utf-8");
    const letters = fc.string({
      unit: fc.constantFrom(..."ab./:@%2e?#\\-_~!$&'()*+,;=[]|^ xn0:".split(""), "..", "//", "é"),
      maxLength: 12,
    });
    const prefix = fc.constantFrom(
      "",
      "/",
      "//",
      "http://",
      "https://b.test",
      "http://b.test/",
      "http://B.test/",
      "https://b.test:443/",
      "?",
      "#",
    );
    fc.assert(
      fc.property(prefix, letters, (start, rest) => {
        const href = start + rest;
        expect(resolve(href)).toBe(parsed(href));
      }),
      { numRuns: 3000 },
    );
  });
});
