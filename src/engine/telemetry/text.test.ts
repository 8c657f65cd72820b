import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clock, count, formatDuration, percentText, plural, rateText, size } from "./amounts.ts";
import { joinWhole, row, shorten, widthOf } from "./columns.ts";
import { printable } from "./index.ts";
import { PageRate } from "./page-rate.ts";

describe("printable", () => {
  test.each([
    ["plain text stays", "Budget, 2027", "Budget, 2027"],
    ["other scripts stay", "Größe 預算 میزانیه", "Größe 預算 میزانیه"],
    ["the joiners of Persian and emoji stay", "می\u200cخواهم 👩\u200d💻", "می\u200cخواهم 👩\u200d💻"],
    ["an escape sequence is written out", "\x1b[31mred", "\\x1b[31mred"],
    ["so is the eight-bit one", "\x9b31m", "\\x9b31m"],
    ["a title of the window is not set", "\x1b]0;owned\x07", "\\x1b]0;owned\\x07"],
    ["lines stay one line", "a\r\nb\tc", "a\\x0d\\x0ab\\x09c"],
    ["Unicode's line ends too", "a\u2028b\u2029c\x85", "a\\u{2028}b\\u{2029}c\\x85"],
    ["backspace and delete do nothing", "a\bb\x7f\0", "a\\x08b\\x7f\\x00"],
    ["right-to-left override is shown", "exe.\u202Etxt", "exe.\\u{202e}txt"],
    ["so are isolates and marks", "\u2066a\u2069\u200f\u061c", "\\u{2066}a\\u{2069}\\u{200f}\\u{61c}"],
    ["and invisible letters", "a\u200bb\ufeff\u{e0041}\u00ad", "a\\u{200b}b\\u{feff}\\u{e0041}\\xad"],
    ["half a character", "a\ud83d", "a\\u{d83d}"],
  ])("%s", (_, text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  test.each([
    ["what fits is whole", "abcde", 5, "abcde"],
    ["what does not is cut", "abcdef", 5, "abcd…"],
    ["a character is never halved", "💻💻💻", 2, "💻…"],
    ["nor is an escape", "abc\x1b", 5, "abc…"],
    ["room for one", "abc", 1, "…"],
    ["room for none", "abc", 0, ""],
  ])("%s", (_, text, max, expected) => {
    expect(printable(text, max)).toBe(expected);
  });

  test("whatever comes in, nothing that commands a terminal comes out", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(50), (text, max) => {
        const shown = printable(text, max);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
        expect([...shown].length).toBeLessThanOrEqual(max);
      }),
    );
  });
});

describe("columns", () => {
  test.each([
    ["letters", "Größe", 5],
    ["Chinese", "預算", 4],
    ["Korean and full-width forms", "한Ａ", 4],
    ["a combining mark", "e\u0301", 1],
    ["emoji", "💻⚡", 4],
    ["a sign made emoji", "\u2764\ufe0f", 2],
    ["what a live view is made of", "▸ · …", 5],
  ])("%s", (_, text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  test.each([
    ["a wide character that does not fit makes room", "預算案", 4, "預…"],
    ["nor does one with a single column left", "預算案", 5, "預算…"],
    ["all of it fits", "預算案", 6, "預算案"],
    ["marks go with their letter", "e\u0301e\u0301e\u0301", 2, "e\u0301…"],
  ])("%s", (_, text, columns, expected) => {
    expect(shorten(text, columns)).toBe(expected);
  });

  test("a number is shown whole or not at all", () => {
    expect(joinWhole([["412 done"], ["1,386 queued"]], 22)).toBe("412 done");
    expect(joinWhole([["412 done"], ["1,386 queued"]], 23)).toBe("412 done   1,386 queued");
  });

  test("the edge is kept to the right, and given up when it would take too much", () => {
    expect(row([["bozeman.net"]], 22, ["00:07"])).toBe("bozeman.net      00:07");
    expect(row([["bozeman.net"]], 16, ["00:07"])).toBe("bozeman…   00:07");
    expect(row([["bozeman.net"]], 12, ["00:07"])).toBe("bozeman.net");
  });

  test("no row is wider than its columns", () => {
    const cells = fc.array(fc.tuple(fc.string({ unit: "grapheme" })), { maxLength: 5 });
    fc.assert(
      fc.property(cells, fc.nat(60), fc.string({ maxLength: 9 }), (texts, columns, edge) => {
        const shown = texts.map(([text]) => [printable(text)] as const);
        expect(widthOf(row(shown, columns, [printable(edge)]))).toBeLessThanOrEqual(columns);
        expect(widthOf(joinWhole(shown, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe("amounts", () => {
  test.each([
    ["thousands", count(1_234_567), "1,234,567"],
    ["no comma before the first digit", count(123_456), "123,456"],
    ["no more than it says", count(999.5), "1,000"],
    ["one", plural(1, "page", "pages"), "1 page"],
    ["many", plural(0, "page", "pages"), "0 pages"],
    ["bytes", size(812), "812 bytes"],
    ["megabytes", size(12.4 * 1024 ** 2), "12.4 MB"],
    ["round ones", size(41 * 1024 ** 2), "41 MB"],
    ["hundreds need no tenths", size(512.3 * 1024), "512 KB"],
    ["never 1,024 of anything", size(1024 ** 2 - 1), "1 MB"],
    ["a moment", formatDuration(412), "0.4 s"],
    ["seconds", formatDuration(12_400), "12 s"],
    ["minutes", formatDuration(1_572_000), "26 min 12 s"],
    ["round minutes", formatDuration(540_000), "9 min"],
    ["never 60 seconds", formatDuration(59_999), "1 min"],
    ["never 60 minutes", formatDuration(3_599_999), "1 h"],
    ["hours", formatDuration(7_500_000), "2 h 5 min"],
    ["days", formatDuration(273_600_000), "3 d 4 h"],
    ["a clock", clock(461_900), "00:07:41"],
    ["a clock after days", clock(360_000_000), "100:00:00"],
    ["a share", percentText(61, 100), "61%"],
    ["nearly all", percentText(9_999, 10_000), "99%"],
    ["next to none", percentText(1, 10_000), "1%"],
    ["all", percentText(3, 3), "100%"],
    ["a pace", rateText(1000), "1.0/s"],
    ["a slow one", rateText(30_000), "2.0/min"],
  ])("%s", (_, written, expected) => {
    expect(written).toBe(expected);
  });
});

describe("pages a minute", () => {
  test.each([
    [
      "too early to tell",
      [
        [0, 0],
        [1000, 9],
      ],
      0,
    ],
    [
      "since the start",
      [
        [0, 0],
        [30_000, 30],
      ],
      60,
    ],
    [
      "a resumed run starts with what it had",
      [
        [0, 500],
        [30_000, 530],
      ],
      60,
    ],
    [
      "only the last minute counts",
      [
        [0, 0],
        [60_000, 600],
        [90_000, 630],
        [120_000, 660],
      ],
      60,
    ],
    [
      "nothing came for a minute",
      [
        [0, 0],
        [1000, 60],
        [61_000, 60],
      ],
      0,
    ],
    [
      "looks far apart count between them",
      [
        [0, 0],
        [100_000, 100],
        [300_000, 300],
      ],
      60,
    ],
  ] as [string, [number, number][], number][])("%s", (_, looks, expected) => {
    const tempo = new PageRate();
    expect(looks.map(([at, pages]) => tempo.at(at, pages)).at(-1)).toBe(expected);
  });
});
