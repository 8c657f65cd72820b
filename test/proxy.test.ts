import { createServer } from "node:https";
import { afterEach, describe, expect, test } from "vitest";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type ProxySetup, startProxy } from "./proxy.ts";
import { serveSite } from "./site/index.ts";

const fast = ["--rate-limit", "none", "--retries", "0"];
const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function folderForTest() {
  const folder = tempFolder();
  closers.push(() => folder[Symbol.dispose]());
  return folder;
}

async function proxyWith(setup: ProxySetup = {}) {
  const proxy = await startProxy(setup);
  closers.push(proxy.close);
  return proxy;
}

async function siteAt(address: string, body = "<p>home</p>") {
  const site = await serveSite({ "/": body, "/a": "<p>a</p>" }, { address });
  closers.push(site.close);
  return { ...site, port: new URL(site.origin).port };
}

async function secureSite(address: string, { key, cert }: Certificates) {
  const server = createServer({ key, cert }, ({ url }, response) => {
    if (url === "/robots.txt") response.writeHead(404).end();
    else response.setHeader("content-type", "text/html").end("<p>secure</p>");
  });
  await new Promise<void>((ready) => server.listen(0, address, ready));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  });
  return (server.address() as { port: number }).port;
}

describe("a crawl through a proxy", () => {
  test("asks for names that only the proxy knows, says what cannot be seen, and keeps nothing of it", async () => {
    const folder = folderForTest();
    const site = await siteAt("127.0.32.20", '<a href="/a">a</a><a href="http://127.0.32.21/">x</a><a href="http://localhost/">y</a>');
    const proxy = await proxyWith({ user: "me:canary-pass", names: { "city.test": "127.0.32.20" } });
    const seed = `http://city.test:${site.port}/`;
    const flags = ["--proxy", proxy.url.replace("//", "//me:canary-pass@"), "--scope", "any", "--json", "-vv", ...fast];
    const crawl = await nuthatch(["crawl", seed, ...flags], { cwd: folder.path });
    expect(crawl.code, crawl.stderr).toBe(0);
    expect(crawl.stderr.split("\n")[0]).toBe(
      `Asking through the proxy 127.0.32.200:${proxy.port}: it looks names up, so whether they lead to private addresses cannot be seen from here.`,
    );
    expect(site.log.map(({ path }) => path)).toEqual(["/robots.txt", "/", "/a"]);
    expect(site.log.every(({ host }) => host === `city.test:${site.port}`)).toBe(true);
    expect(proxy.asked.map(({ line }) => line)).toEqual(["robots.txt", "", "a"].map((path) => `GET ${seed}${path}`));
    const explained = await nuthatchHere(["explain", "http://127.0.32.21/", "--json"], { cwd: folder.path });
    expect(explained.stdout).toContain("private-network");
    for (const text of [crawl.stdout, crawl.stderr, explained.stdout]) expect(text).not.toContain("canary-pass");
    const resumed = await nuthatchHere(["runs", "--json"], { cwd: folder.path });
    expect(resumed.stdout).not.toContain("canary-pass");
  });

  test("takes it from the environment, https apart from http, and leaves out what NO_PROXY names", async () => {
    const folder = folderForTest();
    const certificates = makeCertificates(folder.path, ["DNS:city.test"]);
    const port = await secureSite("127.0.32.22", certificates);
    const proxy = await proxyWith({ names: { "city.test": "127.0.32.22" } });
    const near = await siteAt("127.0.32.23");
    const seeds = [`https://city.test:${port}/`, `${near.origin}/`];
    const env = { HTTPS_PROXY: proxy.url, http_proxy: proxy.url, NO_PROXY: "inside.test" };
    const crawl = await nuthatch(["crawl", ...seeds, "--ca", certificates.ca, ...fast], { cwd: folder.path, env });
    expect(crawl.code, crawl.stderr).toBe(0);
    expect(new Set(proxy.asked.map(({ line }) => line)), "this machine itself is asked directly").toEqual(
      new Set([`CONNECT city.test:${port}`]),
    );
    expect(near.log.length).toBeGreaterThan(0);

    const excepted = await nuthatchHere(["crawl", seeds[0]!, "--ca", certificates.ca, "--new", ...fast], {
      cwd: folder.path,
      env: { ...env, NO_PROXY: "city.test" },
    });
    expect(excepted.code).toBe(3);
    expect(excepted.stderr).toMatch(/city.test does not resolve/);
  });

  test.each([
    ["407", { user: "me:other" }, "http", /the proxy 127.0.32.200:\d+ wants a user and password \(407\)\n {2}why: The proxy did not let/],
    ["407 to a tunnel", { user: "me:other" }, "https", /wants a user and password \(407\)\n {2}why: The proxy did not let/],
    ["a refusal", { reply: "HTTP/1.1 403 Forbidden\r\n\r\n" }, "https", /the proxy 127.0.32.200:\d+ refuses city.test:443 \(403\)/],
    ["silence", { reply: "" }, "https", /no way through the proxy 127.0.32.200:\d+ in time/],
  ] as [string, ProxySetup, string, RegExp][])("tells the proxy's trouble from the site's: %s", async (_, setup, scheme, message) => {
    const folder = folderForTest();
    const proxy = await proxyWith(setup);
    const flags = ["--proxy", proxy.url, "--timeout", "500ms", ...fast];
    const { code, stderr } = await nuthatchHere(["crawl", `${scheme}://city.test/`, ...flags], { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toMatch(message);
    expect(proxy.asked.length).toBe(1);
    const { stdout } = await nuthatchHere(["explain", `${scheme}://city.test/`, "--json"], { cwd: folder.path });
    expect(stdout).toMatch(/"reason": ?"proxy"/);
  });

  test("a proxy that is gone is not gone round", async () => {
    const folder = folderForTest();
    const site = await siteAt("127.0.32.24");
    const proxy = await startProxy();
    await proxy.close();
    const { code, stderr } = await nuthatchHere(["crawl", `${site.origin}/`, "--proxy", proxy.url, ...fast], { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toMatch(/the proxy 127.0.32.200:\d+ cannot be reached/);
    expect(site.log).toEqual([]);
  });

  test("a run begun through a proxy is not resumed without", async () => {
    const folder = folderForTest();
    const site = await siteAt("127.0.32.25", '<a href="/a">a</a>');
    const proxy = await proxyWith();
    const args = ["--proxy", proxy.url, ...fast];
    expect((await nuthatchHere(["crawl", `${site.origin}/`, "--max-pages", "1", ...args], { cwd: folder.path })).code).toBe(0);
    const without = await nuthatchHere(["resume", "--max-pages", "none"], { cwd: folder.path });
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("the proxy is missing");
    expect((await nuthatchHere(["resume", "--max-pages", "none", ...args], { cwd: folder.path })).code).toBe(0);
    expect(site.log.map(({ path }) => path)).toContain("/a");
  });
});
