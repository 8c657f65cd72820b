/** IPv6, and names that have addresses of both families of which one is dead. */

import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PrivateHosts } from "../../src/engine/fetch/index.ts";
import { nuthatch, tempFolder } from "../cli.ts";
import { openFetch, serve } from "../loopback.ts";
import { hasOpenssl, openOffice } from "./authority.ts";
import { deafen, hasIpv6 } from "./deaf.ts";
import { serveWire } from "./server.ts";

if (!hasIpv6) console.log("The tests of IPv6 are skipped: this machine has no address ::1.");
if (!hasOpenssl) console.log("The crawl over https and IPv6 is skipped: there is no openssl command to make a certificate with.");

const page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi";
const FOUR = "127.0.0.1";
const SIX = "::1";
const opened = new PrivateHosts([FOUR, SIX]);

describe.skipIf(!hasIpv6)("a name with two families", () => {
  const orders = [
    [FOUR, SIX],
    [SIX, FOUR],
  ] as const;

  test.each(orders)("where %s refuses connections, %s answers", async (dead, living) => {
    const server = await serve((socket) => socket.write(page), living);
    const fetch = openFetch({ opened, resolve: async () => [dead, living] });
    expect(await fetch(`http://city.test:${server.port}/`)).toMatchObject({ kind: "body", status: 200 });
    expect(server.connections()).toBe(1);
  });

  test.each(orders)("where %s never answers, %s does", async (dead, living) => {
    const server = await serve((socket) => socket.write(page), living);
    const deaf = await deafen(dead, server.port);
    const fetch = openFetch({ opened, timeout: 20_000, resolve: async () => [dead, living] });
    expect(await fetch(`http://city.test:${server.port}/`)).toMatchObject({ kind: "body", status: 200 });
    expect(server.connections()).toBe(1);
    deaf.close();
  });

  test("both refuse: the failure names both", async () => {
    const fetched = await openFetch({ opened, resolve: async () => [FOUR, SIX] })("http://city.test:9/");
    const detail = "no connection to 127.0.0.1 (ECONNREFUSED); no connection to ::1 (ECONNREFUSED)";
    expect(fetched).toMatchObject({ kind: "failed", reason: "connection", mayHeal: true, hostFault: true, detail });
  });

  test("both never answer: the failure names both", async () => {
    const { port } = await serve(() => {}, "127.0.0.2");
    const deaf = [await deafen(FOUR, port), await deafen(SIX, port)];
    const fetched = await openFetch({ opened, timeout: 800, resolve: async () => [FOUR, SIX] })(`http://city.test:${port}/`);
    const detail = "no connection to 127.0.0.1, ::1 in time";
    expect(fetched).toMatchObject({ kind: "failed", reason: "timeout", mayHeal: true, hostFault: true, detail });
    for (const each of deaf) each.close();
  });
});

test.skipIf(!hasIpv6 || !hasOpenssl)("a crawl of an IPv6 address over https", async () => {
  using folder = tempFolder();
  const office = openOffice(folder.path);
  const root = office.authority("Root Office");
  const ca = folder.file("root.pem");
  writeFileSync(ca, root.cert);
  const certificates = { ca, ...root.issue("site", { names: ["IP:::1"] }) };
  const pages = { "/": '<a href="/second">relative</a>', "/second": "<p>the second page</p>" };
  const server = await serveWire({ scheme: "tls1.3", address: SIX, certificates, pages });
  const options = ["--ca", ca, "--rate-limit", "none", "-q", "--json"];
  const ended = await nuthatch(["crawl", `${server.origin}/`, ...options], { cwd: folder.path });
  await server.close();
  expect(server.origin).toMatch(/^https:\/\/\[::1\]:\d+$/);
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  expect(JSON.parse(ended.stdout).stats).toMatchObject({ pages: 2, failed: 0 });
  expect(server.log.toSorted()).toEqual(["/", "/robots.txt", "/second"]);
});
