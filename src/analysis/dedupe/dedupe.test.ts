import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bands, blockHashes, contentHash, fingerprint, hammingDistance, isNear } from "./index.ts";

const of = (text: string, links: { url: string; text: string }[] = []) =>
  fingerprint({ origin: "http://a.test", urls: links.map(({ url }) => url).join("\n"), keys: "" }, links, text).print;
const words = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `word${(from + at) * 7919}`).join(" ");

test.each([
  ["where lines break does not count", "a b\nc", "a b c", true],
  ["words count", "a b c", "a b d", false],
  ["order counts", "a b", "b a", false],
  ["where the space is counts", "ab c", "a bc", false],
  ["case counts", "a", "A", false],
])("text: %s", (_, a, b, isSame) => {
  expect(of(a).text === of(b).text).toBe(isSame);
});

const link = (url: string, text: string) => ({ url, text });

test.each([
  ["the same links", [link("/a", "A")], [link("/a", "A")], true],
  ["another text", [link("/a", "A")], [link("/a", "B")], false],
  ["another order", [link("/a", ""), link("/b", "")], [link("/b", ""), link("/a", "")], false],
  ["another border between key and text", [link("/a", "b")], [link("/ab", "")], false],
  ["one more", [link("/a", "A")], [link("/a", "A"), link("", "")], false],
])("links: %s", (_, a, b, isSame) => {
  expect(of("", a).links === of("", b).links).toBe(isSame);
});

test("links are compared by their keys", () => {
  const urls = "/a?utm_source=x\n/b";
  const keys = "http://a.test/a\n";
  const linksOf = (targets: { urls: string; keys: string }) => fingerprint({ origin: "http://a.test", ...targets }, [], "").print.links;
  expect(linksOf({ urls, keys })).toBe(linksOf({ urls: urls.replace("x", "y"), keys }));
  expect(linksOf({ urls, keys })).not.toBe(linksOf({ urls, keys: "" }));
});

test("fingerprints are sixteen hex digits", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { links, text: hash, simhash } = of(text);
      expect(`${links} ${hash} ${simhash}`).toMatch(/^[0-9a-f]{16} [0-9a-f]{16} ([0-9a-f]{16})?$/);
    }),
    { numRuns: 300 },
  );
});

test("no two of many short texts share a hash", () => {
  const hashes = new Set(Array.from({ length: 100_000 }, (_, at) => of(`page ${at}`).text));
  expect(hashes.size).toBe(100_000);
});

describe("simhash", () => {
  test.each([
    ["too short to compare", words(19), words(19), false],
    ["the same words", words(200), words(200), true],
    ["case and punctuation aside", words(200), words(200).toUpperCase().replaceAll(" ", ", "), true],
    ["one word of a thousand changed", words(1000), words(1000).replace(/word7919 /, "other "), true],
    ["other words", words(200), words(200, 5000), false],
    ["the same words in another order", words(200), words(200).split(" ").reverse().join(" "), false],
    ["scripts without spaces", "日本語の文章は空白なしで書かれる。".repeat(3), "日本語の文章は空白なしで書かれる。".repeat(3), true],
  ])("%s", (_, a, b, expected) => {
    expect(isNear(of(a).simhash, of(b).simhash)).toBe(expected);
  });

  test("unrelated texts differ in about half of the bits", () => {
    const distances = Array.from({ length: 50 }, (_, at) =>
      hammingDistance(of(words(100)).simhash, of(words(100, 1000 * (at + 1))).simhash),
    );
    const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
    expect(mean).toBeGreaterThan(28);
    expect(mean).toBeLessThan(36);
  });

  test("near simhashes share a band", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.uniqueArray(fc.integer({ min: 0, max: 63 }), { maxLength: 3 }),
        (value, flips) => {
          const a = value.toString(16).padStart(16, "0");
          const b = flips
            .reduce((bits, flip) => bits ^ (1n << BigInt(flip)), value)
            .toString(16)
            .padStart(16, "0");
          expect(hammingDistance(a, b)).toBe(flips.length);
          expect(bands(a).some((band, at) => band === bands(b)[at])).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test.each([
  ["numbers are masked", ["Events on 3 May 2024"], ["Events on 4 May 2025"], true],
  ["words of the URL are masked, however many", ["Chairs red, small, of oak"], ["Chairs red of oak"], true],
  ["months and days are masked, in several languages", ["Events in March, Monday"], ["Events in Mai, dimanche"], true],
  ["other words are not", ["Events in Vienna today"], ["Events in Berlin today"], false],
  ["a short rest counts", ["one two three", "four"], ["one two three"], false],
  ["so does a page of one word", ["seven"], ["eight"], false],
  ["each block once", ["one two three", "one two three"], ["one two three"], true],
  ["a row of marks ends a sentence as one does", ["The barn?!.. Nobody lives there"], ["The barn. Nobody lives there"], true],
  ["marks within a word end none", ["The barn!!nobody lives there"], ["The barn. Nobody lives there"], false],
])("masked blocks: %s", (_, a, b, isSame) => {
  const masked = (blocks: readonly string[]) => String(blockHashes(blocks, "http://a.test/?colour=red&size=small").masked);
  expect(masked(a) === masked(b)).toBe(isSame);
});

test("masked blocks: another order of sentences is nothing new, and another word changes one hash", () => {
  const masked = (text: string, links: readonly string[] = []) => new Set(blockHashes([text], "", links).masked);
  const text = "The old barn stands by the river. Nobody lives there now.";
  expect(masked("Nobody lives there now. The old barn stands by the river.")).toEqual(masked(text));
  const changed = masked(text.replace("river", "quarry"));
  expect([...changed].filter((hash) => !masked(text).has(hash))).toHaveLength(1);
});

test("words of links are not a page's own", () => {
  const of = (text: string, link: string) => blockHashes([`See the old barn ${text}`, link], "", [link]);
  expect(of("now", "velvet moor").masked).toEqual(of("now", "amber vale").masked);
  expect(of("now", "velvet moor").unlinked).toEqual(of("now", "amber vale").unlinked);
  expect(of("now", "velvet moor").raw).not.toEqual(of("now", "amber vale").raw);
});

test.each([
  ["short blocks join the next", ["A", "b", "long block here"], ["A b long block here"], true],
  ["a number tells them apart", ["Page 17"], ["Page 18"], false],
  ["so does a month", ["Events in March"], ["Events in April"], false],
  ["order of short blocks counts", ["Page", "17"], ["17", "Page"], false],
  ["case does not", ["Page Seventeen"], ["page seventeen"], true],
])("raw blocks: %s", (_, a, b, isSame) => {
  expect(String(blockHashes(a).raw) === String(blockHashes(b).raw)).toBe(isSame);
});

test("no more than 256 block hashes", () => {
  expect(blockHashes(Array.from({ length: 1000 }, (_, at) => `block called ${"x".repeat(at)}`)).raw.length).toBe(256);
});

test("a body is named by 128 bits of its content", () => {
  expect(contentHash(new Uint8Array())).toBe("e3b0c44298fc1c149afbf4c8996fb924");
});
