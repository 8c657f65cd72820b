import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostOf, isOwnKey, isPlain, type KeyOptions, keyOf, originOf, registrableDomain, resolve } from "./index.ts";

const plain: KeyOptions = { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY };
const tracking: KeyOptions = { ...plain, stripParams: ["utm_*", "gclid"] };

describe("what is asked", () => {
  test.each([
    ["a relative link is resolved against its base", "../b?x=1", "http://a.test/d/e/", "http://a.test/d/b?x=1"],
    ["a scheme-relative link keeps the scheme", "//b.test/x", "https://a.test/", "https://b.test/x"],
    ["the fragment is not asked", "http://a.test/x#part", undefined, "http://a.test/x"],
    ["userinfo is neither sent nor stored", "http://me:secret@a.test/x", undefined, "http://a.test/x"],
    ["userinfo of the base is not inherited", "/x", "http://me:secret@a.test/", "http://a.test/x"],
    ["an at sign in the path stays", "http://a.test/@me", undefined, "http://a.test/@me"],
    ["escapes are asked as they were written", "http://a.test/%7efoo?q=%41", undefined, "http://a.test/%7efoo?q=%41"],
    ["tracking parameters are asked", "http://a.test/?utm_source=x", undefined, "http://a.test/?utm_source=x"],
    ["a listing is asked for without an order", "?C=M;O=D", "http://a.test/d/", "http://a.test/d/"],
    ["an empty query is asked", "http://a.test/?", undefined, "http://a.test/?"],
    ["blanks and line breaks around and inside are dropped", " http://a.test/x\n/y ", undefined, "http://a.test/x/y"],
    ["an IPv4 number is spelt out", "http://0x7f.1/", undefined, "http://127.0.0.1/"],
    ["a backslash is a slash", "http:\\\\a.test\\x", undefined, "http://a.test/x"],
    ["other schemes cannot be crawled", "ftp://a.test/", undefined, undefined],
    ["nor javascript", "javascript:void(0)", "http://a.test/", undefined],
    ["nor mail", "mailto:a@b.test", "http://a.test/", undefined],
    ["nor data", "data:text/html,hi", "http://a.test/", undefined],
    ["nor a relative link without base", "/x", undefined, undefined],
    ["nor a link whose base is no URL", "x", "nowhere", undefined],
    ["nor a host that is none", "http://a b/", undefined, undefined],
    ["nor a link of a hundred thousand characters", `http://a.test/${"a".repeat(100_000)}`, undefined, undefined],
    ["nor a port that is none", "http://a.test:99999/", undefined, undefined],
  ])("%s", (_, raw, base, expected) => {
    expect(resolve(raw, base, tracking)?.url).toBe(expected);
  });
});

describe("what is compared", () => {
  test.each([
    ["case of scheme and host", "HTTP://A.Test/x", "http://a.test/x"],
    ["the default port", "https://a.test:443/", "https://a.test/"],
    ["the empty path", "http://a.test", "http://a.test/"],
    ["dot segments, escaped too", "http://a.test/b/%2e%2E/c/./d", "http://a.test/c/d"],
    ["unreserved characters are decoded", "http://a.test/%7Eme/%61-%5f?%71=%2e", "http://a.test/~me/a-_?q=."],
    ["reserved ones too, where they part nothing", "http://a.test/%3A%40%28%24?x=%2Fa%3Fb%3A", "http://a.test/:@($?x=/a?b:"],
    ["what would part a path is not", "http://a.test/a%2fb%3F%23%3b", "http://a.test/a%2Fb%3F%23%3B"],
    ["what would part a query is not", "http://a.test/?x=%26%3d%2b%23%3b%27", "http://a.test/?x=%26%3D%2B%23%3B%27"],
    ["what was escaped twice", "http://a.test/%2561?%252525", "http://a.test/a?%25"],
    ["what was escaped bit by bit", "http://a.test/%%36%31?%25%25361", "http://a.test/a?a"],
    ["dots that were escaped twice", "http://a.test/a/%252e%252e/b/%252e", "http://a.test/b/"],
    ["a lone percent sign", "http://a.test/100%/?q=5%&r=%zz", "http://a.test/100%25/?q=5%25&r=%25zz"],
    ["what a URL may not hold", "http://a.test/[a]|b?c=`d`", "http://a.test/%5Ba%5D%7Cb?c=%60d%60"],
    ["letters beyond ASCII", "http://a.test/ä?ö", "http://a.test/%C3%A4?%C3%B6"],
    ["the escapes of old scripts", "http://a.test/ni%u011fde", "http://a.test/ni%C4%9Fde"],
    ["half a surrogate pair is no character", "http://a.test/%ud83d", "http://a.test/%25ud83d"],
    ["the empty query", "http://a.test/?", "http://a.test/"],
    ["tracking parameters", "http://a.test/?a=1&UTM_Source=x&gclid=2&b=3", "http://a.test/?a=1&b=3"],
    ["tracking parameters in disguise", "http://a.test/?utm%5Fsource=x", "http://a.test/"],
    ["a name that only begins like one", "http://a.test/?gclid2=x", "http://a.test/?gclid2=x"],
    ["the order of a listing of Apache", "http://a.test/d/?C=N;O=D", "http://a.test/d/"],
    ["and how it is drawn", "http://a.test/d/?C=S;O=A;F=2;V=1", "http://a.test/d/"],
    ["the order of a listing of nginx", "http://a.test/d/?C=M&O=A", "http://a.test/d/"],
    ["the order of a listing, escaped", "http://a.test/d/?C=N%3BO=D", "http://a.test/d/?C=N%3BO=D"],
    ["a pattern selects from a listing", "http://a.test/d/?C=N;O=D;P=*.c", "http://a.test/d/?C=N;O=D;P=*.c"],
    ["other values are no order", "http://a.test/?C=12&O=D", "http://a.test/?C=12&O=D"],
    ["nor is what comes twice", "http://a.test/?C=N&C=M", "http://a.test/?C=N&C=M"],
    ["a document has no order", "http://a.test/x.php?C=N&O=D", "http://a.test/x.php?C=N&O=D"],
    ["the dot after a host", "http://a.test./x", "http://a.test/x"],
    ["a number that its dots had hidden", "http://0x7f../", "http://0.0.0.127/"],
    ["a host that is nothing but dots stays", "http://../", "http://../"],
    ["the order of parameters counts", "http://a.test/?b=1&a=2", "http://a.test/?b=1&a=2"],
    ["empty segments name nothing", "http://a.test//b//", "http://a.test/b/"],
    ["a session whose name has an escaped letter", "http://a.test/a;%2541sid=0123456789abcdef/b", "http://a.test/a/b"],
    ["a way up behind a session", "http://a.test/a/..;%6asessionid=1/b", "http://a.test/b"],
    ["the last slash does", "http://a.test/b/", "http://a.test/b/"],
    ["an address in a path", "http://a.test/web/2020/http://b.test/", "http://a.test/web/2020/http:/b.test/"],
  ])("%s", (_, url, expected) => {
    expect(keyOf(url, tracking)).toBe(expected);
  });

  test.each([
    ["names are ordered, values of one name are not", "http://a.test/?b=2&a=9&b=1", "http://a.test/?a=9&b=2&b=1"],
    ["empty parts and values say nothing", "http://a.test/?&b=&&=1&a", "http://a.test/?a&b"],
  ])("sorted: %s", (_, url, expected) => {
    expect(keyOf(url, { ...plain, sortParams: true })).toBe(expected);
  });

  test.each([
    ["the first parameters are kept", 2, "http://a.test/?a=1&b=2&c=3", "http://a.test/?a=1&b=2", true],
    ["tracking parameters do not count", 1, "http://a.test/?utm_id=7&a=1", "http://a.test/?utm_id=7&a=1", false],
    ["none may be kept", 0, "http://a.test/?a=1", "http://a.test/", true],
    ["what fits is left as it is", 2, "http://a.test/?a=1&&b=2", "http://a.test/?a=1&&b=2", false],
  ])("maxParams: %s", (_, maxParams, url, expected, cut) => {
    expect(resolve(url, undefined, { ...tracking, maxParams })).toMatchObject({ url: expected, cut });
  });
});

const noise = fc.string({ unit: fc.constantFrom(..."ab/.%2eE5?&=#@:[]\\ *;\tü|0x7f".split(""), "..", "%2f", "utm_a", "http://", "//") });
const anyOptions = fc.record({
  stripParams: fc.constantFrom([], ["utm_*"], ["a", "b*"]),
  sortParams: fc.boolean(),
  maxParams: fc.constantFrom(0, 1, 2, Number.POSITIVE_INFINITY),
});

test("a key is its own key, and asking what we ask changes nothing", () => {
  fc.assert(
    fc.property(fc.oneof(noise, fc.webUrl({ withQueryParameters: true, withFragments: true })), anyOptions, (raw, options) => {
      const resolved = resolve(raw, "http://base.test/dir/page?q", options);
      if (!resolved) return;
      expect(keyOf(resolved.key, options)).toBe(resolved.key);
      expect(resolve(resolved.url, undefined, options)).toEqual({ ...resolved, cut: false });
      expect(resolved.url).not.toContain("#");
      expect(hostOf(resolved.url)).toBe(resolved.host);
      expect(hostOf(resolved.key)).toBe(resolved.host);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["http and https share a host", "https://a.test/x", "a.test"],
  ["a port of its own is a host of its own", "http://a.test:8080/", "a.test:8080"],
  ["port 443 over http is still that name", "http://a.test:443/", "a.test"],
  ["an IPv6 address", "http://[::1]:81/", "[::1]:81"],
  ["capitals, userinfo and a last dot do not matter", "http://me@A.test./", "a.test"],
  ["what is no URL has no host", "nowhere", ""],
])("host: %s", (_, url, expected) => {
  expect(hostOf(url)).toBe(expected);
});

test("the origin keeps scheme and port", () => {
  expect(originOf("https://me@a.test:8443/x")).toBe("https://a.test:8443");
});

test.each([
  ["a name below a two-part suffix", "www.a.co.uk", "a.co.uk"],
  ["a name on a platform is its own", "me.github.io", "me.github.io"],
  ["a suffix alone is nobody's", "co.uk", undefined],
  ["an address has no domain", "127.0.0.1", undefined],
  ["nor has a single label", "localhost", undefined],
  ["capitals and a last dot do not matter", "WWW.A.org.", "a.org"],
])("registrable domain: %s", (_, hostname, expected) => {
  expect(registrableDomain(hostname)).toBe(expected);
});

test("what passes for plain is what the parser answers", () => {
  const piece = fc.constantFrom(
    "a",
    "B",
    "0",
    "-",
    ".",
    "..",
    "/",
    "//",
    "\\",
    "?",
    "%41",
    "%",
    "&",
    "=",
    "'",
    ";",
    ":",
    "@",
    "~",
    "#",
    " ",
    "ä",
    "xn--",
    "_",
  );
  const host = fc.constantFrom(
    "a.test",
    "a-b.c.test",
    "a..test",
    "0x7f.1",
    "A.test",
    "xn--a.test",
    "a_b.test",
    `${"a".repeat(64)}.test`,
    "test",
    "a.test:80",
  );
  fc.assert(
    fc.property(
      fc.constantFrom("http://", "https://", "HTTP://", "ftp://"),
      host,
      fc.array(piece, { maxLength: 8 }),
      (scheme, name, pieces) => {
        const url = `${scheme}${name}/${pieces.join("")}`;
        if (isPlain(url)) expect(new URL(url).href).toBe(url);
        if (isPlain(url) && isOwnKey(url)) expect(keyOf(`${url}#part`, tracking)).toBe(url);
      },
    ),
    { numRuns: 5000 },
  );
});
