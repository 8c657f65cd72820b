import fc from "fast-check";
import { expect, test } from "vitest";
import { HtmlSource } from "./html-source.ts";
import { parseDocument } from "./index.ts";

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

test("tags, texts and comments are whole wherever a window ends", () => {
  const page = `<p title="ä &lt; b">one &amp; two ü</p><!-- <a href="/no"> --><a href="/yes?é">three</a><script>"</p>"</script>`;
  for (let before = 0; before <= page.length; before += 1) {
    const bytes = Buffer.from(`<i>${"x".repeat(64 * 1024 - 7 - before)}</i>${page}`);
    const { links, text } = parseDocument({ bytes, url: "http://a.test/", contentType: "text/html", as: "page", embeddedLinks: true });
    expect([links.map(({ url, text }) => [url, text]), text.slice(text.indexOf("o"))]).toEqual([
      [["http://a.test/yes?%C3%A9", "three"]],
      "one & two ü\nthree",
    ]);
  }
});
