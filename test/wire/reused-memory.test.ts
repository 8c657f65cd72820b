/**
 * No memory that will be used again crosses an await, a thread or a callback. src/engine/fetch/body.test.ts holds the body to it by itself;
 * here it is the whole way from the socket: every chunk is overwritten when undici comes back for the next one.
 */
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openAccess } from "../../src/engine/fetch/access.ts";
import { PrivateHosts } from "../../src/engine/fetch/index.ts";
import type { NonPageBody, RawExchange } from "../../src/engine/fetch/raw-exchange.ts";
import { makeCertificates } from "../certificates.ts";
import { tempFolder } from "../cli.ts";
import { openFetch, serve } from "../loopback.ts";
import { startProxy } from "../proxy.ts";
import { hasOpenssl } from "./authority.ts";
import { combine, contentOf, difference, KB, MB } from "./cases.ts";
import { wrongBodies } from "./compare.ts";
import { POISON, poisonReads } from "./reused-memory.ts";
import { serveWire } from "./server.ts";

if (!hasOpenssl) console.log("Reused memory under TLS and in tunnels is skipped: there is no openssl command to make a certificate with.");

let poison: ReturnType<typeof poisonReads>;
beforeAll(() => {
  poison = poisonReads();
});
afterAll(() => poison.restore());

test("who keeps a chunk finds it overwritten", async () => {
  const server = await serve((socket) => socket.write("first"));
  const socket = connect({ host: "127.0.0.1", port: server.port });
  const kept = await new Promise<Buffer>((resolve) => {
    socket.once("readable", () => {
      const chunk: Buffer = socket.read();
      expect(String(chunk)).toBe("first");
      socket.read();
      resolve(chunk);
    });
    socket.write("GET\r\n\r\n");
  });
  socket.destroy();
  expect([...kept]).toEqual([...Buffer.alloc(5, POISON)]);
});

const NAMES = ["IP:127.0.34.6", "DNS:city.test"];
const cases = [
  ...combine(["identity", "gzip", "br", "deflate-raw"], { sizes: [KB, 150 * KB], writings: ["packets"] }),
  ...combine(["identity", "gzip"], { sizes: [2 * MB], writings: ["whole"] }),
  ...combine(["gzip-then-br", "gzip-members"], { sizes: [150 * KB], writings: ["whole"] }),
];
const setup = { timeout: 60_000, maxBody: 16 * MB, perHost: 4, opened: new PrivateHosts(["127.0.34.6"]) };
const none = { header: [], auth: [], cookies: undefined, proxy: undefined, ca: undefined };

describe("bodies of pages", () => {
  const folder = tempFolder();
  afterAll(() => folder[Symbol.dispose]());

  test.each(hasOpenssl ? (["http", "tls1.3"] as const) : (["http"] as const))("over %s", async (scheme) => {
    const certificates = hasOpenssl ? makeCertificates(folder.path, NAMES) : { ca: "", key: "", cert: "" };
    const server = await serveWire({ scheme, address: "127.0.34.6", certificates });
    const ca = scheme === "http" ? undefined : certificates.ca;
    const before = poison.count();
    const fetch = openFetch({ ...setup, access: openAccess({ ...none, ca }, []) });
    expect(await wrongBodies(fetch, { origin: server.origin, cases, connections: 4 })).toEqual([]);
    expect(poison.count() - before).toBeGreaterThan(cases.length);
    await server.close();
  });

  test.skipIf(!hasOpenssl)("through the tunnel of a proxy", async () => {
    const certificates = makeCertificates(folder.path, NAMES);
    const server = await serveWire({ scheme: "tls1.3", address: "127.0.34.6", certificates });
    const proxy = await startProxy({ names: { "city.test": "127.0.34.6" } });
    const access = openAccess({ ...none, proxy: proxy.url, ca: certificates.ca }, []);
    const origin = server.origin.replace("127.0.34.6", "city.test");
    const before = poison.count();
    expect(await wrongBodies(openFetch({ ...setup, access }), { origin, cases, connections: 4 })).toEqual([]);
    expect(poison.count() - before).toBeGreaterThan(cases.length);
    expect(proxy.asked[0]!.line).toMatch(/^CONNECT city\.test:/);
    await proxy.close();
    await server.close();
  });
});

describe("answers that are no page", () => {
  const reply = (head: string, body: Buffer) => [Buffer.from(`HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n`), body];
  /** In pieces, so that there is always a next chunk that overwrites the one before. */
  const inPieces = (parts: readonly Buffer[]) => (socket: NodeJS.WritableStream) => {
    const whole = Buffer.concat(parts);
    const write = (at: number): void => {
      if (at >= whole.length) return;
      socket.write(whole.subarray(at, at + 7000), () => setImmediate(write, at + 7000));
    };
    write(0);
  };

  test.each([
    ["small", "404 Not Found", 3 * KB, (bytes: Buffer) => bytes],
    ["identity", "404 Not Found", 200 * KB, (bytes: Buffer) => bytes],
    ["small and coded", "500 Oh\r\ncontent-encoding: gzip", 20 * KB, gzipSync],
    ["through a decoder", "404 Not Found\r\ncontent-encoding: gzip", 200 * KB, gzipSync],
  ] as [string, string, number, (bytes: Buffer) => Buffer][])("an archive keeps them as they were: %s", async (_, head, size, encode) => {
    const content = contentOf(head, size);
    const server = await serve(inPieces(reply(head, encode(content))));
    const asides: (NonPageBody | undefined)[] = [];
    await openFetch()(server.url, { onWire: (wire: RawExchange) => asides.push(wire.aside) });
    expect(asides).toHaveLength(1);
    expect(asides[0]!.isCut).toBe(false);
    expect(difference(asides[0]!.bytes, content)).toBeUndefined();
  });

  test("what is drained leaves the connection clean for the next page", async () => {
    const page = contentOf("/page", 150 * KB);
    const missing = inPieces(reply("404 Not Found", contentOf("/missing", 60 * KB)));
    const found = inPieces(reply("200 OK\r\ncontent-type: text/html", page));
    const server = await serve((socket, request) => (request.startsWith("GET /page ") ? found : missing)(socket));
    const fetch = openFetch({ maxBody: MB });
    for (let round = 0; round < 3; round++) {
      expect(await fetch(`${server.url}missing`)).toMatchObject({ kind: "gone" });
      const fetched = await fetch(`${server.url}page`);
      expect(fetched.kind === "body" ? difference(fetched.bytes, page) : fetched.kind).toBeUndefined();
    }
    expect(server.connections()).toBe(1);
  });
});
