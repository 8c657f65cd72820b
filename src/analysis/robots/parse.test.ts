import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isProductToken, mayVisit, parseRobots, productTokenOf } from "./index.ts";

const allowed = (text: string | Uint8Array, path: string, agent = "nuthatch") =>
  mayVisit(parseRobots(text, agent), `http://a.test${path}`).allowed;
const lines = (...all: string[]) => all.join("\n");

describe("groups", () => {
  test.each([
    ["no file forbids nothing", "", true],
    ["the group for all", lines("User-agent: *", "Disallow: /"), false],
    ["our own group counts, the one for all does not", lines("User-agent: *", "Disallow: /", "User-agent: nuthatch", "Allow: /"), true],
    ["whichever comes first", lines("User-agent: Nuthatch", "Allow: /", "User-agent: *", "Disallow: /"), true],
    ["an empty group of our own lets us in", lines("User-agent: *", "Disallow: /", "User-agent: nuthatch", "Disallow:"), true],
    ["another's group is not ours", lines("User-agent: otherbot", "Disallow: /"), true],
    ["nor one whose name ours begins with", lines("User-agent: nut", "Disallow: /"), true],
    ["nor one that begins with our name", lines("User-agent: nuthatchery", "Disallow: /"), true],
    ["several names head one group", lines("User-agent: x", "User-agent: nuthatch", "User-agent: y", "Disallow: /"), false],
    [
      "groups of one name are one",
      lines("User-agent: nuthatch", "Disallow: /x", "User-agent: z", "User-agent: nuthatch", "Disallow: /p"),
      false,
    ],
    ["a blank line ends no group", lines("User-agent: nuthatch", "", "", "Disallow: /"), false],
    ["an unknown line ends no names", lines("User-agent: nuthatch", "Noindex: /x", "User-agent: z", "Disallow: /"), false],
    ["nor does a crawl delay", lines("User-agent: nuthatch", "Crawl-delay: 1", "User-agent: z", "Disallow: /"), false],
    ["nor a sitemap", lines("User-agent: nuthatch", "Sitemap: /s.xml", "Disallow: /"), false],
    ["rules before any name are nobody's", lines("Disallow: /", "User-agent: z", "Disallow: /"), true],
    ["a version after the name does not matter", lines("User-agent: nuthatch/2.0", "Disallow: /"), false],
    ["several names on one line", lines("User-agent: x, Nuthatch y", "Disallow: /"), false],
    ["a star after the name", lines("User-agent: nuthatch*", "Disallow: /"), false],
  ])("%s", (_, text, expected) => {
    expect(allowed(text, "/page")).toBe(expected);
  });
});

describe("lines as people write them", () => {
  test.each([
    ["no blank after the colon", "User-agent:*\nDisallow:/p"],
    ["blanks everywhere", "  User-Agent :\t*  \n\t DISALLOW : /p \t"],
    ["comments", "# hi\nUser-agent: * # all\nDisallow: /p # not there"],
    ["old Macintosh line ends", "User-agent: *\rDisallow: /p\r"],
    ["Windows line ends", "User-agent: *\r\n\r\nDisallow: /p\r\n"],
    ["a byte order mark", "\uFEFFUser-agent: *\nDisallow: /p"],
    ["NULs", "User-agent: *\0\nDisallow: /p\0\0"],
    ["a missing colon", "User-agent *\nDisallow /p"],
    ["a missing hyphen", "Useragent: *\nDisallow: /p"],
    ["a misspelt directive", "User-agent: *\nDissalow: /p"],
    ["swapped letters", "User-agent: *\nDiasllow: /p"],
    ["a missing slash", "User-agent: *\nDisallow: page"],
    ["HTML around it", "<html>\n<body>\nUser-agent: *\nDisallow: /p\n</body>"],
  ])("%s", (_, text) => {
    expect(allowed(text, "/page")).toBe(false);
    expect(allowed(text, "/other")).toBe(true);
  });

  test.each([
    ["little-endian UTF-16", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("User-agent: *\nDisallow: /p", "utf16le")])],
    ["big-endian UTF-16", Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from("User-agent: *\nDisallow: /p", "utf16le").swap16()])],
    ["bytes in the middle of a buffer", Buffer.from("xxUser-agent: *\nDisallow: /pyy").subarray(2, -2)],
  ])("%s", (_, bytes) => {
    expect(allowed(bytes, "/page")).toBe(false);
  });

  test("bytes that are no UTF-8 are still compared", () => {
    const latin1 = Buffer.from("User-agent: *\nDisallow: /caf\xe9", "latin1");
    expect(allowed(latin1, "/caf%E9")).toBe(false);
    expect(allowed(latin1, "/café")).toBe(true);
  });

  test.each([
    ["a misspelt permission", "User-agent: *\nDisallow: /\nAlow: /p"],
    ["a word too many", "User-agent: *\nDisallow: /\nAllow /p /q"],
    ["a permission without slash", "User-agent: *\nDisallow: /\nAllow: page"],
  ])("%s allows nothing", (_, text) => {
    expect(allowed(text, "/page")).toBe(false);
  });

  test("what comes after 500 KiB is ignored, and so is the line that is cut", () => {
    const head = "User-agent: *\nDisallow: /early\n";
    const filler = `#${"x".repeat(98)}\n`.repeat(5200);
    const text = `${head}${filler}`.slice(0, 500 * 1024 - 12);
    const cut = `${text}\nDisallow: /page-that-is-cut\nDisallow: /late`;
    expect(allowed(cut, "/early")).toBe(false);
    expect(allowed(cut, "/page")).toBe(true);
    expect(allowed(cut, "/late")).toBe(true);
  });
});

test.each([
  ["seconds become milliseconds", "User-agent: *\nCrawl-delay: 5.2", 5200],
  ["our own group's counts", "User-agent: *\nCrawl-delay: 5\nUser-agent: nuthatch\nCrawl-delay: 1", 1000],
  ["our own group without one has none", "User-agent: *\nCrawl-delay: 5\nUser-agent: nuthatch\nDisallow:", undefined],
  ["the longer of two", "User-agent: *\nCrawl-delay: 5\nCrawl-delay: 2", 5000],
  ["names after it have not said it", "User-agent: x\nCrawl-delay: 5\nUser-agent: nuthatch\nDisallow: /", undefined],
  ["with a unit", "User-agent: *\nCrawl-delay: 10s", 10_000],
  ["words are none", "User-agent: *\nCrawl-delay: long", undefined],
  ["nor is less than nothing", "User-agent: *\nCrawl-delay: -1", undefined],
  ["nor a number without end", `User-agent: *\nCrawl-delay: ${"9".repeat(400)}`, undefined],
])("crawl delay: %s", (_, text, expected) => {
  expect(parseRobots(text, "nuthatch").crawlDelay).toBe(expected);
});

test("sitemaps belong to no group and are kept as written", () => {
  const text = "Sitemap: http://a.test/ä.xml # all\nUser-agent: x\nsitemap:/rel.xml\nSitemap:\nDisallow: /";
  expect(parseRobots(text, "nuthatch").sitemaps).toEqual(["http://a.test/ä.xml", "/rel.xml"]);
});

test.each([
  ["letters, underscore and hyphen", "Nut_Hatch-x", true],
  ["no version", "nuthatch/1", false],
  ["no digits", "nuthatch2", false],
  ["no blanks", " nuthatch", false],
  ["not nothing", "", false],
])("a product token: %s", (_, text, expected) => {
  expect(isProductToken(text)).toBe(expected);
});

test("the product token of a user agent is its first name", () => {
  expect(productTokenOf("nuthatch/0.1 (+https://a.test/bot)")).toBe("nuthatch");
  expect(productTokenOf("")).toBe("");
});

test("no file breaks the parser, and its rules are plain data", () => {
  const words = fc.constantFrom(
    "User-agent",
    "Disallow",
    "Allow",
    ":",
    "*",
    "/",
    "\n",
    "\r",
    "$",
    "%",
    "%4",
    "é",
    "#",
    " ",
    "nuthatch",
    "\0",
    "__proto__",
  );
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: words, maxLength: 80 }), fc.uint8Array({ maxLength: 200 })), fc.webUrl(), (text, url) => {
      const rules = parseRobots(text, "nuthatch");
      expect(mayVisit(structuredClone(rules), url)).toEqual(mayVisit(rules, url));
      expect(JSON.parse(JSON.stringify(rules)).rules).toEqual(rules.rules);
    }),
    { numRuns: 1000 },
  );
});
