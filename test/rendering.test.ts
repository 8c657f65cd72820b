/** What a crawl does with browsers. Real ones are started at the end, and in `npm run test:render`. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemClock } from "../dist/src/core/clock.js";
import { openApp } from "../dist/src/engine/app.js";
import { openReader, type ReadSetup } from "../dist/src/engine/crawl/index.js";
import { openFetcherFor } from "../dist/src/engine/network-access.js";
import { type ConfigInput, crawl, fetchPage, type Page } from "../dist/src/index.js";
import { type FakePage, fakeSite } from "../dist/src/interfaces/testing/index.js";
import { tempFolder } from "./cli.ts";
import { type FakeBrowsers, fakeBrowsers } from "./fake-browsers.ts";
import { nuthatchHere } from "./in-process.ts";
import { serveSite } from "./site/index.ts";

const words = "What is written here is as good as any other text, and long enough for a page. ".repeat(6);
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">to ${path}</a> `).join("");
const plain = (name: string, more = "") =>
  `<!doctype html><title>${name}</title><main><h1>${name}</h1><p>${name} ${words}</p>${more}</main>`;
const SCRIPT = "<script>go()</script>";
const SHELL = '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>';
const WALL = { status: 403, body: "<title>Access Denied</title>" } as const;

type Options = ConfigInput & { readonly db?: string };

function worldOf(pages: Record<string, FakePage>, shown: FakeBrowsers) {
  const site = fakeSite(pages);
  shown.clock = site.clock;
  return { site, world: { ...site.options.world, openBrowsers: async () => shown.browsers } };
}

async function look(pages: Record<string, FakePage>, shown: FakeBrowsers, options: Options) {
  const { site, world } = worldOf(pages, shown);
  const seen = new Map<string, Page>();
  await using run = crawl(site.url, { render: "auto", maxConcurrent: 1, ...options, world });
  for await (const page of run) seen.set(new URL(page.url).pathname, page);
  const { stats } = await run.result;
  const asked = site.requests.map(({ path }) => path).filter((path) => path !== "/robots.txt");
  const rendered = [...seen].flatMap(([path, page]) => (page.rendered ? [path] : []));
  return { seen, paths: [...seen.keys()].sort(), asked, rendered, stats, gaps: site.requests };
}

describe("auto", () => {
  test("a shell is shown as it came, without a second request, and its links are followed", async () => {
    const shown = fakeBrowsers(() => plain("Drawn", links("/more")));
    const { paths, asked, rendered, stats } = await look({ "/": SHELL, "/more": plain("More") }, shown, {});
    expect({ paths, asked, rendered }).toEqual({ paths: ["/", "/more"], asked: ["/", "/more"], rendered: ["/"] });
    expect(shown.log).toMatchObject([{ engine: "chromium", path: "/", how: "given" }]);
    expect(stats.rendering).toEqual({ shown: 1, pages: { chromium: 1 }, failed: {} });
  });

  test("pages without scripts are shown to nobody; one that says no more in a browser is kept as it came", async () => {
    const shown = fakeBrowsers((_, path) => plain(path, SCRIPT));
    const { rendered, stats } = await look({ "/": plain("/", links("/a", "/b")), "/a": plain("/a"), "/b": plain("/b", SCRIPT) }, shown, {});
    expect([rendered, shown.log.map(({ path }) => path), stats.rendering]).toEqual([[], ["/b"], { shown: 1, pages: {}, failed: {} }]);
  });

  test("a template that gains is shown from then on, in later runs at once", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const numbers = Array.from({ length: 6 }, (_, number) => `/list/${number}`);
    const pages = { "/": plain("/", links(...numbers)), ...Object.fromEntries(numbers.map((path) => [path, plain(path, SCRIPT)])) };
    const shown = fakeBrowsers((_, path) => plain(path, links(`/item${path}`)));
    const first = await look(pages, shown, { db });
    expect([first.rendered, first.paths.length]).toEqual([numbers, 7]);
    const second = await look(pages, shown, { db });
    expect([second.rendered, second.stats.changes]).toEqual([numbers, { new: 0, changed: 0, same: 7, gone: 0, unlinked: 0, unknown: 0 }]);
  });

  test("what a browser could not show is kept as it came, and the trouble is told", async () => {
    const shown = fakeBrowsers(() => ({ reason: "render.crash" }));
    const { paths, rendered, stats } = await look({ "/": SHELL }, shown, {});
    expect([paths, rendered, stats.rendering]).toEqual([["/"], [], { shown: 1, pages: {}, failed: { "render.crash": 1 } }]);
  });

  test("who is turned away asks with a browser in the next turn, and at once when that was twice so", async () => {
    const shown = fakeBrowsers((_, path) => plain(path, path === "/" ? links("/1", "/2", "/3") : ""));
    const { asked, paths, rendered } = await look({ "/": WALL, "/1": WALL, "/2": WALL, "/3": WALL }, shown, {});
    expect([paths, rendered.length, asked]).toEqual([["/", "/1", "/2", "/3"], 4, ["/", "/1", "/2"]]);
    expect(shown.log.map(({ how }) => how)).toEqual(["asked", "asked", "asked", "asked"]);
  });

  test("a host that nobody is let in to is left as it is, and the refusal stands", async () => {
    const shown = fakeBrowsers(() => ({ status: 403 }), ["chromium", "firefox"]);
    const pages = Object.fromEntries(["/a", "/b", "/c", "/d", "/e"].map((path) => [path, WALL]));
    const { stats } = await look({ "/": plain("/", links(...Object.keys(pages))), ...pages }, shown, {});
    expect([stats.pages, stats.refused, shown.log.length]).toEqual([1, 5, 8]);
  });
});

describe("always", () => {
  test("every page is asked for by the engine that brings real content, which is kept", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const pages = { "/": plain("/") };
    const show = (engine: string, path: string) =>
      engine === "firefox" ? plain(path, path === "/" ? links("/a") : "") : engine === "chromium" ? SHELL : { status: 403 as const };
    const first = fakeBrowsers(show, ["chromium", "webkit", "firefox"]);
    const { paths, rendered, asked, gaps } = await look(pages, first, { db, render: "always", rateLimit: "1/s" });
    expect({ paths, rendered, asked }).toEqual({ paths: ["/", "/a"], rendered: ["/", "/a"], asked: [] });
    expect(first.log.map(({ engine, path }) => `${engine} ${path}`)).toEqual(["chromium /", "webkit /", "firefox /", "firefox /a"]);
    expect(gaps.length, "robots.txt is asked for plainly").toBe(1);
    const times = [gaps[0]!.at, ...first.log.map(({ at }) => at)];
    expect(
      times.slice(1).map((at, index) => at - times[index]! >= 1000),
      "each in a turn of its own",
    ).toEqual(Array(4).fill(true));
    const second = fakeBrowsers(show, ["chromium", "webkit", "firefox"]);
    await look(pages, second, { db, render: "always" });
    expect(second.log.map(({ engine }) => engine)).toEqual(["firefox", "firefox"]);
  });

  test("one that does not start leaves the work to the others", async () => {
    const start = (engine: string, path: string) => {
      if (engine === "chromium") throw Object.assign(new Error("it does not start"), { hint: "install it" });
      return plain(path, path === "/" ? links("/a") : "");
    };
    const shown = fakeBrowsers(start, ["chromium", "firefox"]);
    await look({}, shown, { render: "always" });
    expect(shown.log.map(({ engine, path }) => `${engine} ${path}`)).toEqual(["chromium /", "firefox /", "firefox /a"]);
    await expect(look({}, fakeBrowsers(start), { render: "always" })).rejects.toThrow("it does not start");
  });

  test("if none brings any, the best there was is settled with its verdict", async () => {
    const shown = fakeBrowsers(
      (engine) =>
        engine === "firefox" ? '<title>App</title><div id="root">Loading</div><script src="/app.js"></script>' : { status: 403 },
      ["chromium", "firefox", "webkit"],
    );
    const { seen, stats } = await look({ "/": SHELL }, shown, { render: "always" });
    expect([seen.get("/")?.verdict, stats.rendering]).toEqual(["script-shell", { shown: 3, pages: { firefox: 1 }, failed: {} }]);
  });

  test("a page that crashes its browser is asked for once more, and then named", async () => {
    const shown = fakeBrowsers(() => ({ reason: "render.crash" }));
    const { stats } = await look({ "/": SHELL }, shown, { render: "always" });
    expect([stats.failed, shown.log.length]).toEqual([1, 2]);
  });

  test("with an archive, what went over the wire is fetched plainly, and shown", async () => {
    const shown = fakeBrowsers((_, path) => plain(path));
    const { rendered, asked } = await look({ "/": plain("/") }, shown, { render: "always", save: ["warc"] });
    expect([rendered, asked, shown.log.map(({ how }) => how)]).toEqual([["/"], ["/"], ["given"]]);
  });
});

describe("a page that is known the other way", () => {
  const pages = { "/": plain("Home", links("/app")), "/app": SHELL };
  const shown = () => fakeBrowsers((_, path) => plain(path, links("/app")));

  test.each<[string, Options, Options, object]>([
    ["without a browser, and its document is the same", { render: "never" }, { render: "auto" }, { same: 2, changed: 0, unknown: 0 }],
    ["without, and a browser asks for it now", { render: "never" }, { render: "always" }, { same: 0, changed: 0, unknown: 2 }],
    ["with one, and none is asked now", { render: "auto" }, { render: "never" }, { same: 1, changed: 0, unknown: 1 }],
    ["with one, as now", { render: "auto" }, { render: "auto" }, { same: 2, changed: 0, unknown: 0 }],
  ])("%s: never changed for that alone", async (_, before, now, changes) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    await look(pages, shown(), { db, ...before });
    expect((await look(pages, shown(), { db, ...now })).stats.changes).toMatchObject(changes);
    expect((await look(pages, shown(), { db, ...now })).stats.changes, "and the third time it is the same").toMatchObject({
      same: 2,
      unknown: 0,
    });
  });

  test("what it says has changed is news, whichever way", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    await look(pages, shown(), { db });
    const other = fakeBrowsers((_, path) => plain(`${path} anew`, links("/fresh")));
    expect((await look(pages, other, { db })).stats.changes).toMatchObject({ same: 1, changed: 1 });
  });
});

test("what a page asks for keeps to robots.txt where it is known; documents go nowhere else", async () => {
  const said: (string | undefined)[] = [];
  const shown = fakeBrowsers((_, path, { refusal }) => {
    for (const [url, kind] of [
      ["https://site.test/data.json", "data"],
      ["https://site.test/private/x.js", "script"],
      ["https://cdn.test/lib.js", "script"],
      ["https://site.test/frame", "document"],
      ["https://cdn.test/frame", "document"],
    ] as const)
      said.push(refusal({ url, kind }));
    return plain(path);
  });
  await look({ "/": SHELL, "/robots.txt": "User-agent: *\nDisallow: /private" }, shown, {});
  expect(said).toEqual([undefined, "Disallow: /private (line 2)", undefined, undefined, "its robots.txt is not known"]);
});

test("a single page can be had as a browser shows it", async () => {
  const shown = fakeBrowsers(() => plain("Drawn"));
  const { url, world } = { url: "https://site.test/", ...worldOf({ "/": SHELL }, shown) };
  expect(await fetchPage(url, { render: "auto", world })).toMatchObject({
    ok: true,
    status: 200,
    markdown: expect.stringContaining("# Drawn"),
  });
  expect((await fetchPage(url, { world })).markdown).not.toContain("Drawn");
});

test("a picture is kept with its page, and written to a file that is not there yet", async () => {
  using folder = tempFolder();
  const shown = fakeBrowsers((_, path) => plain(path));
  await look({ "/": SHELL }, shown, { db: folder.file("site.db"), save: ["raw", "screenshot"] });
  const save = () => nuthatchHere(["show", "1", "--screenshot", "page.jpg", "--db", "site.db"], { cwd: folder.path });
  expect(await save()).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(folder.file("page.jpg"), "utf8")).toBe(`picture of ${plain("/")}`);
  expect(await save()).toMatchObject({ code: 2, stderr: expect.stringContaining("choose another name") });
  const { stdout } = await nuthatchHere(["show", "1", "--db", "site.db"], { cwd: folder.path });
  expect(stdout).toContain("as chromium shows it, with a screenshot");
});

test.each([
  ["pictures without a browser", ["--save", "screenshot"], "--render always, or --render auto"],
  ["an engine that is not there", ["--render", "always", "--engines", "chromium", "--browser", "chromium=/nowhere"], "--browser chromium="],
])("%s are a mistake that changes nothing", async (_, flags, hint) => {
  using folder = tempFolder();
  const { code, stderr } = await nuthatchHere(["crawl", "http://127.0.68.9:9/", ...flags], { cwd: folder.path });
  expect([code, readdirSync(folder.path)]).toEqual([2, []]);
  expect(stderr).toContain(hint);
});

test("an archive keeps what went over the wire, and the page what a browser made of it", async () => {
  using folder = tempFolder();
  const db = folder.file("site.db");
  const site = await serveSite({ "/": SHELL }, { address: "127.0.68.3" });
  const { browsers } = fakeBrowsers(() => plain("Drawn"));
  const world = {
    clock: systemClock,
    openFetcher: openFetcherFor,
    openReader: (setup: ReadSetup) => openReader(setup, { threads: 1 }),
    openBrowsers: async () => browsers,
  };
  await using run = crawl(`${site.origin}/`, {
    render: "auto",
    save: ["warc"],
    rateLimit: "none",
    allowPrivate: ["127.0.68.3"],
    db,
    world,
  });
  await run.result;
  await site.close();
  const { store, close } = await openApp({ db, isReadOnly: true });
  const textOf = async (hash: string | null | undefined) => Buffer.from((await store.body(hash ?? "")) ?? "").toString();
  const kept: string[] = [];
  for await (const { url, bodyHash } of store.exchanges.all({})) if (!url.endsWith("/robots.txt")) kept.push(await textOf(bodyHash));
  expect([kept, await textOf((await store.versions(1))[0]?.bodyHash)]).toEqual([[SHELL], plain("Drawn")]);
  const answers: string[] = [];
  for await (const { url } of store.exchanges.pageResponses({})) answers.push(url);
  expect(answers, "what a browser made is no answer").toEqual([]);
  await close();
});
