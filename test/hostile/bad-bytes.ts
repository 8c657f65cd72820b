/** What servers get wrong or do on purpose, and the name that each has in the ledger. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { type Answer, drip, endless, page, say } from "./raw-web.ts";

export type Case = readonly [name: string, answer: Answer, expected: string];

const ok = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n";
const HTML = `<title>A page</title><p>${"words that are worth packing ".repeat(400)}</p>`;
const MB = 1024 ** 2;

const corrupt = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes);
  copy[at < 0 ? copy.length + at : at]! ^= 0xff;
  return copy;
};
const as = (coding: string, bytes: Buffer): Answer => page(bytes, { "content-encoding": coding });
const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 20);
const zeros = Buffer.alloc(64 * MB, "<p>a bomb</p>");

export const codings: readonly Case[] = [
  ["gzip cut short", as("gzip", cut(gzipSync(HTML))), "failed encoding"],
  ["gzip without its trailer", as("gzip", gzipSync(HTML).subarray(0, -8)), "failed encoding"],
  ["gzip with a wrong checksum", as("gzip", corrupt(gzipSync(HTML), -6)), "failed encoding"],
  ["gzip with a broken head", as("gzip", corrupt(gzipSync(HTML), 2)), "failed encoding"],
  ["brotli cut short", as("br", cut(brotliCompressSync(HTML))), "failed encoding"],
  ["brotli that is not", as("br", Buffer.from(HTML)), "failed encoding"],
  ["deflate cut short", as("deflate", cut(deflateSync(HTML))), "failed encoding"],
  ["raw deflate cut short", as("deflate", cut(deflateRawSync(HTML))), "failed encoding"],
  ["deflate with a wrong checksum", as("deflate", corrupt(deflateSync(HTML), -2)), "failed encoding"],
  ["a coding nobody knows", as("sdch", Buffer.from(HTML)), "failed encoding"],
  ["a thousand codings", as(Array(1000).fill("gzip").join(", "), gzipSync(HTML)), "failed encoding"],
  [
    "four codings",
    as(
      "gzip, gzip, gzip, gzip",
      [1, 2, 3, 4].reduce((bytes) => gzipSync(bytes), Buffer.from(HTML)),
    ),
    "failed encoding",
  ],
  ["two codings, honestly", as("deflate, gzip", gzipSync(deflateSync(HTML))), "fetched ok"],
  ["a gzip bomb", as("gzip", gzipSync(zeros)), "skipped size"],
  ["a brotli bomb", as("br", brotliCompressSync(zeros)), "skipped size"],
  ["a deflate bomb", as("deflate", deflateSync(zeros)), "skipped size"],
  ["a bomb in a bomb", as("gzip, gzip", gzipSync(gzipSync(zeros))), "skipped size"],
  ["a brotli bomb in gzip", as("br, gzip", gzipSync(brotliCompressSync(zeros))), "skipped size"],
];

const chunked = "transfer-encoding: chunked\r\n\r\n";

export const framing: readonly Case[] = [
  ["a body without end", endless(`${ok}\r\n`, "x".repeat(50_000)), "skipped size"],
  ["chunks without end", endless(`${ok}${chunked}`, `c350\r\n${"x".repeat(50_000)}\r\n`), "skipped size"],
  ["an absurd length", endless(`${ok}content-length: 99999999999999\r\n\r\n`, "x".repeat(50_000)), "skipped size"],
  ["a body that drips", drip(`${ok}\r\n`, "x"), "failed timeout"],
  ["headers that drip", drip(ok, "x: y\r\n"), "failed timeout"],
  ["silence", () => {}, "failed timeout"],
  ["headers without end", say(`${ok}${"x: y\r\n".repeat(40_000)}`), "failed protocol"],
  ["one endless header", say(`${ok}x: ${"y".repeat(200_000)}`), "failed protocol"],
  ["two lengths that differ", say(`${ok}content-length: 5\r\ncontent-length: 7\r\n\r\nhello`), "failed protocol"],
  ["a length that is no number", say(`${ok}content-length: five\r\n\r\nhello`), "failed protocol"],
  ["a length and chunks", say(`${ok}content-length: 5\r\n${chunked}5\r\nhello\r\n0\r\n\r\n`), "failed protocol"],
  ["less than was promised", say(`${ok}content-length: 500\r\n\r\nhello`, "end"), "failed connection"],
  ["more than was promised", say(`${ok}content-length: 5\r\n\r\nhello and more`), "fetched ok"],
  ["a chunk size that is none", say(`${ok}${chunked}zz\r\nhello\r\n0\r\n\r\n`), "failed protocol"],
  ["no last chunk", say(`${ok}${chunked}5\r\nhello\r\n`, "end"), "failed connection"],
  ["closed without a word", say("", "end"), "failed connection"],
  ["closed within the headers", say(ok, "end"), "failed connection"],
  ["reset within the body", say(`${ok}content-length: 500\r\n\r\nhello`, "reset"), "failed connection"],
  ["another protocol", say("SSH-2.0-OpenSSH_9.6\r\n"), "failed protocol"],
  ["a part nobody asked for", say("HTTP/1.1 206 Partial Content\r\ncontent-length: 5\r\n\r\nhello"), "failed protocol"],
  ["not modified, unasked", say("HTTP/1.1 304 Not Modified\r\n\r\n"), "failed protocol"],
  ["status 999", say("HTTP/1.1 999 No\r\ncontent-length: 2\r\n\r\nno"), "failed protocol"],
  ["status 600", say("HTTP/1.1 600 No\r\ncontent-length: 2\r\n\r\nno"), "failed protocol"],
  ["a header called __proto__", say(`${ok}__proto__: x\r\nconstructor: y\r\ncontent-length: 5\r\n\r\nhello`), "fetched ok"],
];

const moved = (location: string): Answer => say(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);

export const redirects: readonly Case[] = [
  ["to itself", moved("/"), "failed redirect.loop"],
  ["without a place", say("HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n"), "failed protocol"],
  ["to nonsense", moved("http://[::"), "failed protocol"],
  ["to a file", moved("file:///etc/passwd"), "skipped scheme"],
  ["to a script", moved("javascript:alert(1)"), "skipped scheme"],
  ["to data", moved("data:text/html,hello"), "skipped scheme"],
  ["300 to choose from", say("HTTP/1.1 300 Multiple\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n"), "failed protocol"],
];

export const types: readonly Case[] = [
  ["an image", page("\x89PNG", { "content-type": "image/png" }), "skipped type"],
  ["HTML that says it is a PDF", page(HTML, { "content-type": "application/pdf" }), "skipped type"],
  ["a type that is none", page(HTML, { "content-type": "nonsense" }), "fetched ok"],
  ["binary that says it is HTML", page(Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 31) % 256))), "fetched ok"],
  ["a PDF that says it is HTML", page("%PDF-1.7\n\0\0\0<a href='/x'>x</a>"), "fetched ok"],
  ["nothing at all", page(""), "fetched ok"],
];
