import { describe, expect, test } from "vitest";
import { decodeBytes, encodingFromLabel, headerCharset, parseMime, prescan } from "./index.ts";

test.each([
  ["names are in lower case", "ISO-8859-2", "iso-8859-2"],
  ["latin1 is windows-1252", " Latin1\n", "windows-1252"],
  ["a label with a colon", "iso_8859-1:1987", "windows-1252"],
  ["what browsers refuse to decode", "iso-2022-kr", "replacement"],
  ["what Node does not know", "iso-8859-16", "iso-8859-16"],
  ["only ASCII space is trimmed", "\u00a0utf-8", undefined],
  ["unknown", "klingon", undefined],
  ["no property of anything", "__proto__", undefined],
  ["very long", "x".repeat(100_000), undefined],
])("label: %s", (_, label, expected) => {
  expect(encodingFromLabel(label)).toBe(expected);
});

test.each([
  ["charset", '<meta charset="koi8-r">', "koi8-r"],
  ["http-equiv", '<meta http-equiv=content-type content="text/html; charset=euc-jp">', "euc-jp"],
  ["content without http-equiv", '<meta content="text/html; charset=euc-jp">', undefined],
  ["utf-16 cannot be, it was read as ASCII", "<meta charset=utf-16>", "utf-8"],
  ["x-user-defined means windows-1252", "<meta charset=x-user-defined>", "windows-1252"],
  ["a bogus one is passed over", "<meta charset=x><meta charset=gbk>", "gbk"],
  ["not in comments", "<!--<meta charset=gbk>--><meta charset=big5>", "big5"],
  ["not in scripts", "<script><meta charset=gbk></script>", undefined],
  ["not in another tag's attribute", '<p title="<meta charset=gbk>">', undefined],
  ["a long head is read to its end", `<head><!--${"x".repeat(5000)}--><meta charset=gbk>`, "gbk"],
  ["a body is not", `<body>${"x".repeat(2000)}<meta charset=gbk>`, undefined],
  ["a tag that does not end is not believed", "<meta charset=gbk", undefined],
  ["an XML declaration", '<?xml version="1.0" encoding="iso-8859-5"?><html>', "iso-8859-5"],
])("prescan: %s", (_, html, expected) => {
  expect(prescan(Buffer.from(html))).toBe(expected);
});

test.each([
  ["a byte order mark beats the header", [0xef, 0xbb, 0xbf, 0x61], "text/html; charset=gbk", "a", "utf-8"],
  ["UTF-16 by its mark", [0xff, 0xfe, 0x61, 0], undefined, "a", "utf-16le"],
  ["UTF-32 by its mark", [0, 0, 0xfe, 0xff, 0, 0, 0, 0x61], undefined, "a", "utf-32be"],
  ["the header beats the document", [...Buffer.from("<meta charset=gbk>")], "text/html; charset=utf-8", "<meta charset=gbk>", "utf-8"],
  ["valid UTF-8 is UTF-8", [0xc3, 0xbc], "text/html", "\u00fc", "utf-8"],
  ["else windows-1252, with its own letters", [0x80, 0x92, 0xfc], "text/html", "\u20ac\u2019\u00fc", "windows-1252"],
  ["bad bytes become replacement letters", [0x61, 0xff, 0x62], "text/html; charset=utf-8", "a\ufffdb", "utf-8"],
  ["what browsers refuse is one replacement letter", [0x61, 0x62], "text/html; charset=iso-2022-kr", "\ufffd", "replacement"],
  ["iso-8859-16 is decoded all the same", [0xa4], "text/html; charset=iso-8859-16", "\u20ac", "iso-8859-16"],
  ["x-user-defined keeps its bytes", [0x41, 0x80], "text/html; charset=x-user-defined", "A\uf780", "x-user-defined"],
  ["Shift_JIS", [0x93, 0xfa, 0x96, 0x7b], "text/html; charset=x-sjis", "日本", "shift_jis"],
] as [string, number[], string | undefined, string, string][])("decode: %s", (_, bytes, contentType, text, charset) => {
  expect(decodeBytes(new Uint8Array(bytes), contentType, "html")).toEqual({ text, charset });
});

test("XML by its declaration", () => {
  const bytes = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\u00fc</a>', "latin1");
  expect(decodeBytes(bytes, "application/xml", "xml").text).toContain("<a>\u00fc</a>");
});

test.each([
  ["quoted", 'text/html; charset="utf-8"', "utf-8"],
  ["two headers in one", "text/html; charset=utf-8, text/html", "utf-8"],
  ["an empty one before the true one", 'text/html; charset=""; charset=gbk', "gbk"],
  ["in another parameter's value", 'text/html; x="charset=gbk"', undefined],
  ["single quotes are no quotes", "text/html; charset='utf-8'", undefined],
])("header: %s", (_, header, expected) => {
  expect(headerCharset(header)).toBe(expected);
});

describe("content types", () => {
  test.each([
    ["case and space", " Text/HTML ;Charset=GBK ", "text/html", [["charset", "GBK"]]],
    ["the first of equal parameters counts", "a/b;x=1;x=2", "a/b", [["x", "1"]]],
    ["escapes in quotes", 'a/b;x="\\"y"z', "a/b", [["x", '"y']]],
    ["a form feed is no space", "a/b\f", undefined, []],
    ["no slash", "html", undefined, []],
  ] as [string, string, string | undefined, [string, string][]][])("%s", (_, text, essence, parameters) => {
    const mime = parseMime(text);
    expect(mime?.essence).toBe(essence);
    expect([...(mime?.parameters ?? [])]).toEqual(parameters);
  });
});
