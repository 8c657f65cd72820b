import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { definePlugin, type MaybePlugin, type Plugin } from "nuthatch";
import { expectRun, type FakePage, fakeSite } from "nuthatch/testing";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { nuthatch, tempFolder } from "./cli.ts";
import { crawl, createCrawler } from "./near-library.ts";
import { gaps, type PageSpec, serveSite } from "./site/index.ts";

const linksTo = (...urls: string[]) => urls.map((url) => `<a href="${url}">${url}</a>`).join("");

/** One run over a fake site, with what came of it. */
async function look(pages: Record<string, FakePage>, plugins: readonly MaybePlugin[], more: object = {}) {
  const site = fakeSite(pages);
  const run = createCrawler({ plugins, ...site.options, ...more }).run(site.url);
  const seen: Record<string, object> = {};
  for await (const { url, data } of run) seen[url.replace(site.url, "/")] = data;
  return { site, run, seen, result: await run.result, paths: site.requests.map(({ path }) => path) };
}

describe("a plugin", () => {
  test("normalizeUrl: two spellings become one page before they are compared", async () => {
    const lower = definePlugin({ name: "lower", normalizeUrl: (url) => url.href.toLowerCase() });
    const { paths, run } = await look({ "/": linksTo("/Page", "/PAGE", "/page"), "/page": "<p>one page</p>" }, [lower]);
    expect(paths).toEqual(["/robots.txt", "/", "/page"]);
    await expectRun(run).toHaveVisited("/page");
  });

  test("filterUrl: its reason is in the ledger under its name, and explain tells it", async () => {
    const calendar = definePlugin({
      name: "no-calendar",
      filterUrl: (url, from) => (url.pathname.startsWith("/calendar") ? { skip: `a day named by ${from?.pathname}` } : undefined),
    });
    const { paths, run, result } = await look({ "/": linksTo("/calendar/1", "/a"), "/a": "a" }, [calendar]);
    expect(paths).toEqual(["/robots.txt", "/", "/a"]);
    expect(result.stats.skipped).toEqual({ "plugin:no-calendar": 1 });
    expect(await run.explain("https://site.test/calendar/1")).toMatchObject({
      verdict: "skipped",
      reason: "plugin:no-calendar",
      rule: "a day named by /",
      sentence: "Not visited in run 1. The plugin no-calendar skips it (a day named by /).",
    });
  });

  test("onPage: one that passes on what the others found sees their data, and changes nothing of it", async () => {
    const told: unknown[] = [];
    const shop = definePlugin({ name: "shop", onHtml: { b: (element, page) => Object.assign(page.data, { price: element.text() }) } });
    const words = definePlugin({
      name: "words",
      data: z.object({ count: z.number().optional() }),
      onPage: ({ data }) => Object.assign(data, { count: 7 }),
    });
    const sink = definePlugin({
      name: "sink",
      onPage: (page) => {
        told.push({ own: { ...page.data }, all: { ...page.allData } });
        Object.assign(page.allData, { price: "0" });
      },
    });
    const { seen } = await look({ "/": "<p>a kite <b>12</b>" }, [shop, words, sink]);
    expect(told).toEqual([{ own: {}, all: { price: "12", count: 7 } }]);
    expect(seen).toEqual({ "/": { price: "12", count: 7 } });
  });

  test("filterUrl: the first that says something decides", async () => {
    const friend = definePlugin({ name: "friend", filterUrl: (url) => (url.pathname === "/a" ? "allow" : undefined) });
    const enemy = definePlugin({ name: "enemy", filterUrl: () => ({ skip: "no" }) });
    expect((await look({ "/": linksTo("/a", "/b") }, [friend, enemy])).paths).toEqual(["/robots.txt", "/", "/a"]);
  });

  test("priority: what it adds decides who goes first", async () => {
    const last = definePlugin({ name: "last", priority: (url) => (url.pathname === "/z" ? 5 : 0) });
    const all = { "/": linksTo("/a", "/b", "/c", "/z"), "/a": "a", "/b": "b", "/c": "c", "/z": "z" };
    expect((await look(all, [last])).paths[2]).toBe("/z");
    expect((await look(all, [])).paths[2]).toBe("/a");
  });

  test("beforeFetch: headers go to the origin they are for, and to no other", async () => {
    const token = definePlugin({
      name: "token",
      beforeFetch: ({ url }) => (url.host === "site.test" ? { headers: { Authorization: "Bearer 1" } } : undefined),
    });
    const pages = { "/": { status: 302, headers: { location: "https://other.test/" } }, "https://other.test/": "<p>other</p>" };
    const { site } = await look(pages, [token], { scope: "any" });
    expect(site.requests.map(({ url, headers }) => [url, headers.Authorization])).toEqual([
      ["https://site.test/robots.txt", undefined],
      ["https://site.test/", "Bearer 1"],
      ["https://other.test/robots.txt", undefined],
      ["https://other.test/", undefined],
    ]);
  });

  test("beforeFetch: what whoever crawls gave for an origin is stronger", async () => {
    const site = await serveSite({ "/": "<p>home</p>" }, { address: "127.0.35.14" });
    const wish = definePlugin({ name: "wish", beforeFetch: () => ({ headers: { Authorization: "Bearer 1", "X-Wish": "granted" } }) });
    await using run = createCrawler({ plugins: [wish], auth: ["me:secret"], rateLimit: "none" }).run(`${site.origin}/`);
    await run.result;
    expect(site.log.at(-1)?.headers).toMatchObject({ authorization: `Basic ${btoa("me:secret")}`, "x-wish": "granted" });
    await site.close();
  });

  test("beforeFetch: what is put off is asked for later, and others go first", async () => {
    const asked: string[] = [];
    const later = definePlugin({
      name: "later",
      beforeFetch: ({ url }) => {
        asked.push(url.pathname);
        return url.pathname === "/a" && asked.filter((path) => path === "/a").length === 1 ? { defer: "2m" } : undefined;
      },
    });
    const { site, result } = await look({ "/": linksTo("/a", "/b"), "/a": "a", "/b": "b" }, [later]);
    expect(site.requests.map(({ path, at }) => [path, at])).toEqual([
      ["/robots.txt", 0],
      ["/", 1000],
      ["/b", 2000],
      ["/a", 122_000],
    ]);
    expect(result.stopReason).toBe("finished");
  });

  test("beforeFetch: a run does not wait for what is put off too long, and can be taken up", async () => {
    const never = definePlugin({ name: "never", beforeFetch: ({ depth }) => (depth > 0 ? { defer: "1h" } : undefined) });
    const { result, paths } = await look({ "/": linksTo("/a"), "/a": "a" }, [never]);
    expect(result.stopReason).toBe("deferred");
    expect(paths).toEqual(["/robots.txt", "/"]);
  });

  test("afterFetch: sees every answer", async () => {
    const answers: string[] = [];
    const watch = definePlugin({
      name: "watch",
      afterFetch: ({ url, kind, status, bytes }) => answers.push(`${url.pathname} ${kind} ${status} ${bytes()?.length ?? "-"}`),
    });
    await look({ "/": linksTo("/a", "/gone", "/no"), "/a": "four", "/no": { status: 403 } }, [watch]);
    expect(answers.sort()).toEqual(["/ body 200 65", "/a body 200 4", "/gone gone 404 -", "/no refused 403 -"]);
  });

  test("extractLinks: links that only it can see are visited, relative ones too", async () => {
    const hidden = definePlugin({
      name: "hidden",
      extractLinks: ({ text }) => [...text.matchAll(/data-go="([^"]+)"/g)].map(([, link]) => link!),
    });
    const { paths, run } = await look({ "/": '<p data-go="/a" data-go2="">x</p><p data-go="b?x=1">y</p>', "/a": "a", "/b?x=1": "b" }, [
      hidden,
    ]);
    expect(paths.slice(2).sort()).toEqual(["/a", "/b?x=1"]);
    expect((await run.explain("https://site.test/a")).chain).toEqual(["https://site.test/", "https://site.test/a"]);
  });

  test("seeds: more places to begin, in scope as seeds are", async () => {
    const more = definePlugin({
      name: "more",
      async *seeds() {
        yield "https://site.test/hidden";
        yield "https://other.test/";
      },
    });
    const { seen } = await look(
      { "/": "home", "/hidden": "hidden", "https://other.test/": linksTo("/next"), "https://other.test/next": "n" },
      [more],
    );
    expect(Object.keys(seen).sort()).toEqual(["/", "/hidden", "https://other.test/", "https://other.test/next"]);
  });

  test("config: options of scope and run", async () => {
    const shallow = definePlugin({ name: "shallow", config: ({ maxDepth = 5 }) => ({ maxDepth: Number(maxDepth) - 4 }) });
    expect((await look({ "/": linksTo("/a"), "/a": linksTo("/b"), "/b": "b" }, [shallow])).paths).toEqual(["/robots.txt", "/", "/a"]);
  });

  test("setup, pages, changes and the end, in this order", async () => {
    using folder = tempFolder();
    const told: string[] = [];
    const watch = definePlugin({
      name: "watch",
      setup: ({ seeds, signal }) => told.push(`setup ${seeds} ${signal.aborted}`),
      onPage: ({ url, change }) => told.push(`page ${new URL(url).pathname} ${change}`),
      onChange: ({ url, change }) => told.push(`change ${new URL(url).pathname} ${change}`),
      onRunEnd: ({ stopReason }) => told.push(`end ${stopReason}`),
      teardown: () => told.push("teardown"),
    });
    const pages: Record<string, FakePage> = { "/": linksTo("/a"), "/a": "a" };
    const site = fakeSite(pages);
    const crawler = createCrawler({ plugins: [watch], db: folder.file("a.db"), ...site.options });
    for (let round = 0; round < 2; round++) {
      await using run = crawler.run(site.url);
      await run.result;
      delete pages["/a"];
    }
    expect(told).toEqual([
      ...["setup https://site.test/ false", "page / new", "change / new", "page /a new", "change /a new", "end finished", "teardown"],
      ...["setup https://site.test/ false", "page / same", "change /a gone", "end finished", "teardown"],
    ]);
  });

  test("pre goes before the others and post after them, and what is falsy is passed over", async () => {
    const order: string[] = [];
    const named = (name: string, enforce?: "pre" | "post") => definePlugin({ name, enforce, filterUrl: () => void order.push(name) });
    await look({ "/": linksTo("/a"), "/a": "a" }, [named("late", "post"), false, named("one"), null, named("early", "pre"), named("two")]);
    expect(order).toEqual(["early", "one", "two", "late"]);
  });
});

describe("data", () => {
  const minutes = definePlugin({
    name: "minutes",
    data: z.object({ meetingDate: z.string().optional() }),
    onHtml: {
      "time[datetime]": (el, page) => {
        page.data.meetingDate ??= el.attr("datetime");
      },
    },
  });
  const headings = definePlugin({
    name: "headings",
    data: z.object({ headings: z.array(z.string()).default([]) }),
    onHtml: {
      "h1, h2": (el, page) => {
        page.data.headings = [...(page.data.headings ?? []), el.text()];
      },
    },
  });

  test("of several plugins comes together, typed, from pages in any letters", async () => {
    const latin = { body: Buffer.from("<h2>Schl\xfcssel</h2>", "latin1"), headers: { "content-type": "text/html; charset=iso-8859-1" } };
    const site = fakeSite({ "/": `<h1>Minutes</h1><time datetime="2026-05-04">May</time>${linksTo("/a")}`, "/a": latin });
    const dates: (string | undefined)[] = [];
    const heard: string[] = [];
    for await (const page of createCrawler({ plugins: [minutes, headings], ...site.options }).run(site.url)) {
      dates.push(page.data.meetingDate);
      heard.push(...page.data.headings);
    }
    expect(dates).toEqual(["2026-05-04", undefined]);
    expect(heard).toEqual(["Minutes", "Schlüssel"]);
  });

  test("elements know their name, text, HTML, attributes and what is inside", async () => {
    const told: unknown[] = [];
    const table = definePlugin({
      name: "table",
      onHtml: {
        "tr:nth-child(2)": (el) =>
          told.push(
            el.name,
            el.find("td").map((cell) => cell.text()),
            el.html(),
            el.attr("ID"),
            el.attr("constructor"),
          ),
      },
    });
    await look({ "/": "<table><tr><td>no</tr><tr id=x><td>a &amp; b<td>c</tr></table>" }, [table]);
    expect(told).toEqual(["tr", ["a & b", "c"], "<td>a &amp; b</td><td>c</td>", "x", undefined]);
  });

  test.each([
    ["deep", `${"<b>".repeat(100_000)}<i>end</i>`],
    ["wide", "<b>x</b>".repeat(100_000)],
    ["both", `<p>${"<b><i>".repeat(400)}`.repeat(200)],
  ])("a page that is too much for a tree is seen to its twenty thousandth element: %s", async (_, page) => {
    let elements = 0;
    const count = definePlugin({
      name: "count",
      onHtml: {
        "*": (el) => {
          elements += 1;
          if (elements === 1) el.text();
        },
        "b:nth-child(2)": () => undefined,
      },
    });
    const { result } = await look({ "/": page }, [count]);
    expect(elements).toBe(20_000);
    expect(result.plugins.count).toEqual({ errors: 0, lastError: undefined });
  });

  test("of a page that did not change is gathered from the stored copy", async () => {
    using folder = tempFolder();
    const site = fakeSite({ "/": { body: '<time datetime="2026-05-04">', headers: { etag: '"1"' } } });
    const crawler = createCrawler({ plugins: [minutes], db: folder.file("a.db"), ...site.options });
    for (const fromCache of [false, true]) {
      await using run = crawler.run(site.url);
      for await (const page of run) expect(page).toMatchObject({ fromCache, data: { meetingDate: "2026-05-04" } });
    }
    expect(site.requests.map(({ status }) => status)).toEqual([404, 200, 304]);
  });

  test("that does not fit its schema is left out and counted", async () => {
    const wrong = definePlugin({
      name: "wrong",
      data: z.object({ count: z.number().default(0) }),
      onPage: (page) => {
        page.data.count = "many" as unknown as number;
      },
    });
    const { seen, result } = await look({ "/": "home" }, [wrong, headings]);
    expect(seen).toEqual({ "/": { count: 0, headings: [] } });
    expect(result.plugins.wrong).toMatchObject({ errors: 1, lastError: expect.stringMatching(/^data: count: /) });
  });

  test("that was not found is no mistake, and is not promised by its type", async () => {
    const needed = definePlugin({ name: "needed", data: z.object({ date: z.string(), count: z.number().default(1) }) });
    const { seen, result } = await look({ "/": "home" }, [needed]);
    expect(seen).toEqual({ "/": {} });
    expect(result.plugins.needed).toEqual({ errors: 0, lastError: undefined });
  });

  test("has the types of its schemas", () => {
    const one = definePlugin({ name: "one", data: z.object({ date: z.string().optional(), count: z.number().default(0) }) });
    const needed = definePlugin({ name: "needed", data: z.object({ title: z.string() }) });
    const bare = definePlugin({ name: "bare", onPage: ({ url }) => url });
    const whole = createCrawler({ plugins: [one, bare, needed, false] });
    const perhaps = createCrawler({ plugins: [process.argv.length > 99 && one] });
    type DataIn<C> = C extends { run(...args: never[]): AsyncIterable<{ data: infer Data }> } ? Data : never;
    expectTypeOf<DataIn<typeof whole>["date"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<DataIn<typeof whole>["count"]>().toEqualTypeOf<number>();
    expectTypeOf<DataIn<typeof whole>["title"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<DataIn<typeof whole>>().not.toHaveProperty("other");
    expectTypeOf<DataIn<typeof perhaps>["count"]>().toEqualTypeOf<number | undefined>();
    const run = crawl("https://a.test/");
    run.on("host.slowed", (event) => expectTypeOf(event.cause).toBeString());
    // @ts-expect-error: there is no such event
    run.on("host.quick", () => undefined);
    // @ts-expect-error: nor such data
    run.on("page.fetched", ({ page }) => page.data.nothing);
  });

  test("without a schema is kept as it is", async () => {
    const site = fakeSite({ "/": "<h1>Hello</h1>" });
    const heading = definePlugin({
      name: "heading",
      onHtml: {
        h1: (element, page) => {
          page.data.heading = element.text();
        },
      },
    });
    await using run = crawl(site.url, { plugins: [heading], ...site.options });
    const found: unknown[] = [];
    for await (const page of run) found.push(page.data);
    expect(found).toEqual([{ heading: "Hello" }]);
  });

  test("travels with events too", async () => {
    const site = fakeSite({ "/": "<h1>Hello</h1>" });
    await using run = crawl(site.url, { plugins: [headings], ...site.options });
    let heard: readonly string[] = [];
    run.on("page.fetched", ({ page }) => {
      heard = page.data.headings;
    });
    await run.result;
    expect(heard).toEqual(["Hello"]);
  });
});

describe("a plugin that makes mistakes", () => {
  const broken = () => {
    throw new Error("boom");
  };
  const pages = { "/": `<p>${linksTo("/a")}</p>`, "/a": "<p>a</p>" };
  const mistakes: [string, Omit<Parameters<typeof definePlugin>[0], "name">, string][] = [
    ["setup", { setup: broken }, "setup: boom"],
    ["teardown", { teardown: broken }, "teardown: boom"],
    ["seeds", { seeds: broken }, "seeds: boom"],
    ["seeds that are none", { seeds: () => ["ftp://a.test/"] }, "seeds: ftp://a.test/ is not a URL that can be crawled"],
    ["normalizeUrl", { normalizeUrl: broken }, "normalizeUrl: boom"],
    ["normalizeUrl to nowhere", { normalizeUrl: () => "javascript:1" }, "normalizeUrl: javascript:1 is not a URL that can be crawled"],
    ["filterUrl", { filterUrl: broken }, "filterUrl: boom"],
    ...[false, null, 7, "no", {}, { skip: 7 }, Symbol("no")].map((verdict): (typeof mistakes)[number] => [
      `filterUrl: ${inspect(verdict)}`,
      { filterUrl: () => verdict as never },
      `filterUrl: ${inspect(verdict)} is neither "allow" nor { skip: "why" }`,
    ]),
    ["priority", { priority: () => Number.NaN }, "priority: NaN is not a number to add"],
    ["a priority without a number", { priority: () => Symbol("high") as never }, "priority: Symbol(high) is not a number to add"],
    ["beforeFetch", { beforeFetch: broken }, "beforeFetch: boom"],
    [
      "a header that is ours",
      { beforeFetch: () => ({ headers: { Host: "b.test" } }) },
      "beforeFetch: the header Host is not for a plugin to set",
    ],
    [
      "a header of two lines",
      { beforeFetch: () => ({ headers: { X: "a\r\nb: c" } }) },
      "beforeFetch: the value of X does not fit a header line",
    ],
    ["a pause that is none", { beforeFetch: () => ({ defer: "soon" }) }, 'beforeFetch: defer: "soon" is not a duration such as 30s or 10m'],
    ["afterFetch", { afterFetch: broken }, "afterFetch: boom"],
    ["extractLinks", { extractLinks: broken }, "extractLinks: boom"],
    ["scoreLinks: nothing", { scoreLinks: () => [null as never] }, "scoreLinks: null is no link of https://site.test/"],
    [
      "scoreLinks: no number",
      { scoreLinks: ([link]) => (link ? [{ url: link.url, keyword: "a", match: Symbol("much") as never }] : []) },
      "scoreLinks: a Symbol(much) is no keyword with a match of 0 to 1",
    ],
    ["onHtml", { onHtml: { p: broken } }, "onHtml p: boom"],
    ["onPage", { onPage: broken }, "onPage: boom"],
    ["onChange", { onChange: broken }, "onChange: boom"],
    ...[null, undefined, 7].map((data): (typeof mistakes)[number] => [
      `onPage: data is ${data}`,
      { data: z.object({}), onPage: (page) => Object.assign(page, { data }) },
      "data: ",
    ]),
    ["onChange: data is deleted", { data: z.object({}), onChange: (page) => Reflect.deleteProperty(page, "data") }, "data: "],
    ["onRunEnd", { onRunEnd: broken }, "onRunEnd: boom"],
  ];

  test.each(["p[", "", "p:nothing-of-that-name"])("a selector that is none ends the run before it begins: %j", async (selector) => {
    const site = fakeSite({ "/": "<p>x" });
    const run = crawl(site.url, { plugins: [definePlugin({ name: "broken", onHtml: { [selector]: () => undefined } })], ...site.options });
    await expect(run.result).rejects.toThrow(`plugin broken: onHtml ${JSON.stringify(selector)} is not a CSS selector`);
    expect(site.requests).toEqual([]);
  });

  test.each(mistakes)("is named and counted, and the run goes on: %s", async (_, hooks, lastError) => {
    const { result, paths } = await look(pages, [definePlugin({ name: "broken", ...hooks })]);
    expect(result).toMatchObject({ stopReason: "finished", stats: { pages: 2 } });
    expect(paths).toEqual(["/robots.txt", "/", "/a"]);
    expect(result.plugins.broken).toEqual({ errors: expect.any(Number), lastError: expect.stringContaining(lastError) });
  });

  test.each(mistakes)("ends a strict run with its name: %s", async (_, hooks, lastError) => {
    await expect(look(pages, [definePlugin({ name: "broken", ...hooks })], { strict: true })).rejects.toThrow(
      `plugin broken: ${lastError}`,
    );
  });

  test.each<[string, readonly unknown[], string]>([
    ["two of one name", [definePlugin({ name: "a" }), definePlugin({ name: "a" })], "two plugins are called a"],
    ["a name that no ledger could show", [definePlugin({ name: "a b" })], "a plugin cannot be called a b"],
    ["one that is not made by definePlugin", [{ name: "a" }], "was not made by definePlugin()"],
  ])("is refused before anything happens: %s", (_, plugins, message) => {
    expect(() => createCrawler({ plugins: plugins as Plugin[] })).toThrow(message);
  });
});

describe("no hook passes the gate", () => {
  const CANARY = "127.0.35.66";

  /** What each tries: the private address, what robots.txt forbids, and more than the pace allows. */
  const tries = (canary: string, secret: string): Plugin[] => [
    definePlugin({ name: "setup", setup: ({ seeds }) => (seeds as string[]).push(canary, secret) }),
    definePlugin({ name: "seeds", seeds: () => [canary, secret] }),
    definePlugin({
      name: "normalizeUrl",
      normalizeUrl: (url) => (url.pathname === "/a" ? canary : url.pathname === "/b" ? secret : undefined),
    }),
    definePlugin({ name: "filterUrl", filterUrl: () => "allow" }),
    definePlugin({ name: "priority", priority: () => 1e9 }),
    definePlugin({
      name: "beforeFetch",
      beforeFetch: (request) => {
        request.url.href = canary;
        return { headers: { "X-Forwarded-Host": CANARY } };
      },
    }),
    definePlugin({
      name: "afterFetch",
      afterFetch: (response) => Object.assign(response, { kind: "moved", status: 302, location: canary }) && response.url.host,
    }),
    definePlugin({ name: "extractLinks", extractLinks: () => [canary, secret, `${secret}?again`] }),
    definePlugin({ name: "onHtml", onHtml: { a: (_, page) => Object.assign(page, { url: canary, depth: 0 }) } }),
    definePlugin({ name: "onPage", onPage: (page) => Object.assign(page, { url: canary, depth: 0 }) }),
    definePlugin({ name: "onChange", onChange: (page) => Object.assign(page, { url: secret }) }),
  ];
  const names = tries("http://a.test/", "http://b.test/").map(({ name }) => name);

  test.each(names)("%s: no private address, and nothing that robots.txt forbids", async (name) => {
    const canary = await serveSite({ "/": "sings" }, { address: CANARY });
    const pages: Record<string, PageSpec> = {
      "/robots.txt": { body: "User-agent: *\nDisallow: /secret", headers: { "content-type": "text/plain" } },
      "/": linksTo("/a", "/b", "/c", "/secret/linked", `${canary.origin}/linked`),
      "/a": "<p>a</p>",
      "/b": "<p>b</p>",
      "/c": "<p>c</p>",
    };
    const site = await serveSite(pages, { address: "127.0.35.10" });
    const plugin = tries(`${canary.origin}/`, `${site.origin}/secret`).find((each) => each.name === name)!;
    await using run = createCrawler({ plugins: [plugin], rateLimit: "none", scope: "any", retries: 0 }).run(`${site.origin}/`);
    await run.result;
    expect(canary.log).toEqual([]);
    expect(site.log.filter(({ path }) => path.startsWith("/secret"))).toEqual([]);
    expect(site.log.map(({ path }) => path)).toContain("/c");
    await Promise.all([site.close(), canary.close()]);
  });

  test.each(names)("%s: the pace is kept", async (name) => {
    const pages = { "/robots.txt": "User-agent: *\nCrawl-delay: 3", "/": linksTo("/a", "/b", "/c"), "/a": "a", "/b": "b", "/c": "c" };
    const plugin = tries("https://site.test/c", "https://site.test/d").find((each) => each.name === name)!;
    const { site } = await look(pages, [plugin], { perHost: 4, maxConcurrent: 8 });
    const times = site.requests.map(({ at }) => at);
    expect(Math.min(...times.slice(1).map((at, index) => at - times[index]!))).toBeGreaterThanOrEqual(3000);
    expect(new Set(site.requests.map(({ path }) => path)).size).toBe(site.requests.length);
  });

  test.each([
    ["longer than the pause", 700, 230],
    ["a little", 60, 0],
  ])("beforeFetch: one that takes its time does not let requests bunch up behind it: %s", async (_, first, others) => {
    const paths = Array.from({ length: 8 }, (_, index) => `/${index}`);
    const site = await serveSite(
      { "/": linksTo(...paths), ...Object.fromEntries(paths.map((path) => [path, `<p>${path}</p>`])) },
      { address: "127.0.35.11" },
    );
    const slow = definePlugin({
      name: "slow",
      beforeFetch: async ({ url }) => void (await sleep(Number(url.pathname.slice(1)) % 3 === 0 ? first : others)),
    });
    await using run = createCrawler({ plugins: [slow], rateLimit: "5/s", perHost: 4, maxConcurrent: 4 }).run(`${site.origin}/`);
    expect((await run.result).stats.pages).toBe(9);
    // Four connections side by side: how long each takes to be made is in what the server sees.
    expect(Math.min(...gaps(site.log))).toBeGreaterThanOrEqual(150);
    await site.close();
  });

  test.each<[string, object]>([
    ["respectRobots", { respectRobots: false }],
    ["robotsUnreachable", { robotsUnreachable: "allow" }],
    ["maxCrawlDelay", { maxCrawlDelay: "1s" }],
    ["rateLimit", { rateLimit: "none" }],
    ["perHost", { perHost: 100 }],
    ["maxConcurrent", { maxConcurrent: 100 }],
    ["allowPrivate", { allowPrivate: ["127.0.0.0/8"] }],
    ["userAgent", { userAgent: "somebody else" }],
    ["resolver", { resolver: "127.0.0.1:53" }],
    ["sitemap", { sitemap: "http://127.0.35.66/" }],
  ])("config: %s is not a plugin's to set", (key, values) => {
    const crawler = createCrawler({ plugins: [definePlugin({ name: "pushy", config: () => values })] });
    expect(() => crawler.run("https://a.test/")).toThrow(`plugin pushy may not set ${key}`);
  });

  test("config: what the caller wrote is not a plugin's to change", async () => {
    const canary = await serveSite({ "/": "sings" }, { address: CANARY });
    const site = await serveSite({ "/": linksTo(`${canary.origin}/`) }, { address: "127.0.35.12" });
    const sly = definePlugin({
      name: "sly",
      config: (options) => {
        (options.allowPrivate as string[]).push(CANARY);
        return undefined;
      },
    });
    await using run = createCrawler({ plugins: [sly], allowPrivate: [], rateLimit: "none", scope: "any" }).run(`${site.origin}/`);
    await run.result;
    expect(canary.log).toEqual([]);
    await Promise.all([site.close(), canary.close()]);
  });

  test("a run with seeds of a plugin, taken up from the command line, opens no private address either", async () => {
    using folder = tempFolder();
    const canary = await serveSite({ "/": "sings" }, { address: CANARY });
    const site = await serveSite({ "/": linksTo("/a"), "/a": "<p>a</p>" }, { address: "127.0.35.13" });
    const more = definePlugin({ name: "more", seeds: () => [`${canary.origin}/`] });
    {
      await using run = createCrawler({ plugins: [more], db: folder.file("a.db"), rateLimit: "none", maxPages: 1 }).run(`${site.origin}/`);
      expect((await run.result).stopReason).toBe("limit.pages");
    }
    await nuthatch(["resume", "1", "--db", folder.file("a.db"), "--max-pages", "10", "-q"]);
    expect(site.log.map(({ path }) => path)).toContain("/a");
    expect(canary.log).toEqual([]);
    await Promise.all([site.close(), canary.close()]);
  });
});
