import { createSocket } from "node:dgram";
import { afterEach, describe, expect, test } from "vitest";
import { DnsCache } from "./dns-cache.ts";
import { openResolver, parseHostsFile } from "./resolver.ts";

const A = 1;
const AAAA = 28;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A name server on loopback: answers by name and record type with addresses or an error code, or not at all. */
async function nameServer(answer: (name: string, type: number) => number[] | number | undefined) {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (; query[at] !== 0; at += query[at]! + 1) labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!));
    const type = query.readUInt16BE(at + 1);
    asked.push(labels.join("."));
    const found = answer(labels.join("."), type);
    if (found === undefined) return;
    const question = query.subarray(12, at + 5);
    const record = typeof found === "number" || found.length === 0 ? [] : [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, found.length, ...found];
    const head = Buffer.from([
      query[0]!,
      query[1]!,
      0x81,
      typeof found === "number" ? 0x80 | found : 0x80,
      0,
      1,
      0,
      record.length && 1,
      0,
      0,
      0,
      0,
    ]);
    socket.send(Buffer.concat([head, question, Buffer.from(record)]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  closers.push(() => socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], asked };
}

const six = [0x26, 0, ...Array<number>(13).fill(0), 1];

describe("a name server's answer", () => {
  test.each([
    ["both families, IPv4 first", (type) => (type === A ? [192, 0, 2, 1] : six), ["192.0.2.1", "2600::1"]],
    ["IPv4 alone", (type) => (type === A ? [192, 0, 2, 1] : []), ["192.0.2.1"]],
    ["IPv6 alone", (type) => (type === AAAA ? six : []), ["2600::1"]],
    ["IPv4 does not wait for a silent IPv6", (type) => (type === A ? [192, 0, 2, 1] : undefined), ["192.0.2.1"]],
    ["IPv6 although IPv4 is in trouble", (type) => (type === AAAA ? six : 2), ["2600::1"]],
    ["no such name", () => 3, "ENOTFOUND"],
    ["no address", () => [], "ENODATA"],
    ["trouble", () => 2, "ESERVFAIL"],
    ["trouble with one family, nothing of the other", (type) => (type === A ? [] : 2), "ESERVFAIL"],
    ["silence", () => undefined, "ETIMEOUT"],
  ] as [string, (type: number) => number[] | number | undefined, string[] | string][])("%s", async (_, answer, expected) => {
    const { servers } = await nameServer((_name, type) => answer(type));
    const found = openResolver({ timeout: 400, servers })("a.test").catch(({ code }) => code);
    expect(await found).toEqual(expected);
  });

  test("names that hang keep no others waiting", async () => {
    const { servers } = await nameServer((name, type) => (name.startsWith("slow") ? undefined : type === A ? [192, 0, 2, 1] : []));
    const resolve = openResolver({ timeout: 2_000, servers });
    let hanging = 20;
    const slow = Array.from({ length: hanging }, (_, i) => resolve(`slow${i}.test`).catch(() => hanging--));
    for (let i = 0; i < 20; i++) expect(await resolve(`quick${i}.test`)).toEqual(["192.0.2.1"]);
    expect(hanging).toBe(20);
    await Promise.all(slow);
  });

  test("localhost is nobody else's business", async () => {
    const { servers, asked } = await nameServer(() => 3);
    const resolve = openResolver({ timeout: 400, servers });
    for (const name of ["localhost", "a.localhost", "LOCALHOST."]) expect(await resolve(name)).toEqual(["127.0.0.1", "::1"]);
    expect(asked).toEqual([]);
  });
});

test("the hosts file", () => {
  const text = "# a comment\n127.0.0.1\tlocalhost\r\n10.0.0.1 Wiki.test wiki # ours\n::2 wiki\nnonsense x\n\n10.0.0.2";
  expect([...parseHostsFile(text)]).toEqual([
    ["localhost", ["127.0.0.1"]],
    ["wiki.test", ["10.0.0.1"]],
    ["wiki", ["10.0.0.1", "::2"]],
  ]);
});

describe("names are remembered", () => {
  const setUp = (answer: (hostname: string) => string[]) => {
    const asked: string[] = [];
    let now = 0;
    const names = new DnsCache(
      async (hostname) => {
        asked.push(hostname);
        return answer(hostname);
      },
      () => now,
    );
    return { names, asked, pass: (ms: number) => (now += ms) };
  };

  test("a minute when found", async () => {
    const { names, asked, pass } = setUp(() => ["192.0.2.1"]);
    await Promise.all([names.find("a.test"), names.find("a.test")]);
    pass(59_000);
    expect(names.cached("a.test")).toEqual(["192.0.2.1"]);
    expect(asked).toEqual(["a.test"]);
    pass(2_000);
    expect(names.cached("a.test")).toBeUndefined();
    await names.find("a.test");
    expect(asked).toEqual(["a.test", "a.test"]);
  });

  test("seconds when not", async () => {
    const { names, asked, pass } = setUp(() => []);
    await expect(names.find("a.test")).rejects.toThrow("no address");
    await expect(names.find("a.test")).rejects.toThrow("no address");
    expect(asked.length).toBe(1);
    pass(6_000);
    await expect(names.find("a.test")).rejects.toThrow("no address");
    expect(asked.length).toBe(2);
  });

  test("not more than ten thousand of them", async () => {
    const { names } = setUp(() => ["192.0.2.1"]);
    for (let i = 0; i <= 10_000; i++) await names.find(`h${i}.test`);
    expect(names.cached("h0.test")).toBeUndefined();
    expect(names.cached("h1.test")).toBeDefined();
  });

  test("an address is its own answer", async () => {
    const { names, asked } = setUp(() => []);
    expect(await names.find("192.0.2.9")).toEqual(["192.0.2.9"]);
    expect(await names.find("::1")).toEqual(["::1"]);
    expect(asked).toEqual([]);
  });
});
