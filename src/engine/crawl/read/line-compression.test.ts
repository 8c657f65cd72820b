import fc from "fast-check";
import { expect, test } from "vitest";
import { compressLines, decompressLines } from "./line-compression.ts";

const roundTrip = (text: string) => decompressLines(compressLines(text)!);

const long = (count: number) => `/${"x".repeat(count)}`;

test.each([
  ["nothing", ""],
  ["empty lines", "\n\n"],
  ["one line", "/"],
  ["the same again", "/a\n/a\n/a"],
  ["a letter more and less", "/aa\n/a\n/aaa\n/aa"],
  ["more than a byte can count", `${long(600)}\n${long(700)}y\n${long(600)}`],
])("lines come back as they were: %s", (_, text) => expect(roundTrip(text)).toBe(text));

test("so do any lines of URLs", () => {
  const line = fc.array(fc.constantFrom("/", "a", "b", "ab", "article-", "1", ".html", "?q=", "http://a.test"), { maxLength: 12 });
  const text = fc.array(line.map((parts) => parts.join(""))).map((lines) => lines.join("\n"));
  fc.assert(fc.property(text, (given) => roundTrip(given) === given));
});

test("what the lines of a menu have in common is written once", () => {
  const lines = Array.from({ length: 50 }, (_, at) => `/section-${at % 7}/article-${at * 37}.html`).join("\n");
  expect(compressLines(lines)!.length).toBeLessThan(0.65 * lines.length);
});

test("letters of more than a byte are left to others", () => expect(compressLines("/a\n/é\n/漢")).toBeUndefined());
