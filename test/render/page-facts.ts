/** What a browser makes of pages, told the same of every engine. All are shown first, several at a time; then each fact is looked at. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderHtml } from "../../src/analysis/parse/index.ts";
import type { EngineName, Rendered } from "../../src/engine/browser/index.ts";
import type { HostilePage } from "./hostile-pages.ts";
import { htmlOf, lackOf, nameOf, type Shower, showPages } from "./show-pages.ts";

const onLoad = (text: string) => `<!DOCTYPE html><title>t</title><body><script>${text}</script>`;

const pages: Record<string, string> = {
  "/script": `<p>hello<script src="/add.js"></script>`,
  "/late": onLoad("fetch('/data').then((r) => r.text()).then((t) => { document.body.insertAdjacentHTML('beforeend', t); })"),
  "/shadow": `<div id=host><a slot=named href=/slotted>1</a><a href=/light>2</a></div><script>
    host.attachShadow({ mode: 'closed' }).innerHTML = '<a href=/closed>3</a><slot name=named></slot>';</script>`,
  "/frames": `<iframe src="/inner/frame"></iframe><iframe src="http://127.0.67.250/other"></iframe>`,
  "/inner/frame": `<base href="/base/"><a href="leaf">leaf</a>`,
  "/pushed": onLoad("history.pushState({}, '', '/deep/place'); document.body.innerHTML = '<a href=leaf>leaf</a>'"),
  "/list": `<div id=list></div><p id=end>end</p><script>let n = 0; const add = () => { for (let i = 0; i < 10; i++) list.insertAdjacentHTML('beforeend',
    '<a style="display: block; height: 100px" href=/item/' + n++ + '>item</a>'); }; add();
    new IntersectionObserver(([seen]) => { if (seen.isIntersecting && n < 40) fetch('/data').then(add); }).observe(end);</script>`,
  "/box": `<div id=box style="height: 300px; overflow: auto"></div><script>let n = 0; const add = () => { for (let i = 0; i < 10; i++) box.insertAdjacentHTML('beforeend',
    '<a style="display: block; height: 100px" href=/boxed/' + n++ + '>item</a>'); }; add();
    box.onscroll = () => { if (n < 30 && box.scrollTop + 400 > box.scrollHeight) add(); };</script>`,
  "/clock": onLoad("setInterval(() => { document.body.innerHTML = '<b>' + Date.now() + '</b>'; }, 10)"),
  "/changed": `<a href=/kept>kept</a><script>for (const key of ['push', 'map', 'at', 'pop', Symbol.iterator]) Array.prototype[key] = () => { throw 1; };
    JSON.stringify = JSON.parse = () => 'no'; Document.prototype.querySelectorAll = () => []; document.createElement = null; String.prototype.replace = () => 'no';
    for (const key of ['firstChild', 'nextSibling', 'nodeType']) Node.prototype.__defineGetter__(key, () => null);</script>`,
  "/leaves": onLoad("location = '/elsewhere'"),
  "/refresh": `<meta http-equiv=refresh content="0; url=/refreshed"><p>here`,
  "/tries":
    onLoad(`fetch('/post', { method: 'POST' }); navigator.sendBeacon('/beacon', 'x'); new Image().src = '/image'; document.body.style.background = 'url(/background)';
    for (const make of [() => new WebSocket('ws://' + location.host + '/socket'), () => new Worker('/worker'), () => new EventSource('/events'), () => open('/window'),
      () => navigator.serviceWorker.register('/service')]) try { make(); } catch {}
    document.body.insertAdjacentHTML('beforeend', '<video src=/video></video><link rel=preload as=font href=/font><link rel=prefetch href=/prefetch><object data=/object></object>');
    const f = document.createElement('iframe'); f.sandbox = 'allow-scripts allow-forms'; f.src = '/sandboxed'; document.body.append(f)`),
  "/sandboxed": `<form method=post action=/posted></form><script>fetch('/post-from-frame', { method: 'POST' }); document.forms[0].submit()</script>`,
  "/picky": `<p>p<script src="/refused.js"></script><script src="/led.js"></script><script src="/add.js"></script>`,
  "/picture": `<style>body { margin: 0 } div { height: 5000px; background: linear-gradient(red, blue) }</style><img src="/image.svg"><div></div>`,
  "/unseen": `<style>.a { opacity: 0 } main .b:first-child { position: absolute; left: -4000px } [data-c] { font-size: 0 } body.is-light p.d { color: white }
    section > * { clip-path: inset(100%) } .e { visibility: hidden }</style><script>document.write('<body class="is-light">')</script>
    <main><p class=b>secret b</p><p>seen one</p></main><p class=a>secret a</p><p data-c>secret c</p><p class=d>secret d</p><section><p>secret s</p></section>
    <div style="background: #036"><p class=d>seen two</p></div><p id=e class=e>secret e</p><p style="display: none" class=tab>seen three</p><script>
    const f = document.createElement('p'); f.textContent = 'secret f'; document.body.append(f); f.animate([{ opacity: 0 }, { opacity: 0 }], { duration: 1e6 });</script>`,
  "/agent": onLoad("document.title = navigator.userAgent"),
};

/** Another origin, which nothing was given for. */
let elsewhere = "";

function serve(asked: IncomingMessage, answer: ServerResponse): void {
  const path = asked.url ?? "";
  const say = (status: number, type: string, text: string, more = {}) =>
    answer.writeHead(status, { "content-type": type, ...more }).end(text);
  if (path === "/add.js") say(200, "text/javascript", "document.body.insertAdjacentHTML('beforeend', '<a href=/added>added</a>')");
  else if (path === "/data") setTimeout(() => say(200, "text/html", "<a href=/late-link>late</a>"), 150);
  else if (path === "/image.svg") say(200, "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>`);
  else if (path === "/moved") say(302, "text/html", "", { location: "/target" });
  else if (path === "/led.js") say(302, "text/html", "", { location: "/refused.js" });
  else if (path === "/busy") say(503, "text/html", "later", { "retry-after": "7" });
  else if (path === "/keyed")
    say(200, "text/html", `<p>document ${asked.headers["x-key"]}<script src="/part.js"></script><script src="/away.js"></script>`);
  else if (path === "/away.js") say(302, "text/html", "", { location: `${elsewhere}/part.js` });
  else if (path === "/part.js") say(200, "text/javascript", `document.body.append("part ${asked.headers["x-key"]}")`);
  else if (path === "/file") say(200, "application/pdf", "%PDF");
  else if (path === "/text") say(200, "text/plain", "<a href=/not>not</a>");
  else if (path === "/tagged") say(200, "text/html", "<p>tagged", { "x-robots-tag": "nofollow" });
  else if (pages[path] !== undefined) say(200, "text/html; charset=utf-8", pages[path]);
  else say(404, "text/html", "nothing");
}

const others = ["/keyed", "/moved", "/busy", "/file", "/text", "/tagged", "/none"];
const isInner = (path: string) => ["/inner/frame", "/sandboxed"].includes(path);

export async function pageFacts(engine: EngineName, address: string, hostile: readonly HostilePage[] = []): Promise<void> {
  const lack = await lackOf(engine);
  describe.skipIf(lack !== "")(`pages in ${engine}${lack}`, () => {
    let shower: Shower;
    const other = createServer(serve);
    const toldOthers: string[] = [];
    other.on("request", ({ headers }) => toldOthers.push(String(headers["x-key"])));
    const shown = new Map<string, Rendered>();
    const got = (path: string) => shown.get(path)!;
    const html = (path: string) => htmlOf(got(path));
    beforeAll(async () => {
      await new Promise<void>((ready) => other.listen(0, address, ready));
      elsewhere = `http://${address}:${(other.address() as AddressInfo).port}`;
      shower = await showPages(engine, address, (asked, answer) => {
        const page = hostile[Number(/^\/hostile(\d+)/.exec(asked.url ?? "")?.[1] ?? -1)];
        if (page?.serve) page.serve(asked, answer);
        else if (page) answer.writeHead(200, { "content-type": "text/html" }).end(page.html);
        else serve(asked, answer);
      });
      const refusal = ({ url }: { url: string }) => (url.endsWith("/refused.js") ? "robots" : undefined);
      await Promise.all(
        [...Object.keys(pages), ...others, ...hostile.map((_, at) => `/hostile${at}`)]
          .filter((path) => !isInner(path))
          .map(async (path) => shown.set(path, await shower.show(path, { refusal, wantsPicture: path === "/picture" }))),
      );
    }, 180_000);
    afterAll(async () => {
      await shower.close();
      other.closeAllConnections();
      other.close();
    });

    const shows = (path: string, links: readonly string[]) => {
      expect(nameOf(got(path))).toBe("body");
      expect(got(path)).toMatchObject({ isQuiet: true, fetched: { kind: "body", status: 200 } });
      for (const link of links) expect(html(path)).toContain(`href="${link}"`);
    };

    test.each([
      ["what a script adds is there", "/script", ["/added"]],
      ["what a script fetches is waited for", "/late", ["/late-link"]],
      ["a list is gone through to its end", "/list", ["/item/0", "/item/39"]],
      ["and so is one that scrolls by itself", "/box", ["/boxed/0", "/boxed/29"]],
    ])("%s", (_, path, links) => shows(path, links));

    // WebKit lets nobody in before a page's own scripts, nor apart from them.
    test.skipIf(engine === "webkit").each([
      ["closed shadow roots are open to us, with what is in their slots and what is not", "/shadow", ["/closed", "/slotted", "/light"]],
      ["a page that changed all it could lay hands on is read as it is", "/changed", ["/kept"]],
    ])("%s", (_, path, links) => shows(path, links));

    test("what it shows nobody is marked by what its styles come to, and left out of what is written", async () => {
      const { markdown } = await renderHtml(html("/unseen"), { base: shower.origin, charset: "utf-8", title: undefined, part: "whole" });
      expect(markdown()).toBe("seen one\n\nseen two\n\nseen three\n");
    });

    test("frames of the same host are in place, with their own base; other hosts are not asked", () => {
      expect(html("/frames")).toContain(`href="${shower.origin}/base/leaf"`);
      expect(got("/frames").refused).toBeGreaterThan(0);
    });

    test("an address that a script took is the base of the links, and a link itself", () => {
      expect(html("/pushed")).toContain(`<base href="${shower.origin}/deep/place">`);
      expect(html("/pushed")).toContain(`<a href="${shower.origin}/deep/place">`);
    });

    test("clocks hold nothing up", () => expect(got("/clock").isQuiet).toBe(true));

    test("a page that goes elsewhere by script has moved; what its head says is left to its reader", () => {
      expect(got("/leaves").fetched).toMatchObject({ kind: "moved", location: `${shower.origin}/elsewhere` });
      expect(html("/refresh")).toContain("http-equiv");
      expect(shower.log).not.toContain("GET /elsewhere");
      expect(shower.log).not.toContain("GET /refreshed");
    });

    test.each([
      ["a redirect is not followed", "/moved", { kind: "moved", status: 302 }],
      ["what is not there is gone", "/none", { kind: "gone", status: 404 }],
      ["a server that wants time gets it", "/busy", { kind: "refused", by: "pace", retryAfter: 7000 }],
      ["a file is no page", "/file", { kind: "refused", by: "type" }],
      ["what the server says to robots is kept", "/tagged", { kind: "body", robotsTags: ["nofollow"] }],
      ["a text is read as it came", "/text", { kind: "body", contentType: "text/plain" }],
    ])("%s", (_, path, expected) => expect(got(path).fetched).toMatchObject(expected));

    test("nothing is sent but what a page needs to be read", () => {
      const needed = /^GET \/(add\.js|led\.js|away\.js|part\.js|data|image\.svg|inner\/frame|sandboxed)$/;
      const known = new Set([...Object.keys(pages), ...others].map((path) => `GET ${path}`));
      expect([...new Set(shower.log)].filter((line) => !known.has(line) && !needed.test(line) && !line.startsWith("GET /hostile"))).toEqual(
        [],
      );
    });

    test("what may not be asked for is not", () => {
      expect(html("/picky")).toContain("/added");
      expect(shower.log).not.toContain("GET /refused.js");
    });

    test("a browser says who it is, and who sent it", () => {
      expect(html("/agent")).toMatch(/<title>Mozilla\/5\.0 .* nuthatch\/0\.0\.0<\/title>/);
    });

    test("what was given to be let in goes along with the document and its parts, and not where they are led", () => {
      expect(html("/keyed")).toContain("document given");
      expect(html("/keyed")).toContain("part given");
      expect(toldOthers).not.toContain("given");
    });

    test("and not with what a page from elsewhere asks for there", async () => {
      const { fetched } = shown.get("/script")!;
      if (fetched.kind !== "body") throw new Error(fetched.kind);
      const bytes = new TextEncoder().encode(`<p>elsewhere<script src="${shower.origin}/part.js"></script>`);
      const url = "http://127.0.67.249/elsewhere";
      const ask = { url, document: { ...fetched, bytes }, refusal: () => undefined, wantsPicture: false };
      expect(htmlOf(await shower.browsers.render(engine, ask, new AbortController().signal))).toContain("part undefined");
    });

    test("a picture is as wide as a screen and as tall as is sensible", () => {
      const { picture } = got("/picture");
      // WebKit shows what is on the screen, without pictures in it.
      if (engine === "webkit") return void expect(picture).toMatchObject({ type: "image/png", width: 1280, height: 800 });
      expect(picture).toMatchObject({ type: "image/jpeg", width: 1280, height: 4000 });
      expect([...picture!.bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
      expect(shower.log).toContain("GET /image.svg");
    });

    test.each(hostile.map(({ name, becomes }, at) => [name, becomes, at] as const))("%s has an end", (_, becomes, at) => {
      const came = got(`/hostile${at}`);
      expect(becomes, "detail" in came.fetched ? came.fetched.detail : "").toContain(nameOf(came));
    });

    test("a document that is there already is not asked for again", async () => {
      const { fetched } = got("/tagged");
      if (fetched.kind !== "body") throw new Error("no body");
      const bytes = new TextEncoder().encode(pages["/script"]);
      const again = await shower.show("/given", { document: { ...fetched, status: 203, bytes } });
      expect(again.fetched).toMatchObject({ kind: "body", status: 203, robotsTags: ["nofollow"] });
      expect(htmlOf(again)).toContain("/added");
      expect(shower.log).not.toContain("GET /given");
    });

    test("a host that nobody opened is closed, one that does not answer is down", async () => {
      const at = (url: string) => ({ url, document: { host: new URL(url).host, spent: false } });
      expect(nameOf(await shower.show("", at("http://127.0.67.251:8067/")))).toBe("refused private-network");
      expect(nameOf(await shower.show("", at(`http://${address}:8067/`)))).toBe("failed connection");
    });

    test("who does not want to wait any longer need not", async () => {
      const leaving = new AbortController();
      const waiting = shower.show("/late", {}, leaving.signal);
      leaving.abort(new Error("enough"));
      await expect(waiting).rejects.toThrow("enough");
    });
  });
}
