import { describe, expect, test } from "vitest";
import { SamePages } from "./index.ts";

const leaf = (n: number) => `http://a.test/list/leaf-${n}`;
/** A different word, of letters only, for each number. */
const word = (n: number) => [...String(n)].map((digit) => "abcdefghij"[Number(digit)]).join("");
const page = (url: string, body: string, hasNews = false) => ({ url, body, says: body, hasNews });

describe("a row of pages that are the same, byte for byte", () => {
  test("ends its folder after fifty, and no other", () => {
    const guard = new SamePages();
    for (let n = 0; n < 49; n++) guard.learn(page(leaf(n), "same"));
    expect(guard.refuse(leaf(99))).toBeUndefined();
    guard.learn(page(leaf(49), "same"));
    expect(guard.refuse(leaf(99))).toBe("50 pages of a.test/list/ in a row were the same, byte for byte");
    expect(guard.refuse("http://a.test/other/leaf-99")).toBeUndefined();
    expect(guard.refuse("http://b.test/list/leaf-99")).toBeUndefined();
  });

  test("is remembered by a resumed run", () => {
    const guard = new SamePages();
    for (let n = 0; n < 50; n++) guard.learn(page(leaf(n), "same"));
    const next = new SamePages();
    next.restore(structuredClone(guard.snapshot()));
    expect(next.refuse(leaf(99))).toBeDefined();
    expect(next.verdicts).toBe(1);
  });

  test.each([
    ["one in forty is another", (n: number) => page(leaf(n), n % 40 === 0 ? `page ${n}` : "same")],
    ["one in forty leads to something new", (n: number) => page(leaf(n), "same", n % 40 === 0)],
    ["they lie in folders of their own", (n: number) => page(`http://a.test/list/${n}/leaf`, "same")],
    ["they lie beside the front page under names of their own", (n: number) => page(`http://a.test/page-${word(n)}`, "same")],
  ])("goes on where %s", (_, make) => {
    const guard = new SamePages();
    for (let n = 0; n < 500; n++) {
      expect(guard.refuse(make(n).url)).toBeUndefined();
      guard.learn(make(n));
    }
  });
});

describe("capitals and small letters", () => {
  const pairs = (guard: SamePages, count: number, other: (n: number) => string) => {
    for (let n = 0; n < count; n++) {
      guard.learn(page(`http://a.test/Guide/Page${n}`, `text ${n}`));
      guard.learn(page(`http://a.test/guide/page${n}`, other(n)));
    }
  };

  test("are the same once eight pages were the same in both, and none was not", () => {
    const guard = new SamePages();
    pairs(guard, 8, (n) => `text ${n}`);
    expect(guard.refuse("http://a.test/GUIDE/page3")).toBe(
      "http://a.test/Guide/Page3 in other letters, and this host serves the same for both",
    );
    expect(guard.refuse("http://a.test/Guide/Page3")).toBeUndefined();
    // This path was not requested in any spelling before.
    expect(guard.refuse("http://a.test/GUIDE/page99")).toBeUndefined();
  });

  test.each([
    ["a few pages are the same in both", 7, (n: number) => `text ${n}`],
    ["one page is not", 20, (n: number) => (n === 19 ? "another" : `text ${n}`)],
  ])("are not the same where %s", (_, count, other) => {
    const guard = new SamePages();
    pairs(guard, count, other);
    expect(guard.refuse("http://a.test/GUIDE/page3")).toBeUndefined();
  });
});
