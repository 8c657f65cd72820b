import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limitSwitches, unwantedSwitches } from "../../src/engine/browser/chromium/chromium-limits.ts";
import { findBrowser } from "../../src/engine/browser/find-browser.ts";
import { makeCertificates } from "../certificates.ts";
import { tempFolder } from "../cli.ts";
import { htmlOf, lackOf, nameOf, type Shower, showPages } from "./show-pages.ts";

const closed = Array.from({ length: 60 }, (_, at) => `/closed/${at}`);
const rules = (action: string, more: object = {}) => JSON.stringify({ [action]: [{ urls: closed, eagerness: "immediate", ...more }] });
const speculate = (text: string) => `<script type=speculationrules>${text}</script>`;
const late = (code: string) => `<script>setTimeout(() => { ${code} }, 50)</script>`;
const links = (rel: string, more = "") => closed.map((href) => `<link rel="${rel}" href="${href}" ${more}>`).join("");

const ways: Readonly<Record<string, string>> = {
  "rules that prefetch": speculate(rules("prefetch")),
  "rules that prefetch through somebody": speculate(rules("prefetch", { requires: ["anonymous-client-ip-when-cross-origin"] })),
  "rules that prerender": speculate(rules("prerender")),
  "rules that prerender until a script": speculate(rules("prerender_until_script")),
  "rules for all links": `${speculate(JSON.stringify({ prefetch: [{ where: { href_matches: "/closed/*" }, eagerness: "immediate" }], prerender: [{ where: { href_matches: "/closed/*" }, eagerness: "immediate" }] }))}${closed.map((href) => `<a href="${href}">x</a>`).join("")}`,
  "rules that a script adds": late(
    `const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = ${JSON.stringify(rules("prefetch"))}; document.head.append(s)`,
  ),
  "rules in a frame": `<iframe srcdoc='${speculate(rules("prefetch")).replaceAll("'", "&#39;")}'></iframe>`,
  "link rel=prefetch": links("prefetch"),
  "link rel=prerender": links("prerender"),
  "link rel=next": links("next"),
  "link rel=modulepreload": links("modulepreload"),
  "link rel=preload": links("preload", "as=fetch"),
  "link rel=preconnect": links("preconnect"),
  "link rel=dns-prefetch": links("dns-prefetch"),
  frames: closed.map((src) => `<iframe src="${src}"></iframe>`).join(""),
  "a service worker": `<script>for (const at of [0, 1, 2]) navigator.serviceWorker?.register("/closed/" + at + ".js").catch(() => {})</script>`,
  "a beacon as it is left": `<script>for (const type of ["pagehide", "visibilitychange", "unload", "beforeunload"]) addEventListener(type, () => {
    navigator.sendBeacon("/closed/beacon", "x"); fetch("/closed/kept", { method: "POST", keepalive: true, body: "x" }); fetch("/closed/get", { keepalive: true }) })</script>`,
  fetchLater: `<script>try { fetchLater("/closed/later"); fetchLater("/closed/later2", { activateAfter: 0 }) } catch {}</script>`,
};

const names = Object.keys(ways);
const page = (head: string) =>
  `<!doctype html><title>t</title><body><h1>Words</h1>${head}<p id=end>${"What there is to read. ".repeat(20)}</p>`;

const lack = await lackOf("chromium");
describe.skipIf(lack !== "")(`what a page would have its browser fetch ahead${lack}`, () => {
  let shower: Shower;
  beforeAll(async () => {
    shower = await showPages("chromium", "127.0.67.8", (asked, answer) => {
      const way = /^\/way\/(\d+)$/.exec(asked.url ?? "")?.[1];
      answer.setHeader("content-type", "text/html");
      if (asked.url === "/rules.json")
        return void answer.setHeader("content-type", "application/speculationrules+json").end(rules("prefetch"));
      if (asked.url === "/header") return void answer.setHeader("speculation-rules", '"/rules.json"').end(page(""));
      answer.end(page(way === undefined ? "" : ways[names[Number(way)]!]!));
    });
  });
  afterAll(() => shower.close());

  const asked = () => shower.log.filter((line) => !/ \/(way\/\d+|header|open)$/.test(line));
  const refusal = ({ url }: { url: string }) => (/\/(closed|rules)/.test(url) ? "robots" : undefined);

  test.each([...names.map((name, at) => [name, `/way/${at}`] as const), ["rules in a header", "/header"] as const])(
    "%s",
    async (_, path) => {
      shower.log.length = 0;
      const rendered = await shower.show(path, { refusal });
      expect([nameOf(rendered), htmlOf(rendered)]).toEqual(["body", expect.stringContaining("What there is to read.")]);
      // The tab is left, and used again.
      expect(nameOf(await shower.show("/open", { refusal }))).toBe("body");
      expect(asked()).toEqual([]);
    },
  );

  test("a page that another wanted ahead is shown as ever, with what it loads", async () => {
    await shower.show(`/way/${names.indexOf("rules that prefetch")}`);
    const began = Date.now();
    const rendered = await shower.show("/closed/1");
    expect([nameOf(rendered), htmlOf(rendered)]).toEqual(["body", expect.stringContaining("What there is to read.")]);
    expect(Date.now() - began).toBeLessThan(15_000);
  });

  /** The exit does not see what passes over https. */
  test("over https the switches alone hold", async () => {
    using folder = tempFolder();
    const seen: string[] = [];
    const server = createServer(makeCertificates(folder.path, ["IP:127.0.67.9"]), (request, answer) => {
      seen.push(request.url ?? "");
      answer.setHeader("content-type", "text/html").end(
        page(
          request.url === "/"
            ? names
                .filter((name) => /rules|rel=prerender/.test(name))
                .map((name) => ways[name])
                .join("")
            : "",
        ),
      );
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.67.9", ready));
    const { path } = await findBrowser("chromium", []);
    const browser = await chromium.launch({
      executablePath: path,
      args: [...limitSwitches, "--ignore-certificate-errors"],
      ignoreDefaultArgs: unwantedSwitches,
    });
    const tab = await browser.newPage();
    await tab.goto(`https://127.0.67.9:${(server.address() as AddressInfo).port}/`);
    // What would come comes within a few hundred milliseconds.
    await tab.waitForTimeout(2_000);
    await browser.close();
    server.close();
    expect(seen.filter((url) => url.startsWith("/closed"))).toEqual([]);
    expect(seen).toContain("/");
  });
});
