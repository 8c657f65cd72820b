import { describe, expect, test } from "vitest";
import { openFetch as open, serve } from "../../../test/loopback.ts";
import { PrivateHosts } from "./private-hosts.ts";

const page = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi";

describe("private networks are closed", () => {
  const blocked = { kind: "refused", by: "guard", reason: "private-network" };

  test.each([
    ["a literal address", "127.0.0.2"],
    ["one number", "2130706434"],
    ["hexadecimal", "0x7f000002"],
    ["octal", "0177.0.0.2"],
    ["fewer parts", "127.2"],
    ["full-width digits", "\uff11\uff12\uff17.0.0.2"],
    ["mapped into IPv6", "[::ffff:127.0.0.2]"],
    ["compatible with IPv6", "[::127.0.0.2]"],
    ["through 6to4", "[2002:7f00:2::]"],
    ["through NAT64", "[64:ff9b::127.0.0.2]"],
    ["a name that leads there", "trap.test"],
    ["a name with a final dot", "trap.test."],
    ["a name of several private addresses", "many.test"],
    ["cloud metadata", "169.254.169.254"],
    ["unspecified", "0.0.0.0"],
    ["IPv6 loopback", "[::1]"],
  ])("%s", async (_, hostname) => {
    const canary = await serve(() => {}, "127.0.0.2");
    const resolve = async (name: string) => (name === "many.test" ? ["10.0.0.1", "127.0.0.2"] : ["127.0.0.2"]);
    const fetched = await open({ resolve })(`http://${hostname}:${canary.port}/`);
    expect(fetched).toMatchObject(blocked);
    expect(fetched.kind === "refused" && fetched.rule).toMatch(/^[0-9a-f.:]+ is not a public address$/);
    expect(canary.connections()).toBe(0);
  });

  test("what others say of a name is judged like what a name server says", async () => {
    const canary = await serve(() => {}, "127.0.0.2");
    for (const address of ["127.0.0.2", "::ffff:127.0.0.2", "::ffff:7f00:2", "10.0.0.1"]) {
      const resolve = async () => ({ addresses: [address], life: 60_000 });
      expect(await open({ resolve })(`http://a.test:${canary.port}/`)).toMatchObject(blocked);
    }
    expect(canary.connections()).toBe(0);
  });

  test("a seed opens its own name and port, not its neighbours", async () => {
    const server = await serve((socket) => socket.write(page), "127.0.0.3");
    const other = await serve(() => {}, "127.0.0.3");
    const opened = new PrivateHosts([]);
    opened.allowUrl(`http://seed.test:${server.port}/`);
    const fetch = open({ opened, resolve: async () => ["127.0.0.3"] });
    expect(await fetch(`http://seed.test:${server.port}/a`)).toMatchObject({ kind: "body" });
    expect(await fetch(`http://evil.test:${server.port}/a`)).toMatchObject(blocked);
    expect(await fetch(`http://127.0.0.3:${server.port}/a`)).toMatchObject(blocked);
    expect(await fetch(`http://seed.test:${other.port}/a`)).toMatchObject(blocked);
    expect(server.connections()).toBe(1);
    expect(other.connections()).toBe(0);
  });

  test("a name that changes its answer is judged by the address it connects to", async () => {
    const canary = await serve(() => {}, "127.0.0.2");
    const server = await serve((socket) => socket.write(page), "127.0.0.1", canary.port);
    let count = 0;
    const resolve = async () => {
      count += 1;
      return [count % 2 === 1 ? "127.0.0.1" : "127.0.0.2"];
    };
    for (let i = 0; i < 4; i++) await open({ resolve })(`http://flip.test:${server.port}/`);
    expect(canary.connections()).toBe(0);
    expect(server.connections()).toBeGreaterThan(0);
  });

  test("of several addresses the closed ones are passed over and the deaf ones too", async () => {
    const server = await serve((socket) => socket.write(page), "127.0.0.4");
    const canary = await serve(() => {}, "127.0.0.2", server.port);
    const fetch = open({
      opened: new PrivateHosts(["127.0.0.4", "127.0.0.5"]),
      resolve: async () => ["127.0.0.2", "127.0.0.5", "127.0.0.4"],
    });
    expect(await fetch(`http://a.test:${server.port}/`)).toMatchObject({ kind: "body" });
    expect(canary.connections()).toBe(0);
  });
});

describe("names", () => {
  const fail = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };
  test.each([
    ["a name that does not exist", fail("ENOTFOUND"), { kind: "failed", reason: "dns", mayHeal: false, hostFault: true }],
    ["a name server in trouble", fail("ESERVFAIL"), { kind: "failed", reason: "dns", mayHeal: true, hostFault: true }],
    ["a name server that is silent", () => new Promise<string[]>(() => {}), { kind: "failed", reason: "dns", mayHeal: true }],
    ["a name without an address", async () => [], { kind: "failed", reason: "dns", mayHeal: false }],
    ["a name whose address is a name", async () => ["localhost"], { kind: "failed", reason: "dns" }],
  ] as [string, () => Promise<string[]>, object][])("%s", async (_, resolve, expected) => {
    expect(await open({ resolve, timeout: 200 })("http://a.test/")).toMatchObject(expected);
  });
});

test("one machine is asked eight things at once, however many names it has", async () => {
  let inFlight = 0;
  let most = 0;
  const server = await serve((socket) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    setTimeout(() => {
      inFlight -= 1;
      socket.write(page);
    }, 20);
  });
  const fetch = open({ resolve: async () => ["127.0.0.1"] });
  const all = await Promise.all(Array.from({ length: 30 }, (_, i) => fetch(`http://h${i}.test:${server.port}/`)));
  expect(all.every(({ kind }) => kind === "body")).toBe(true);
  expect(most).toBe(8);
});
