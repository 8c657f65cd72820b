import { expect, test } from "vitest";
import { seenLetters } from "./seen-letters.ts";

const tags = [..."buy now"].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join("");
const selectors = [...Buffer.from("buy now")].map((byte) => String.fromCodePoint(0xe0100 + byte)).join("");
const scotland = `\u{1f3f4}${[..."gbsct"].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join("")}\u{e007f}`;

test.each([
  ["tags", `a${tags}b`, "ab", 7],
  ["tags behind a flag", `\u{1f3f4}${tags}b`, "\u{1f3f4}b", 7],
  ["selectors in a row", `\u{1f600}${selectors}!`, `\u{1f600}${selectors.slice(0, 2)}!`, 6],
  ["bidi controls", "a\u202egnp\u2066.exe\u2069", "agnp.exe", 3],
  ["zero widths between Latin letters", "i\u200bg\u200dn\u200core\ufeff", "ignore", 0],
  ["soft hyphens", "Schiff\u00adfahrt", "Schifffahrt", 0],
  ["controls", "a\x00\x1b[2J\x9b3m\tb\n", "a[2J3m\tb\n", 3],
  ["nothing of the flag of Scotland", `${scotland}!`, `${scotland}!`, 0],
  ["nothing of a family", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}", 0],
  ["nothing of a heart on fire", "\u2764\ufe0f\u200d\u{1f525}", "\u2764\ufe0f\u200d\u{1f525}", 0],
  ["nothing of Persian", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", 0],
  ["nothing of Sinhala", "\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\u0dc1\u0dca\u200d\u0dbb\u0dd3", 0],
  ["nothing of plain text", "a b\u00e9\u4e2d", "a b\u00e9\u4e2d", 0],
])("of what is seen it takes away %s", (_, text, expected, counted) => {
  let out = 0;
  expect(
    seenLetters(text, (more) => {
      out += more;
    }),
  ).toBe(expected);
  expect(out).toBe(counted);
});
