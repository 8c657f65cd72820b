/** Documents that are meant to hurt whoever reads them. */
import iconv from "iconv-lite";
import { type Answer, page } from "./raw-web.ts";

/** Where no link may lead to a visit. */
export const NEVER = "/never";
const links = (count: number) => Array.from({ length: count }, (_, n) => `<a href="${NEVER}/${n}">${n}</a>`).join("");
const lol = Array.from({ length: 10 }, (_, n) => `<!ENTITY lol${n + 1} "${`&lol${n};`.repeat(10)}">`).join("");

export const documents: readonly (readonly [name: string, answer: Answer, title: string | undefined, links: number])[] = [
  ["100,000 elements within each other", page(`<title>deep</title>${"<div>".repeat(100_000)}<a href="${NEVER}/deep">x</a>`), "deep", 1],
  ["100,000 lists and links within each other", page(`<title>lists</title>${"<ul><li><b>".repeat(100_000)}`), "lists", 0],
  ["50,000 links", page(`<title>links</title>${links(50_000)}`), "links", 50_000],
  ["an attribute of nearly 10 MB", page(`<title>wide</title><a href="${NEVER}/${"x".repeat(9_900_000)}">x</a>${links(1)}`), "wide", 1],
  [
    "100,000 attributes",
    page(`<title>many</title><a ${Array.from({ length: 100_000 }, (_, n) => `a${n}=b`).join(" ")} href="${NEVER}/a">x</a>`),
    "many",
    1,
  ],
  ["entities by the million", page(`<title>ents</title>${"&amp;&notit;&#x41;&#99999999;".repeat(100_000)}`), "ents", 0],
  [
    "a bomb of entities",
    page(`<?xml version="1.0"?><!DOCTYPE html [<!ENTITY lol0 "lol">${lol}]><html><title>lol</title>&lol10;</html>`, {
      "content-type": "application/xhtml+xml",
    }),
    "lol",
    0,
  ],
  ["a comment without end", page(`<title>open</title><!-- ${links(1000)}`), "open", 0],
  ["a script without end", page(`<title>script</title><script>${'{"a":"/b",'.repeat(50_000)}`), "script", 0],
  ["NUL and controls", page(`<title>n\0u\x01l\x7f</title>${"\0".repeat(1000)}`), undefined, 0],
  [
    "half characters as UTF-8",
    page(Buffer.concat([Buffer.from("<title>half"), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from("</title>")]), {
      "content-type": "text/html; charset=utf-8",
    }),
    "half\ufffd\ufffd\ufffd",
    0,
  ],
  ["half characters as references", page("<title>half&#xD800;&#xDFFF;</title>"), "half\ufffd\ufffd", 0],
  [
    "half characters as UTF-16",
    page(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("<title>half\ud800</title>", "utf16le")])),
    "half\ufffd",
    0,
  ],
];

const scripts: Record<string, string> = {
  "utf-8": "Zażółć gęślą jaźń",
  "utf-16le": "Zażółć gęślą jaźń",
  "utf-16be": "Zażółć gęślą jaźń",
  "windows-1250": "Zażółć gęślą jaźń",
  "iso-8859-2": "Příliš žluťoučký kůň",
  "windows-1251": "Съешь ещё этих булок",
  "koi8-r": "Съешь ещё этих булок",
  "koi8-u": "Щедрий вечір ґава",
  "iso-8859-5": "Съешь ещё этих булок",
  "windows-1252": "Hé — “ça” coûte 5 €",
  "iso-8859-15": "ça coûte 5 €",
  "windows-1253": "Ξεσκεπάζω την ψυχοφθόρα",
  "iso-8859-7": "Ξεσκεπάζω την ψυχοφθόρα",
  "windows-1254": "Pijamalı hasta yağız şoföre",
  "windows-1255": "דג סקרן שט בים",
  "windows-1256": "صِف خَلقَ خَودِ",
  "windows-1257": "Glāžšķūņa rūķīši",
  "windows-1258": "Đà xưa ơi",
  "windows-874": "เป็นมนุษย์สุดประเสริฐ",
  shift_jis: "いろはにほへと漢字",
  "euc-jp": "いろはにほへと漢字",
  gbk: "视野无限广窗外有蓝天",
  gb18030: "视野无限广窗外有蓝天",
  big5: "視野無限廣窗外有藍天",
  "euc-kr": "키스의 고유조건은",
  macintosh: "Hé ça coûte cher",
};

/** The same page in every writing of the web: by its header, and by what it says of itself. */
export const charsets: readonly (readonly [name: string, answer: Answer, title: string])[] = Object.entries(scripts).flatMap(
  ([charset, text]) => {
    const write = (html: string) => Buffer.from(iconv.encode(html, charset));
    const byHeader = page(write(`<title>${text}</title>`), { "content-type": `text/html; charset=${charset}` });
    const byMeta = page(write(`<meta charset="${charset}"><title>${text}</title>`));
    return charset.startsWith("utf-16")
      ? [[`${charset} by its header`, byHeader, text]]
      : [
          [`${charset} by its header`, byHeader, text],
          [`${charset} by its meta`, byMeta, text],
        ];
  },
);
