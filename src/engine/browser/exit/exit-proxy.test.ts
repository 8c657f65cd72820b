import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { serve } from "../../../../test/loopback.ts";
import { createConnector, DnsCache, openAccess, openResolver, PrivateHosts } from "../../fetch/index.ts";
import type { Decision, Inspector } from "../inspector.ts";
import { type ExitProxy, openExitProxy } from "./exit-proxy.ts";

const HOME = "127.0.66.20";
const names = new DnsCache(openResolver({ timeout: 2_000 }));
let exit: ExitProxy;
afterEach(() => exit?.close());

async function open(inspector?: Inspector): Promise<void> {
  exit = await openExitProxy({
    connector: createConnector({ names, timeout: 2_000, opened: new PrivateHosts([HOME]), access: undefined }),
    access: undefined,
    inspector,
  });
}

/** Opens the exit for these URLs, as a page that may request them would. */
function letThrough(...urls: string[]): void {
  for (const url of urls) {
    const { host, href } = new URL(url);
    exit.open(host);
    exit.open(href);
  }
}

const dialled = async (): Promise<Socket> => {
  const socket = connect(Number(new URL(exit.url).port), "127.0.0.1");
  await once(socket, "connect");
  return socket;
};

/** Sends raw text to the exit and returns everything received until the exit closes the connection. */
async function say(words: string): Promise<string> {
  const socket = await dialled();
  socket.write(words);
  return text(socket);
}

const get = (url: string, more = "") => `GET ${url} HTTP/1.1\r\nHost: wrong.test\r\n${more}Connection: close\r\n\r\n`;
const hello = "HTTP/1.1 200 Fine\r\nX-One: a\r\nx-one: b\r\nContent-Length: 5\r\n\r\nhello";
const WHO = "HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n";

describe("what is asked for in the clear", () => {
  test("goes on with its own lines and comes back with those of the answer", async () => {
    const site = await serve((socket) => socket.write(hello), HOME);
    await open();
    letThrough(`${site.url}a%7c|b?c=d&&e`);
    const got = await say(
      get(`${site.url}a%7c|b?c=d&&e`, "X-Own: 1\r\nProxy-Authorization: secret\r\nx-own: 2\r\nConnection: x-hop\r\nX-Hop: 1\r\n"),
    );
    expect(got).toMatch(/^HTTP\/1\.1 200 Fine\r\nX-One: a\r\nx-one: b\r\nContent-Length: 5\r\n[\s\S]*\r\n\r\nhello$/);
    const [asked = ""] = site.seen;
    expect(asked).toMatch(/^GET \/a%7c\|b\?c=d&&e HTTP\/1\.1\r\n/);
    expect(asked).toContain(`Host: ${HOME}:${site.port}`);
    expect(asked).toMatch(/X-Own: 1\r\nx-own: 2/);
    expect(asked).not.toMatch(/secret|X-Hop|wrong\.test/);
  });

  test.each([
    ["a place that nobody opened", (url: string) => get(url.replace(HOME, "127.0.66.21"))],
    ["another port of an open place", (url: string) => get(url.replace(/:\d+\/$/, ":81/"))],
    ["another address of an open place", (url: string) => get(`${url}other`)],
    ["what is fetched ahead", (url: string) => get(url, "Sec-Purpose: prefetch;prerender\r\n")],
    ["the same as others call it", (url: string) => get(url, "Purpose: prefetch\r\n")],
    ["another method", (url: string) => `POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi`],
    ["a GET with a body", (url: string) => get(url, "Content-Length: 2\r\n").concat("hi")],
    ["a GET with a body in chunks", (url: string) => get(url, "Transfer-Encoding: chunked\r\n").concat("0\r\n\r\n")],
    ["a path alone", () => get("/")],
    ["another scheme", () => get("ftp://x.test/")],
    ["a WebSocket", (url: string) => `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ["a tunnel to a closed place", () => "CONNECT 127.0.66.21:443 HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a tunnel to no place", () => "CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n"],
  ])("%s is refused, and nobody is asked", async (_, words) => {
    const site = await serve((socket) => socket.write(hello), HOME);
    await open();
    letThrough(site.url);
    expect(await say(words(site.url))).toMatch(/^HTTP\/1\.1 403 /);
    expect(site.connections()).toBe(0);
  });

  test.each([
    ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n"],
    ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"],
    ["a line that is folded", "X: a\r\n b: c\r\n"],
  ])("a request with %s is not answered", async (_, lines) => {
    const site = await serve((socket) => socket.write(hello), HOME);
    await open();
    letThrough(site.url);
    expect(
      await say(`GET ${site.url} HTTP/1.1\r\nHost: x\r\n${lines}\r\nGET ${site.url}smuggled HTTP/1.1\r\nHost: x\r\n\r\n`),
    ).not.toContain("hello");
    expect(site.seen.join()).not.toContain("smuggled");
  });

  test("a private address that is open to the page is closed to us, and that is known afterwards", async () => {
    await open();
    exit.open("127.0.66.22:80");
    exit.open("http://127.0.66.22/");
    expect(await say(get("http://127.0.66.22/"))).toMatch(/^HTTP\/1\.1 403 /);
    expect(exit.lastErrorAt("127.0.66.22:80")).toMatchObject({ reason: "private-network" });
  });

  test("an answer that breaks off breaks off here too", async () => {
    const site = await serve((socket) => socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), HOME);
    await open();
    letThrough(site.url);
    const socket = await dialled();
    socket.write(get(site.url));
    expect(await text(socket).catch(() => "reset")).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  test("a connection is kept for the next request, and replaced when it was closed in between", async () => {
    const site = await serve((socket) => socket.write(hello), HOME);
    await open();
    letThrough(site.url);
    for (const _ of [1, 2, 3]) expect(await say(get(site.url))).toContain("hello");
    expect(site.connections()).toBe(1);
    const fickle = await serve((socket, asked) => (asked.includes("/again") ? socket.destroy() : socket.write(hello)), "127.0.66.20");
    letThrough(fickle.url, `${fickle.url}again`);
    await say(get(fickle.url));
    expect(await say(get(`${fickle.url}again`))).toMatch(/^HTTP\/1\.1 502 /);
    expect(fickle.connections()).toBe(2);
  });

  test("no more than six at once go to one place", async () => {
    const site = await serve(() => undefined, HOME);
    await open();
    letThrough(site.url);
    const waiting = Array.from({ length: 9 }, () => say(get(site.url)).catch(() => ""));
    await expect.poll(() => site.connections()).toBe(6);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(site.connections()).toBe(6);
    await exit.close();
    await Promise.all(waiting);
  });
});

test("a tunnel leads to an open place, and closes with it", async () => {
  const site = await serve((socket) => socket.end("pong"), HOME);
  await open();
  exit.open(`${HOME}:${site.port}`);
  expect(await say(`CONNECT ${HOME}:${site.port} HTTP/1.1\r\nHost: x\r\n\r\nping\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\npong$/);
});

test("a place is waited for, if it is opened in a moment", async () => {
  const site = await serve((socket) => socket.write(hello), HOME);
  await open();
  const answer = say(get(site.url));
  setTimeout(() => letThrough(site.url), 20);
  expect(await answer).toContain("hello");
  exit.open("x.test:1")();
});

test("behind a proxy the whole URL is said to it, and what is the matter with the proxy is not taken for the site's", async () => {
  const proxy = await serve((socket, asked) => socket.write(asked.includes("/locked") ? WHO : hello), HOME);
  const option = `http://me:secret@${HOME}:${proxy.port}`;
  const access = openAccess({ header: [], auth: [], cookies: undefined, proxy: option, ca: undefined }, []);
  exit = await openExitProxy({ connector: createConnector({ names, timeout: 2_000, opened: new PrivateHosts([]), access }), access });
  exit.open("city.test:80");
  exit.open("http://city.test/open");
  exit.open("http://city.test/locked");
  expect(await say(get("http://city.test/open"))).toContain("hello");
  expect(proxy.seen[0]).toMatch(/^GET http:\/\/city\.test\/open HTTP\/1\.1\r\n/);
  expect(proxy.seen[0]).toContain(`Proxy-Authorization: Basic ${Buffer.from("me:secret").toString("base64")}\r\n`);
  expect(await say(get("http://city.test/locked"))).toMatch(/^HTTP\/1\.1 502 /);
  expect(exit.lastErrorAt("city.test:80")).toMatchObject({ reason: "proxy", message: expect.stringContaining("(407)") });
});

describe("with an inspector", () => {
  const given: Decision = { kind: "give", status: 200, headers: ["X-Given", "1"], body: Buffer.from("at hand") };
  const seen: string[] = [];
  const inspector: Inspector = {
    decide({ url }) {
      seen.push(url);
      return url.endsWith("/given") ? given : { kind: "stop" };
    },
    onResponse: (_, __, lines) => lines,
    onData: () => undefined,
    onEnd: () => undefined,
  };

  test("what is encrypted ends at the exit, where it is judged; nothing of it has gone out", async () => {
    await open(inspector);
    const socket = await dialled();
    socket.write("CONNECT secret.test:443 HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(socket, "data");
    const secure = connectTls({ socket, servername: "secret.test", rejectUnauthorized: false });
    secure.write("GET /given HTTP/1.1\r\nHost: x\r\n\r\nGET /other HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const got = await text(secure);
    expect(got).toMatch(/^HTTP\/1\.1 200 OK\r\nX-Given: 1\r\nContent-Length: 7\r\n/);
    expect(got).toContain("at hand");
    expect(got).toContain("HTTP/1.1 204 ");
    expect(seen).toEqual(["https://secret.test/given", "https://secret.test/other"]);
  });
});
