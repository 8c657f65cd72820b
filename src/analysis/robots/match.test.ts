import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchPathOf, mayVisit, parseRobots, robotsUrlFor } from "./index.ts";

const ask = (rules: string[], path: string) =>
  mayVisit(parseRobots(["User-agent: *", ...rules].join("\n"), "nuthatch"), `http://a.test${path}`);

describe("rules", () => {
  test.each([
    ["a path is a prefix", ["Disallow: /a"], "/abc", false],
    ["capitals count", ["Disallow: /A"], "/a", true],
    ["the longest match decides", ["Disallow: /a", "Allow: /a/b"], "/a/b/c", true],
    ["in whatever order", ["Allow: /a/b", "Disallow: /a"], "/a/b/c", true],
    ["among equals Allow", ["Disallow: /a", "Allow: /a"], "/a", true],
    ["a star counts as an octet", ["Allow: /", "Disallow: /*"], "/", false],
    ["and so does the end", ["Allow: /a", "Disallow: /a$"], "/a", false],
    ["a star is anything", ["Disallow: /*/b"], "/x/y/b/z", false],
    ["or nothing", ["Disallow: /a*b"], "/ab", false],
    ["in the query too", ["Disallow: /*?s="], "/a/b?s=1", false],
    ["a dollar is the end", ["Disallow: /*.php$"], "/a.php", false],
    ["and nothing after it", ["Disallow: /*.php$"], "/a.php?x", true],
    ["a star before the end", ["Disallow: /a*$"], "/abc", false],
    ["pieces do not overlap at the end", ["Disallow: /*aba*ba$"], "/xaba", true],
    ["the last piece may come late", ["Disallow: /*a*b$"], "/axbxb", false],
    ["a dollar inside is a dollar", ["Disallow: /a$b"], "/a$b", false],
    ["an escaped star is a star", ["Disallow: /a%2A"], "/a*", false],
    ["and not anything", ["Disallow: /a%2A"], "/ab", true],
    ["an escaped dollar is a dollar", ["Disallow: /a%24"], "/a$", false],
    ["and not the end", ["Disallow: /a%24"], "/a", true],
    ["a star at the start", ["Disallow: *b"], "/a/b", false],
    ["an empty rule forbids nothing", ["Disallow:"], "/", true],
    ["escapes of unreserved characters do not matter", ["Disallow: /%7Eme"], "/~me", false],
    ["nor the other way round", ["Disallow: /~me"], "/%7eme", false],
    ["nor do capitals in escapes", ["Disallow: /a%3cd"], "/a%3Cd", false],
    ["an escaped slash is no slash", ["Disallow: /a%2Fb"], "/a/b", true],
    ["letters beyond ASCII", ["Disallow: /käse"], "/k%C3%A4se", false],
    ["escaped in the rule", ["Disallow: /k%c3%a4se"], "/käse", false],
    ["the fragment does not count", ["Disallow: /*secret"], "/a#secret", true],
    ["robots.txt may always be read", ["Disallow: /"], "/robots.txt", true],
    ["but not what only begins like it", ["Disallow: /"], "/robots.txt.bak", false],
    ["dots are resolved first", ["Disallow: /b"], "/a/../b", false],
  ])("%s", (_, rules, path, expected) => {
    expect(ask(rules, path).allowed).toBe(expected);
  });

  test("the rule that decided is named with its line", () => {
    expect(ask(["", "Disallow: /admin"], "/admin/x")).toEqual({ allowed: false, rule: "Disallow: /admin (line 3)" });
    expect(ask(["Disallow: /a", "Allow: /a/b*c"], "/a/bxc")).toEqual({ allowed: true, rule: "Allow: /a/b*c (line 3)" });
    expect(ask(["Disallow: /a"], "/b")).toEqual({ allowed: true, rule: undefined });
  });

  test("a named rule is printable and short whatever the file holds", () => {
    expect(ask([`Disallow: /\x1b[31m\u202e${"x".repeat(1000)}*`], `/\x1b[31m\u202e${"x".repeat(1000)}`).rule).toMatch(
      /^[\x20-\x7e]{1,300}…? \(line 2\)$/,
    );
  });
});

/** The meaning of a pattern, in the slowest and simplest form. */
function plainly(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith("$");
  const body = isAnchored ? pattern.slice(0, -1) : pattern;
  let ends = new Set([0]);
  for (const char of body) {
    const next = new Set<number>();
    for (const at of ends) {
      if (char === "*") for (let later = at; later <= path.length; later++) next.add(later);
      else if (path[at] === char) next.add(at + 1);
    }
    ends = next;
  }
  return isAnchored ? ends.has(path.length) : ends.size > 0;
}

const text = (maxLength: number) => fc.string({ unit: fc.constantFrom("a", "b"), maxLength });
const patterns = fc.array(
  fc.record({
    allow: fc.boolean(),
    body: fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 }),
    end: fc.constantFrom("", "$"),
  }),
  { maxLength: 6 },
);

test("decides as the plain meaning of the rules does", () => {
  fc.assert(
    fc.property(patterns, text(12), (rules, tail) => {
      const path = `/${tail}`;
      const fitting = rules
        .map(({ allow, body, end }) => ({ allow, pattern: `/${body}${end}` }))
        .filter(({ pattern }) => plainly(pattern, path))
        .sort((x, y) => y.pattern.length - x.pattern.length || Number(y.allow) - Number(x.allow));
      const lines = rules.map(({ allow, body, end }) => `${allow ? "Allow" : "Disallow"}: /${body}${end}`);
      expect(ask(lines, path).allowed).toBe(fitting[0]?.allow ?? true);
    }),
    { numRuns: 2000 },
  );
});

describe("a hostile file at its cap", () => {
  const path = `/${"a".repeat(2000)}`;

  test("is decided exactly where its rules need letters that a URL lacks", () => {
    const hostile = Array.from({ length: 12_000 }, (_, n) => `Disallow: /*a*aa*${"a".repeat(n % 20)}b${n}`);
    expect(ask(hostile, path).allowed).toBe(true);
    expect(ask([...hostile, "Disallow: /*a*aaa*aa$"], path).allowed).toBe(false);
  });

  test("counts as disallowed where its rules would take too long, and says so", () => {
    const hostile = Array.from(
      { length: 10_000 },
      (_, n) => `Allow: /*${[...n.toString(2)].join("*").replaceAll("0", "a").replaceAll("1", "b")}*c`,
    );
    const mixed = `/${"abc".repeat(600)}`;
    expect(ask(hostile, mixed)).toEqual({
      allowed: false,
      rule: expect.stringMatching(/^robots\.txt has 10000 rules with stars that take too long/),
    });
    // URLs that need none of these rules are decided as usual.
    expect(ask([...hostile, "Disallow: /x"], "/x")).toEqual({ allowed: false, rule: "Disallow: /x (line 10002)" });
    expect(ask(hostile, "/y").allowed).toBe(true);
  });

  test("of rules for thousands of brands decides every URL exactly", () => {
    const rules = Array.from({ length: 10_000 }, (_, n) => `Disallow: /*/brand-${n}/*sort=*&page=`);
    for (const n of [0, 7, 4321, 9999]) {
      expect(ask(rules, `/shop/brand-${n}/shoes?a=1&sort=up&b=2&page=3`).rule).toBe(
        `Disallow: /*/brand-${n}/*sort=*&page= (line ${n + 2})`,
      );
      expect(ask(rules, `/shop/brand-${n}/shoes?a=1&sort=up&b=2`).allowed).toBe(true);
    }
  });
});

test.each([
  ["path and query", "http://a.test/b/c?d=http://e.f/#g", "/b/c?d=http://e.f/"],
  ["no path", "http://a.test?x", "/?x"],
  ["an empty query is kept", "http://a.test/a?", "/a?"],
  ["userinfo does not shift it", "http://me:pw@a.test/b", "/b"],
  ["without scheme", "a.test/b;c#d", "/b;c"],
  ["without scheme, with slashes", "//a.test/b/c", "/b/c"],
  ["without host", "/b?c", "/b?c"],
  ["a host and port alone", "a.test:81/b", "/b"],
  ["nothing", "", "/"],
  ["what is no URL", "http://a b/", "/"],
])("what rules see: %s", (_, url, expected) => {
  expect(matchPathOf(url)).toBe(expected);
});

test.each([
  ["no credentials, path, default port", "http://me:pw@a.test:80/x;y?z#f", "http://a.test/robots.txt"],
  ["another port has another file", "https://a.test:8443/x", "https://a.test:8443/robots.txt"],
  ["an IPv6 host", "http://[::1]:81/", "http://[::1]:81/robots.txt"],
])("where the file is: %s", (_, url, expected) => {
  expect(robotsUrlFor(url)).toBe(expected);
});
