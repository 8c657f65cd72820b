import fc from "fast-check";
import { expect, test } from "vitest";
import { HtmlSource } from "./html-source.ts";

test("what is taken out of a page is what its bytes say, whatever stands around it", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(
    fc.property(text, text, text, fc.constantFrom(1, 10, 500), (before, taken, after, times) => {
      const long = taken.repeat(times);
      const start = Buffer.byteLength(before);
      const source = new HtmlSource(Buffer.from(before + long + after));
      expect(source.slice(start, start + Buffer.byteLength(long))).toBe(long);
      source.giveBack();
    }),
  );
});

test.each(["", "a", "ÿ", "\u07ff\u0800", "\ud7ff\ue000\uffff", "\u{10000}\u{10ffff}", "\ufeffa"])("%j at the end of a page", (text) => {
  const source = new HtmlSource(Buffer.from(text));
  expect(source.slice(0, Buffer.byteLength(text))).toBe(text);
  expect([...source.codes.subarray(Buffer.byteLength(text)).subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  source.giveBack();
});
