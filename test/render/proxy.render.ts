/** Pages of sites that only an office's proxy can reach, in every engine that is here. */
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Browsers, type EngineName, openBrowsers, type Rendered } from "../../src/engine/browser/index.ts";
import { DnsCache, openAccess, openResolver, PrivateHosts } from "../../src/engine/fetch/index.ts";
import { makeCertificates } from "../certificates.ts";
import { tempFolder } from "../cli.ts";
import { type RunningProxy, startProxy } from "../proxy.ts";
import { serveSite } from "../site/index.ts";
import { htmlOf, lackOf, nameOf } from "./show-pages.ts";

const page = `<p>home<script>fetch("/data").then((r) => r.text()).then((t) => document.body.append(t));
  fetch("http://127.0.61.21/private"); fetch("http://localhost/private")</script>`;
const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function openThrough(engine: EngineName, proxy: string, ca?: string): Promise<Browsers> {
  const access = openAccess({ header: [], auth: [], cookies: undefined, proxy, ca }, []);
  const browsers = await openBrowsers({
    ...{ engines: [engine], browser: [], product: "nuthatch/0.0.0", userAgent: undefined, access },
    ...{
      timeout: 10_000,
      maxBody: 10_000_000,
      types: [],
      names: new DnsCache(openResolver({ timeout: 10_000 })),
      opened: new PrivateHosts([]),
    },
  });
  closers.push(() => browsers.close());
  return browsers;
}

async function proxyWith(user?: string): Promise<RunningProxy> {
  const proxy = await startProxy({ names: { "city.test": "127.0.61.20" }, address: "127.0.61.200", ...(user !== undefined && { user }) });
  closers.push(proxy.close);
  return proxy;
}

function show(browsers: Browsers, engine: EngineName, url: string): Promise<Rendered> {
  const ask = { url, document: { host: new URL(url).host, spent: false }, refusal: () => undefined, wantsPicture: false };
  return browsers.render(engine, ask, new AbortController().signal);
}

for (const engine of ["chromium", "firefox", "webkit"] as const) {
  const lack = await lackOf(engine);
  describe.skipIf(lack !== "")(`through a proxy in ${engine}${lack}`, () => {
    test("a page and what it loads go by it; what is private stays closed; who gets it wrong is told", async () => {
      const site = await serveSite({ "/": page, "/data": "fetched" }, { address: "127.0.61.20" });
      closers.push(site.close);
      const proxy = await proxyWith("me:secret");
      const url = `${site.origin.replace("127.0.61.20", "city.test")}/`;
      const browsers = await openThrough(engine, proxy.url.replace("//", "//me:secret@"));
      expect(htmlOf(await show(browsers, engine, url))).toContain("fetched");
      expect(new Set(proxy.asked.map(({ line }) => line))).toEqual(new Set([`GET ${url}`, `GET ${url}data`]));
      const stranger = await openThrough(engine, proxy.url);
      const { fetched } = await show(stranger, engine, url);
      expect(fetched).toMatchObject({
        kind: "failed",
        reason: "proxy",
        detail: expect.stringContaining("wants a user and password (407)"),
      });
    });

    test("and so does what is encrypted", async () => {
      const folder = tempFolder();
      closers.push(() => folder[Symbol.dispose]());
      const certificates = makeCertificates(folder.path, ["DNS:city.test"]);
      const server = createSecure(certificates, (_, answer) => answer.setHeader("content-type", "text/html").end("<p>secure</p>"));
      await new Promise<void>((ready) => server.listen(0, "127.0.61.20", ready));
      closers.push(() => server.close());
      const { port } = server.address() as AddressInfo;
      const proxy = await proxyWith();
      const browsers = await openThrough(engine, proxy.url, certificates.ca);
      const shown = await show(browsers, engine, `https://city.test:${port}/`);
      expect(new Set(proxy.asked.map(({ line }) => line))).toEqual(new Set([`CONNECT city.test:${port}`]));
      // The others know no certificates but their own.
      expect(nameOf(shown)).toBe(engine === "webkit" ? "body" : "failed tls");
    });
  });
}
