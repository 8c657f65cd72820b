/** Header lines, chunks, redirects and codings that no honest server sends, and the name that each has in the ledger. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Case } from "./bad-bytes.ts";
import { type Answer, drip, endless, page, say } from "./raw-web.ts";

const BODY = "<title>A page</title><p>hello there";
const MB = 1024 ** 2;
const many = (n: number, piece: (at: number) => string) => Array.from({ length: n }, (_, at) => piece(at)).join("");
const ok = (lines: string, body = BODY): Answer =>
  say(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${lines}content-length: ${body.length}\r\n\r\n${body}`);

export const headerLines: readonly Case[] = [
  ["a length twice, the same", ok(`content-length: ${BODY.length}\r\n`), "failed protocol"],
  ["two lengths on one line", say(`HTTP/1.1 200 OK\r\ncontent-length: 5, 5\r\n\r\nhello`), "failed protocol"],
  ["a length below zero", say("HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nhello"), "failed protocol"],
  ["a length with a sign", say("HTTP/1.1 200 OK\r\ncontent-length: +5\r\n\r\nhello"), "failed protocol"],
  ["a length in hexadecimal", say("HTTP/1.1 200 OK\r\ncontent-length: 0x5\r\n\r\nhello"), "failed protocol"],
  ["a length beyond all numbers", say(`HTTP/1.1 200 OK\r\ncontent-length: ${"9".repeat(400)}\r\n\r\nhello`), "failed protocol"],
  ["a line that is folded", ok("x-long: a\r\n b\r\n\tc\r\n"), "failed protocol"],
  ["a type that is folded", say("HTTP/1.1 200 OK\r\ncontent-type:\r\n text/html\r\ncontent-length: 5\r\n\r\nhello"), "failed protocol"],
  ["64 KB of one header", ok(`x-long: ${"y".repeat(64 * 1024)}\r\n`), "failed protocol"],
  ["15 KB of one header", ok(`x-long: ${"y".repeat(15 * 1024)}\r\n`), "fetched ok"],
  ["a NUL in a value", ok("x-nul: a\0b\r\n"), "failed protocol"],
  ["a NUL in a name", ok("x-n\0ul: a\r\n"), "failed protocol"],
  ["a line end that is half", ok("x: a\rb: c\r\n"), "failed protocol"],
  ["line ends without returns", say("HTTP/1.1 200 OK\ncontent-length: 5\n\nhello"), "failed protocol"],
  ["a space before the colon", ok("x-odd : a\r\n"), "failed protocol"],
  ["a line without a colon", ok("this is no header\r\n"), "failed protocol"],
  ["a name of nothing", ok(": a\r\n"), "failed protocol"],
  ["escape sequences in values", ok("x-esc: \x1b[2J\x1b]0;owned\x07\r\n"), "failed protocol"],
  ["a status with an escape", say("HTTP/1.1 200 \x1b[2JOK\r\ncontent-length: 5\r\n\r\nhello"), "fetched ok"],
  ["a status of 64 KB", say(`HTTP/1.1 200 ${"O".repeat(64 * 1024)}\r\ncontent-length: 5\r\n\r\nhello`), "fetched ok"],
  ["no status", say("HTTP/1.1\r\n\r\nhello"), "failed protocol"],
  ["a status of two digits", say("HTTP/1.1 20 OK\r\ncontent-length: 5\r\n\r\nhello"), "failed protocol"],
  ["HTTP of another day", say("HTTP/7.3 200 OK\r\ncontent-length: 5\r\n\r\nhello", "end"), "failed protocol"],
  ["HTTP/0.9", say(BODY, "end"), "failed protocol"],
  ["HTTP/1.0 without a length", say(`HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n${BODY}`, "end"), "fetched ok"],
  ["HTTP/1.0 with chunks", say(`HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, "end"), "fetched ok"],
  ["a charset nobody knows", page(BODY, { "content-type": "text/html; charset=x-\x80nobody" }), "fetched ok"],
  ["a charset of 10,000 letters", page(BODY, { "content-type": `text/html; charset=${"u".repeat(10_000)}` }), "fetched ok"],
  ["a charset that is a property", page(BODY, { "content-type": "text/html; charset=__proto__" }), "fetched ok"],
  [
    "ten types",
    say(`HTTP/1.1 200 OK\r\n${many(10, (at) => `content-type: text/t${at}\r\n`)}content-length: 5\r\n\r\nhello`),
    "skipped type",
  ],
  ["a hundred cookies", ok(many(100, (at) => `set-cookie: a${at}=b; Domain=.test; Path=/\r\n`)), "fetched ok"],
  ["a thousand cookies", ok(many(1000, (at) => `set-cookie: a${at}=b\r\n`)), "fetched ok"],
  [
    "cookies without sense",
    ok(`set-cookie: =\r\nset-cookie: ;;;\r\nset-cookie: a=b; Expires=never; Domain=; Max-Age=${"9".repeat(99)}\r\n`),
    "fetched ok",
  ],
  ["links in a header", ok(`link: ${many(300, (at) => `</l${at}>; rel="next", `)}\r\n`), "fetched ok"],
  ["brackets in a header of links", ok(`link: ${"<".repeat(10_000)}\r\n`), "fetched ok"],
  ["a link that is canonical to a private place", ok(`link: <http://10.0.0.1/>; rel="canonical"\r\n`), "fetched ok"],
  [
    "dates that are none",
    ok(`last-modified: ${"9".repeat(300)}\r\ndate: Thu, 99 Foo 99999 99:99:99 GMT\r\nexpires: -1\r\nage: 1e309\r\n`),
    "fetched ok",
  ],
  ["an entity tag of control characters", ok(`etag: "\x01\x1b[2J${"e".repeat(3000)}"\r\n`), "failed protocol"],
  ["a refresh that is absurd", ok("refresh: 99999999999999999999;url=javascript:alert(1)\r\n"), "fetched ok"],
  ["rules in a header without end", ok(`x-robots-tag: ${"nuthatch: noindex, ".repeat(500)}\r\n`), "fetched ok"],
  ["a switch of protocols", say("HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n"), "failed protocol"],
  [
    "a flood of early answers",
    say(`${"HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n".repeat(5000)}HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello`),
    "fetched ok",
  ],
  ["early answers without end", endless("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(1000)), "failed protocol"],
  ["early answers that drip", drip("", "HTTP/1.1 102 Processing\r\n\r\n"), "failed timeout"],
  [
    "an early answer with a body",
    say("HTTP/1.1 103 Early Hints\r\ncontent-length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"),
    "failed protocol",
  ],
  ["204 with a body", say("HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello"), "fetched ok"],
  ["a wait without end", say("HTTP/1.1 503 Later\r\nretry-after: 99999999999999999999\r\ncontent-length: 0\r\n\r\n"), "deferred http.5xx"],
  ["a wait below zero", say("HTTP/1.1 429 Later\r\nretry-after: -1\r\ncontent-length: 0\r\n\r\n"), "deferred http.429"],
  [
    "a wait that is no time",
    say(`HTTP/1.1 503 Later\r\nretry-after: ${"soon ".repeat(1000)}\r\ncontent-length: 0\r\n\r\n`),
    "deferred http.5xx",
  ],
  [
    "a wait to the end of time",
    say("HTTP/1.1 429 Later\r\nretry-after: Fri, 31 Dec 275760 23:59:59 GMT\r\ncontent-length: 0\r\n\r\n"),
    "deferred http.429",
  ],
];

const chunks = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n";

export const chunkedBodies: readonly Case[] = [
  ["a chunk size beyond all numbers", say(`${chunks}${"f".repeat(40)}\r\nhello`), "failed protocol"],
  ["a chunk size below zero", say(`${chunks}-5\r\nhello\r\n0\r\n\r\n`), "failed protocol"],
  ["a chunk longer than it says", say(`${chunks}2\r\nhello\r\n0\r\n\r\n`), "failed protocol"],
  ["a chunk shorter than it says", say(`${chunks}9\r\nhello\r\n0\r\n\r\n`, "end"), "failed protocol"],
  ["an extension of 64 KB", say(`${chunks}5;${"x".repeat(64 * 1024)}\r\nhello\r\n0\r\n\r\n`), "fetched ok"],
  ["extensions without end", endless(chunks, `1;${"x".repeat(9000)}\r\nx\r\n`), "failed timeout"],
  ["trailers", say(`${chunks}5\r\nhello\r\n0\r\nx-late: y\r\n\r\n`), "fetched ok"],
  ["trailers that change the length", say(`${chunks}5\r\nhello\r\n0\r\ncontent-length: 99\r\n\r\n`), "failed protocol"],
  ["a packed transfer", say("HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\nhello", "end"), "failed encoding"],
  [
    "a packed transfer in chunks",
    say("HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    "failed encoding",
  ],
  ["a transfer that is as it is", say("HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\n\r\nhello", "end"), "fetched ok"],
  ["trailers without end", endless(`${chunks}5\r\nhello\r\n0\r\n`, "x-late: y\r\n".repeat(1000)), "failed protocol"],
  [
    "chunks twice",
    say("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
    "fetched ok",
  ],
  [
    "chunks that are not the last coding",
    say("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked, identity\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "end"),
    "failed encoding",
  ],
  ["a transfer coding nobody knows", say("HTTP/1.1 200 OK\r\ntransfer-encoding: nonsense\r\n\r\nhello", "end"), "failed encoding"],
  ["the beginning of a chunk size", say(`${chunks}5`), "failed timeout"],
  ["reset between two chunks", say(`${chunks}5\r\nhello\r\n`, "reset"), "failed connection"],
  ["a hundred thousand chunks of one byte", say(`${chunks}${"1\r\nx\r\n".repeat(100_000)}0\r\n\r\n`), "fetched ok"],
];

const to = (location: string): Answer => say(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`);
/** Each step is another URL. */
const onward =
  (next: (path: string) => string): Answer =>
  (socket, path) =>
    to(next(path))(socket, path);

export const moves: readonly Case[] = [
  ["there and back", onward((path) => (path === "/" ? "/b" : "/")), "fetched ok"],
  ["on and on", onward((path) => `/${Number(path.slice(1) || 0) + 1}`), "fetched ok"],
  ["deeper and deeper", onward((path) => `${path}a/`), "fetched ok"],
  ["to a longer query each time", onward((path) => `${path}${path.includes("?") ? "&" : "?"}a=1`), "fetched ok"],
  ["to 10,000 characters", to(`/${"a".repeat(10_000)}`), "fetched ok"],
  ["to 60,000 characters", to(`/${"a".repeat(60_000)}`), "fetched ok"],
  ["to a user and a password", to("http://me:secret@127.0.6.250:2/"), "fetched ok"],
  ["to another port", onward(() => "http://127.0.6.250:1/"), "fetched ok"],
  ["to a private address", to("http://10.0.0.1/"), "fetched ok"],
  ["to an address in numbers", to("http://2130706433/"), "fetched ok"],
  ["to the metadata of a cloud", to("http://169.254.169.254/latest/meta-data/"), "fetched ok"],
  ["to a view of the source", to("view-source:http://a.test/"), "skipped scheme"],
  ["to a blob", to("blob:http://a.test/x"), "skipped scheme"],
  ["to about:blank", to("about:blank"), "skipped scheme"],
  ["to FTP", to("ftp://a.test/x"), "skipped scheme"],
  ["to mail", to("mailto:a@b.test"), "skipped scheme"],
  ["to a scheme in letters of all kinds", to("JaVaScRiPt:alert(1)"), "skipped scheme"],
  ["to a scheme behind a tab", to("java\tscript:alert(1)"), "skipped scheme"],
  ["to nothing but slashes", to("//"), "failed protocol"],
  ["to a host of three slashes", to("///x"), "fetched ok"],
  ["to a backslash", to("\\\\10.0.0.1\\x"), "fetched ok"],
  ["to a query alone", to("?"), "failed redirect.loop"],
  ["to a fragment alone", to("#top"), "failed redirect.loop"],
  ["to ways up without end", to(`/${"../".repeat(2000)}`), "failed redirect.loop"],
  ["to escapes that are none", to("/%zz%%%1"), "fetched ok"],
  ["to spaces", to("   "), "failed protocol"],
  ["to raw bytes", to("/\xff\xfe\x80"), "fetched ok"],
  ["to a NUL", to("/a\0b"), "failed protocol"],
  ["to an escape sequence", to("/\x1b[2J"), "failed protocol"],
  ["to two places", say("HTTP/1.1 302 Found\r\nlocation: /a\r\nlocation: http://10.0.0.1/\r\ncontent-length: 0\r\n\r\n"), "fetched ok"],
  ["from http to https where there is none", onward(() => "https://127.0.6.250:1/"), "fetched ok"],
  ["with a body without end", endless("HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n", "x".repeat(10_000)), "failed redirect.loop"],
];

const zeros = Buffer.alloc(64 * MB, " ");
const packed = (codings: string, bytes: Buffer) => page(bytes, { "content-encoding": codings });

export const labels: readonly Case[] = [
  ["a bomb of three layers", packed("gzip, gzip, br", brotliCompressSync(gzipSync(gzipSync(zeros)))), "skipped size"],
  ["gzip that says brotli", packed("br", gzipSync(BODY)), "failed encoding"],
  ["plain that says gzip", packed("gzip", Buffer.from(BODY)), "failed encoding"],
  ["gzip that says nothing", page(gzipSync(BODY)), "fetched ok"],
  ["gzip twice that says once", packed("gzip", gzipSync(gzipSync(BODY))), "fetched ok"],
  ["gzip once that says twice", packed("gzip, gzip", gzipSync(BODY)), "failed encoding"],
  ["empty names of codings", packed(", ,gzip,,", gzipSync(BODY)), "fetched ok"],
  ["a coding with a NUL", packed("gz\0ip", gzipSync(BODY)), "failed protocol"],
  ["a coding that is a property", packed("__proto__", Buffer.from(BODY)), "failed encoding"],
  ["a coding of 10,000 letters", packed("g".repeat(10_000), Buffer.from(BODY)), "failed encoding"],
  ["nothing, packed", packed("gzip", Buffer.alloc(0)), "fetched ok"],
  ["gzip of a thousand members", packed("gzip", Buffer.concat(Array.from({ length: 1000 }, () => gzipSync("<p>x")))), "fetched ok"],
  ["gzip with rubbish after it", packed("gzip", Buffer.concat([gzipSync(BODY), Buffer.from("rubbish")])), "failed encoding"],
];
