import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openFetch as open, serve } from "../../../test/loopback.ts";
import { hostOf } from "../../analysis/url/index.ts";
import type { FetchRequest } from "./fetch-request.ts";

const reply = (head: string, body: string | Buffer = "") =>
  Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n`, "latin1"), Buffer.from(body)]);

const page = "200 OK\r\ncontent-type: text/html";

describe("what a server says becomes a record", () => {
  test.each([
    [
      "a page",
      reply(`${page}\r\netag: "a"\r\nlast-modified: then`, "hi"),
      {},
      { kind: "body", status: 200, etag: '"a"', lastModified: "then", wireBytes: 2 },
    ],
    ["a page without a type is read", reply("200 OK", "hi"), {}, { kind: "body", contentType: undefined }],
    ["a page with a type that says nothing is read", reply("200 OK\r\ncontent-type: html", "hi"), {}, { kind: "body" }],
    ["every X-Robots-Tag", reply(`${page}\r\nX-Robots-Tag: noindex\r\nx-robots-tag: a: none`), {}, { robotsTags: ["noindex", "a: none"] }],
    ["no content", reply("204 No Content\r\ncontent-type: image/png"), {}, { kind: "body", status: 204, wireBytes: 0 }],
    ["a part nobody asked for", reply("206 Partial Content", "hi"), {}, { kind: "failed", reason: "protocol", status: 206 }],
    [
      "304 to validators",
      reply('304 Not Modified\r\netag: "b"'),
      { etag: '"a"', lastModified: "then" },
      { kind: "not-modified", etag: '"b"', lastModified: "then" },
    ],
    ["304 to none", reply("304 Not Modified"), {}, { kind: "failed", reason: "protocol", status: 304 }],
    ["missing", reply("404 Not Found", "no"), {}, { kind: "gone", status: 404 }],
    ["gone", reply("410 Gone"), {}, { kind: "gone", status: 410 }],
    [
      "forbidden, in our words",
      reply("403 \u001b[31mGo away"),
      {},
      { kind: "refused", by: "server", reason: "http.4xx", rule: "answered 403 Forbidden" },
    ],
    ["too many", reply("429 Slow\r\nretry-after: 7"), {}, { kind: "refused", by: "pace", reason: "http.429", retryAfter: 7_000 }],
    [
      "unavailable",
      reply("503 Later\r\nretry-after: soon"),
      {},
      { kind: "refused", by: "pace", reason: "http.5xx", retryAfter: undefined },
    ],
    [
      "broken",
      reply("500 Oops\r\nretry-after: 3"),
      {},
      { kind: "failed", reason: "http.5xx", mayHeal: true, hostFault: true, retryAfter: 3_000 },
    ],
    ["too slow for the server", reply("408 Slow"), {}, { kind: "failed", reason: "http.4xx", mayHeal: true, hostFault: true }],
    ["no status at all", reply("999 Denied"), {}, { kind: "failed", reason: "protocol", status: 999, mayHeal: false }],
    [
      "an archive is no page",
      reply("200 OK\r\ncontent-type: application/zip", "PK"),
      {},
      { kind: "refused", by: "type", rule: "application/zip is not a page" },
    ],
    [
      "a type of control characters is not repeated",
      reply("200 OK\r\ncontent-type: a/\u0080\u009b", "x"),
      {},
      { rule: "a/?? is not a page" },
    ],
    [
      "a document that its server does not know",
      reply("200 OK\r\ncontent-type: application/octet-stream", "\n<!doctype html><p>hi"),
      {},
      { kind: "body" },
    ],
    [
      "other bytes that a server does not know",
      reply("200 OK\r\ncontent-type: application/octet-stream", "x".repeat(2000)),
      {},
      { kind: "refused", reason: "type", rule: "application/octet-stream is not a page" },
    ],
    ["no bytes at all", reply("200 OK\r\ncontent-type: application/octet-stream"), {}, { kind: "refused", reason: "type" }],
    ["a sitemap may have any type", reply("200 OK\r\ncontent-type: application/gzip", "x"), { accept: "sitemap" }, { kind: "body" }],
    ["robots.txt may have any type", reply("200 OK\r\ncontent-type: image/png", "x"), { accept: "robots" }, { kind: "body" }],
    ["news before the answer", Buffer.concat([Buffer.from("HTTP/1.1 103 Early Hints\r\n\r\n"), reply(page, "hi")]), {}, { kind: "body" }],
    ["a header called __proto__", reply(`${page}\r\n__proto__: x\r\nconstructor: y`, "hi"), {}, { kind: "body" }],
    [
      "a validator that would break a header line is forgotten",
      reply(`${page}\r\netag: ${"x".repeat(2000)}`),
      {},
      { kind: "body", etag: undefined },
    ],
  ] as [string, Buffer, Partial<FetchRequest>, object][])("%s", async (_, bytes, ask, expected) => {
    const server = await serve((socket) => socket.write(bytes));
    expect(await open()(server.url, ask)).toMatchObject(expected);
  });

  test("of a download that is no page only the beginning is read", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: 9999999\r\n\r\n";
    const server = await serve((socket) => socket.write(`${head}${"x".repeat(1000)}`));
    expect(await open()(server.url)).toMatchObject({ kind: "refused", reason: "type" });
  });

  test("types the user adds are read", async () => {
    const server = await serve((socket) => socket.write(reply("200 OK\r\ncontent-type: application/pdf; a=b", "%PDF")));
    expect(await open({ types: ["application/PDF"] })(server.url)).toMatchObject({ kind: "body", contentType: "application/pdf; a=b" });
  });
});

describe("redirects are told, never followed", () => {
  test.each([
    ["absolute", "301", "http://b.test/x", { kind: "moved", status: 301, location: "http://b.test/x" }],
    ["relative", "302", "../x?y", { kind: "moved", location: "/x?y" }],
    ["without user or fragment", "303", "http://me:pw@b.test/x#frag", { kind: "moved", location: "http://b.test/x" }],
    ["UTF-8 as it came", "307", "/caf\u00c3\u00a9", { kind: "moved", location: "/caf%C3%A9" }],
    ["Latin-1 as it came", "308", "/caf\u00e9", { kind: "moved", location: "/caf%C3%A9" }],
    ["to a file", "302", "file:///etc/passwd", { kind: "refused", by: "guard", reason: "scheme" }],
    ["to data", "302", "data:text/html,x", { kind: "refused", by: "guard", reason: "scheme" }],
    ["to a script", "302", "javascript:alert(1)", { kind: "refused", by: "guard", reason: "scheme" }],
    ["to nowhere", "302", "", { kind: "failed", reason: "protocol" }],
    ["to nonsense", "302", "http://[", { kind: "failed", reason: "protocol" }],
    ["by a status that is none", "305", "/x", { kind: "failed", reason: "protocol" }],
  ] as [string, string, string, Record<string, unknown>][])("%s", async (_, status, location, expected) => {
    const server = await serve((socket) =>
      socket.write(Buffer.from(reply(`${status} Moved\r\nlocation: @`).toString().replace("@", location), "latin1")),
    );
    const { location: path, ...rest } = expected;
    const target = path === undefined ? {} : { location: new URL(String(path), server.url).href };
    expect(await open()(server.url)).toMatchObject({ ...rest, ...target });
    expect(server.seen.length).toBe(1);
  });
});

describe("what is asked", () => {
  test("says who asks, takes the codings we know, and brings nothing else along", async () => {
    const server = await serve((socket) => socket.write(reply(page)));
    await open({ contact: "https://bot.test/" })(`${server.url}a%20b?c#d`, { etag: '"a"', lastModified: "then" });
    expect(server.seen[0]!.split("\r\n").map((line) => line.replace(/^(accept:).*/, "$1"))).toEqual([
      "GET /a%20b?c HTTP/1.1",
      `host: 127.0.0.1:${server.port}`,
      "connection: keep-alive",
      "user-agent: nuthatch/0.0.0 (+https://bot.test/)",
      "accept:",
      "accept-encoding: gzip, br, deflate",
      'if-none-match: "a"',
      "if-modified-since: then",
    ]);
  });

  test("user and password in a URL stay here", async () => {
    const server = await serve((socket) => socket.write(reply(page)));
    await open()(`http://me:secret@127.0.0.1:${server.port}/`);
    expect(server.seen[0]).not.toMatch(/secret|authorization/i);
  });

  test.each([
    ["a tag that Apache names after its coding goes with the bare one", '"c9c-66-gzip"', '"c9c-66-gzip", "c9c-66"'],
    ["a weak one, and that of brotli, too", 'W/"c9c-br"', 'W/"c9c-br", W/"c9c"'],
    ["any other goes as it came", '"gzip"', '"gzip"'],
  ])("%s", async (_, etag, sent) => {
    const server = await serve((socket) => socket.write(reply(page)));
    await open()(server.url, { etag });
    expect(server.seen[0]!.split("\r\n")).toContain(`if-none-match: ${sent}`);
  });

  test("a validator that does not fit a header line is left out", async () => {
    const server = await serve((socket) => socket.write(reply(page)));
    expect(await open()(server.url, { etag: "a\r\nx: y" })).toMatchObject({ kind: "body" });
    expect(server.seen[0]).not.toContain("if-none-match");
  });

  test("one turn is one request, on its own host", async () => {
    const server = await serve((socket) => socket.write(reply(page)));
    const fetch = open();
    const turn = { host: hostOf(server.url), spent: false };
    await fetch(server.url, { turn });
    expect(turn.spent).toBe(true);
    await expect(fetch(server.url, { turn })).rejects.toThrow(/spent/);
    await expect(fetch(server.url, { turn: { host: "b.test", spent: false } })).rejects.toThrow(/b\.test/);
    expect(server.seen.length).toBe(1);
  });

  test("a turn that has passed while the request was made ready is not used, on a new connection or on one that was kept", async () => {
    const server = await serve((socket) => socket.write(reply(page)));
    const fetch = open();
    const ask = (isStillOurs: () => boolean) => fetch(server.url, { turn: { host: hostOf(server.url), spent: false, isStillOurs } });
    const refused = { kind: "failed", mayHeal: true, hostFault: false, detail: "its turn had passed" };
    expect(await ask(() => false)).toMatchObject(refused);
    expect(await ask(() => true)).toMatchObject({ kind: "body" });
    expect(await ask(() => false)).toMatchObject(refused);
    expect(await ask(() => true)).toMatchObject({ kind: "body" });
    expect(server.seen).toHaveLength(2);
  });

  test("connections are kept, one per place in flight and no more", async () => {
    const server = await serve((socket) => setTimeout(() => socket.write(reply(page, "hi")), 5));
    const fetch = open({ perHost: 2 });
    const all = await Promise.all(Array.from({ length: 12 }, () => fetch(server.url)));
    expect(all.every(({ kind }) => kind === "body")).toBe(true);
    expect(server.connections()).toBe(2);
  });

  test("a short body nobody wants does not cost the connection", async () => {
    const server = await serve((socket) => socket.write(reply("404 Not Found", "x".repeat(1000))));
    const fetch = open();
    for (let i = 0; i < 3; i++) expect(await fetch(server.url)).toMatchObject({ kind: "gone" });
    expect(server.connections()).toBe(1);
  });
});

describe("coded bodies", () => {
  const long = brotliCompressSync(Buffer.alloc(90_000, "abc"));
  test.each([
    ["gzip", "gzip", gzipSync("hi there"), { kind: "body", wireBytes: gzipSync("hi there").length }],
    ["larger than what it stands for: not kept so", "gzip", gzipSync("hi there"), { kind: "body", coded: undefined }],
    ["a long one", "br", long, { kind: "body", coded: { coding: "br", bytes: new Uint8Array(long) } }],
    ["in two codings", "br, gzip", gzipSync(long), { kind: "body", coded: undefined }],
    ["cut short", "gzip", gzipSync("hi there").subarray(0, -4), { kind: "failed", reason: "encoding", mayHeal: true, hostFault: false }],
    ["unknown", "zstd", Buffer.from("x"), { kind: "failed", reason: "encoding" }],
    ["a bomb", "gzip", gzipSync(Buffer.alloc(50_000_000)), { kind: "refused", by: "size", reason: "size" }],
    ["a bomb of brotli", "br", brotliCompressSync(Buffer.alloc(50_000_000)), { kind: "refused", by: "size" }],
  ] as [string, string, Buffer, object][])("%s", async (_, coding, bytes, expected) => {
    const server = await serve((socket) => socket.write(reply(`${page}\r\ncontent-encoding: ${coding}`, bytes)));
    expect(await open()(server.url)).toMatchObject(expected);
  });

  test("a long stream of codes is decoded while it arrives", async () => {
    const noise = Buffer.from(Array.from({ length: 900_000 }, (_, i) => Math.imul(i, 2654435761) >>> 23));
    const server = await serve((socket) => socket.write(reply(`${page}\r\ncontent-encoding: gzip`, gzipSync(noise))));
    const fetched = await open({ maxBody: 1_000_000 })(server.url);
    expect(fetched.kind === "body" && noise.equals(fetched.bytes)).toBe(true);
    expect(await open({ maxBody: 899_999 })(server.url)).toMatchObject({ kind: "refused", by: "size" });
  });

  test("robots.txt is cut at its cap, coded or not", async () => {
    const long = Buffer.alloc(2_000_000, "# ");
    const server = await serve((socket, request) =>
      socket.write(request.includes("/gz") ? reply("200 OK\r\ncontent-encoding: gzip", gzipSync(long)) : reply("200 OK", long)),
    );
    const fetch = open();
    for (const path of ["gz", "plain"]) {
      const fetched = await fetch(server.url + path, { accept: "robots" });
      expect(fetched.kind === "body" && fetched.bytes.length).toBe(512 * 1024);
    }
  });

  test("who has seen enough is not sent the rest", async () => {
    let tell: (bytes: number) => void = () => undefined;
    const sent = new Promise<number>((resolve) => {
      tell = resolve;
    });
    const server = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 1000000000\r\n\r\n${"x".repeat(5000)}`);
      socket.on("close", () => tell(socket.bytesWritten));
    });
    const fetched = await open()(server.url, { enough: 4096 });
    expect(fetched.kind === "body" && fetched.bytes.length).toBe(4096);
    expect(await sent).toBeLessThan(10_000);
  });
});

test("an abort rejects with its reason, in whatever it interrupts", async () => {
  const server = await serve((socket, request) => request.includes("/body") && socket.write(`HTTP/1.1 ${page}\r\n\r\nx`));
  const fetch = open();
  for (const path of ["", "body"]) {
    const controller = new AbortController();
    const fetched = fetch(server.url + path, {}, controller.signal);
    const waiting = fetch(server.url, {}, controller.signal);
    setTimeout(() => controller.abort(new Error("enough")), 50);
    await expect(fetched).rejects.toThrow("enough");
    await expect(waiting).rejects.toThrow("enough");
    await expect(fetch(server.url, {}, controller.signal)).rejects.toThrow("enough");
  }
});
