import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openFetch as open, serve } from "../../../test/loopback.ts";
import { openAccess } from "./access.ts";
import type { FetchRequest } from "./fetch-request.ts";
import type { FetcherSetup } from "./http.ts";
import type { RawExchange } from "./raw-exchange.ts";

const reply = (head: string, body: string | Buffer = "") =>
  Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\n\r\n`, "latin1"), Buffer.from(body)]);

const page = "200 Fine By Me\r\ncontent-type: text/html";

/** The answer of one response, and what is recorded for an archive. */
async function heardOf(answer: Buffer, setup: Partial<FetcherSetup> = {}, ask: Partial<FetchRequest> = {}) {
  const server = await serve((socket) => socket.write(answer));
  const heard: RawExchange[] = [];
  const fetched = await open(setup)(server.url, { ...ask, onWire: (wire) => heard.push(wire) });
  expect(heard.length).toBeLessThan(2);
  return { fetched, wire: heard[0], asked: server.seen[0]!, url: server.url };
}

describe("what went over the wire", () => {
  test("is told line by line as it was", async () => {
    const { wire, asked } = await heardOf(
      reply(`${page}\r\nX-Odd-CASE:  caf\xe9 \r\nSet-Cookie: a=1\r\nSet-Cookie: b=2`, "hi"),
      {},
      { etag: '"a"' },
    );
    expect(wire!.request).toBe(`${asked}\r\n`);
    expect(wire!.response.split("\r\n")).toEqual([
      ...["HTTP/1.1 200 Fine By Me", "content-type: text/html", "X-Odd-CASE: caf\xe9 ", "Set-Cookie: a=1", "Set-Cookie: b=2"],
      ...["Content-Length: 2", ""],
    ]);
    expect(wire).toMatchObject({ address: "127.0.0.1", aside: undefined });
  });

  const isCut = false;
  test.each([
    ["a page that is missing", reply("404 Not Found", "no such page"), { kind: "gone" }, { bytes: "no such page", isCut }],
    ["one that moved", reply("301 Moved\r\nlocation: /b", "over there"), { kind: "moved" }, { bytes: "over there", isCut }],
    ["one that is broken", reply("500 Oh", "sorry"), { kind: "failed", reason: "http.5xx" }, { bytes: "sorry", isCut }],
    ["one that says later", reply("503 Later", "soon"), { kind: "refused", by: "pace" }, { bytes: "soon", isCut }],
    ["codings are undone", reply("404 No\r\ncontent-encoding: gzip", gzipSync("zipped")), { kind: "gone" }, { bytes: "zipped", isCut }],
    ["codings that are none", reply("404 No\r\ncontent-encoding: gzip", "plain"), { kind: "gone" }, undefined],
    ["codings nobody knows", reply("404 No\r\ncontent-encoding: fax", "beep"), { kind: "gone" }, undefined],
    ["nothing", reply("404 No"), { kind: "gone" }, { bytes: "", isCut }],
    ["what is long is cut", reply("404 No", "x".repeat(300_000)), { kind: "gone" }, { bytes: "x".repeat(256 * 1024), isCut: true }],
    ["what is no page is not read", reply("200 OK\r\ncontent-type: image/png", "png"), { kind: "refused", by: "type" }, undefined],
  ] as [string, Buffer, object, { bytes: string; isCut: boolean } | undefined][])(
    "also of an answer that is no page: %s",
    async (_, answer, kind, aside) => {
      const { fetched, wire } = await heardOf(answer);
      expect(fetched).toMatchObject(kind);
      expect(wire!.aside && { ...wire!.aside, bytes: Buffer.from(wire!.aside.bytes).toString() }).toEqual(aside);
    },
  );

  test("an answer whose end is missing is told with its head, one that never began is not", async () => {
    const cut = await heardOf(Buffer.from(`HTTP/1.1 ${page}\r\ncontent-length: 100\r\n\r\nhalf`), { timeout: 300 });
    expect([cut.fetched.kind, cut.wire?.response.split("\r\n")[0]]).toEqual(["failed", "HTTP/1.1 200 Fine By Me"]);
    expect((await heardOf(Buffer.from("nonsense\r\n\r\n"))).wire).toBeUndefined();
  });
});

describe("what was given to be let in is left out", () => {
  const given = { header: ["X-Key: canary"], auth: ["me:canary"], cookies: undefined, proxy: undefined, ca: undefined };
  const answer = reply(`${page}\r\nSet-Cookie: session=canary\r\nX-Kept: yes`, "hi");

  test("by whoever runs us, with the cookies it brought", async () => {
    const server = await serve((socket) => socket.write(answer));
    const heard: RawExchange[] = [];
    await open({ access: openAccess(given, [server.url]) })(server.url, { onWire: (wire) => heard.push(wire) });
    expect(server.seen[0]).toContain("canary");
    expect(JSON.stringify(heard)).not.toContain("canary");
    expect(heard[0]!.request).toContain("user-agent: ");
    expect(heard[0]!.response).toContain("X-Kept: yes");
  });

  test("by a plugin, for one request", async () => {
    const { wire, asked } = await heardOf(answer, {}, { headers: { "x-token": "canary" } });
    expect(asked).toContain("x-token: canary");
    expect(JSON.stringify(wire)).not.toContain("canary");
  });
});
