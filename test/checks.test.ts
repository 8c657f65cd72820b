/** What a stranger can check in ten minutes, on the command line: PRODUCT's list, as far as it is built. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { crawlerBin, nuthatch, start, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { gaps, generatedSite, mostAtOnce, type PageSpec, serveSite } from "./site/index.ts";

const fast = { NUTHATCH_RATE_LIMIT: "100/s" };
const records = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const page = (title: string, ...links: string[]): PageSpec => ({
  etag: true,
  body: `<!doctype html><title>${title}</title><h1>${title}</h1><p>All there is to say about ${title}.</p>${links.map((to) => `<a href="${to}">${to}</a>`).join(" ")}`,
});

describe("a stranger's first ten minutes", () => {
  test("1 to 3: a crawl without a question or a key; again, and nothing changed; then exactly what was changed, removed and unlinked", async () => {
    using folder = tempFolder();
    const how = { cwd: folder.path, env: fast };
    const names = Array.from({ length: 40 }, (_, number) => `/page-${number}`);
    const pages: Record<string, PageSpec> = Object.fromEntries(names.map((name) => [name, page(`Page ${name.slice(6)}`, "/")]));
    pages["/"] = page("Home", ...names);
    await using site = await serving(({ path }) => pages[path], "127.0.38.1");

    const first = await nuthatch(["crawl", site.origin, "-v"], how);
    expect([first.code, first.stdout]).toEqual([0, ""]);
    expect(first.stderr).toMatch(/pages +41 +new 41/);

    const second = await nuthatchHere(["crawl", site.origin], how);
    expect(second.stderr).toMatch(/pages +41 +same 41/);
    expect(second.stderr).toContain("nothing changed");
    expect(site.log.slice(-42).filter(({ status }) => status === 304).length).toBeGreaterThanOrEqual(41);

    pages["/page-7"] = page("Page 7, rewritten", "/");
    delete pages["/page-8"];
    pages["/"] = page("Home", ...names.filter((name) => name !== "/page-9"));
    await nuthatchHere(["crawl", site.origin], how);
    const { stdout } = await nuthatch(["export", "jsonl", "--what", "changes"], how);
    const changes = records(stdout).map(({ url, change }) => `${change} ${String(url).slice(site.origin.length)}`);
    expect(changes.sort()).toEqual(["changed /", "changed /page-7", "gone /page-8", "unlinked /page-9"]);
  });

  test("4: kill -9 in the middle, resume: no page twice but those in flight, and as many as without the kill", async () => {
    using folder = tempFolder();
    const site = generatedSite({ pages: 300, links: 10, seed: 5 });
    await using running = await serving(site.pages, "127.0.38.2");
    const how = { cwd: folder.path, env: fast };
    const crawl = start(["crawl", `${running.origin}/`], how);
    while (running.log.length < 100) await new Promise((resolve) => setTimeout(resolve, 10));
    crawl.kill("SIGKILL");
    await crawl.ended;
    const { code } = await nuthatch(["resume"], how);
    expect(code).toBe(0);
    const asked = running.log.filter(({ path }) => path !== "/robots.txt").map(({ path }) => path);
    expect(new Set(asked).size).toBe(300);
    expect(asked.length - 300).toBeLessThanOrEqual(3);
  });

  test("5: six URLs that were not crawled are explained by six different, true sentences", async () => {
    using folder = tempFolder();
    const deep = Array.from({ length: 10 }, (_, level) => [`/deep/${level}`, page(`Level ${level}`, `/deep/${level + 1}`)] as const);
    const pages: Record<string, PageSpec> = {
      "/robots.txt": { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /private/" },
      "/": page("Home", "/private/list", "http://elsewhere.example/", "/deep/0", "/cut?a=1&b=2", "/calendar?day=2026-05-04"),
      "/cut?a=1": page("Cut"),
      ...Object.fromEntries(deep),
    };
    // A calendar without an end: every day links to the next twelve, and nothing happens on any of them.
    const calendar = (path: string) => {
      const day = Date.parse(/^\/calendar\?day=(.+)/.exec(path)?.[1] ?? "");
      const later = Array.from(
        { length: 12 },
        (_, n) => `/calendar?day=${new Date(day + (n + 1) * 86_400_000).toISOString().slice(0, 10)}`,
      );
      return page("Calendar", ...later);
    };
    await using site = await serving(({ path }) => (path.startsWith("/calendar") ? calendar(path) : pages[path]), "127.0.38.3");
    const how = { cwd: folder.path, env: fast };
    await nuthatchHere(["crawl", `${site.origin}/`, "--max-depth", "9", "--max-params", "1"], how);
    const { stdout } = await nuthatchHere(["export", "jsonl", "--what", "decisions"], how);
    const trapped = records(stdout).find(({ reason }) => String(reason).startsWith("trap."));
    const cases: [path: string, sentence: RegExp][] = [
      ["/private/list", /robots\.txt/],
      ["http://elsewhere.example/", /scope|another (host|site)|outside/i],
      ["/deep/9", /deep|depth|clicks/i],
      ["/cut?a=1&b=2", /parameter/i],
      [String(trapped?.url), /calendar|dates/i],
      ["/never/heard/of", /never|not heard|nobody/i],
    ];
    const sentences: string[] = [];
    for (const [path, expected] of cases) {
      const { code, stdout } = await nuthatchHere(["explain", new URL(path, site.origin).href], how);
      expect([code, stdout]).toEqual([0, expect.stringMatching(expected)]);
      sentences.push(stdout.replaceAll(/https?:\S+/g, ""));
    }
    expect(new Set(sentences).size).toBe(cases.length);
  });

  test("6: stdout is pure data, also without a terminal, with --json, with NO_COLOR", async () => {
    using folder = tempFolder();
    await using site = await serving({ "/": page("Home", "/a"), "/a": page("A") }, "127.0.38.4");
    const how = { cwd: folder.path, env: { ...fast, NO_COLOR: "1" } };
    const events = await nuthatch(["crawl", site.origin, "--events"], how);
    expect(records(events.stdout).map(({ type }) => type)).toContain("page.fetched");
    const json = await nuthatch(["crawl", site.origin, "--json"], how);
    expect(JSON.parse(json.stdout)).toMatchObject({ schemaVersion: 1, stopReason: "finished" });
    const listed = await nuthatch(["pages", "--json"], how);
    expect(JSON.parse(listed.stdout)).toMatchObject({ schemaVersion: 1 });
    for (const { stdout, stderr } of [events, json, listed]) expect(/\x1b/.test(stdout + stderr)).toBe(false);
  });

  test("7: crawler seedURL pageDirectory maxDepth", async () => {
    using folder = tempFolder();
    mkdirSync(folder.file("dir"));
    await using site = await serving({ "/": page("Home", "/a", "/b"), "/a": page("A"), "/b": page("B") }, "127.0.38.5");
    const end = await nuthatch([`${site.origin}/`, "dir", "1"], { cwd: folder.path, bin: crawlerBin });
    expect(end.code).toBe(0);
    expect(readdirSync(folder.file("dir")).sort()).toEqual([".crawler", "1", "2", "3"]);
    const [url, depth, ...body] = readFileSync(folder.file("dir/1"), "utf8").split("\n");
    expect([url, depth]).toEqual([`${site.origin}/`, "0"]);
    expect(body.join("\n")).toContain("<h1>Home</h1>");
    const wrong = await nuthatchHere(["tse", `${site.origin}/`, "dir", "11"], { cwd: folder.path });
    expect([wrong.code !== 0, wrong.stdout, wrong.stderr.length > 0]).toEqual([true, "", true]);
  });

  test("9: by the servers' log never two requests to one host within a second, and Crawl-delay and Retry-After are obeyed", async () => {
    using folder = tempFolder();
    const robots = (text: string) => ({ headers: { "content-type": "text/plain" }, body: text });
    await using plain = await serving({ "/": page("Home", "/a"), "/a": page("A") }, "127.0.38.6");
    await using slow = await serving(
      { "/robots.txt": robots("User-agent: *\nCrawl-delay: 3"), "/": page("Home", "/a"), "/a": page("A") },
      "127.0.38.7",
    );
    const busy: PageSpec = (hit) => (hit === 1 ? { status: 503, headers: { "retry-after": "4" } } : page("A"));
    await using tired = await serving({ "/": page("Home", "/a"), "/a": busy }, "127.0.38.8");
    const { code } = await nuthatch(["crawl", plain.origin, slow.origin, tired.origin], { cwd: folder.path });
    expect(code).toBe(0);
    expect(Math.min(...gaps(plain.log))).toBeGreaterThanOrEqual(995); // a timer may fire a hair early by another process's clock
    expect(gaps(slow.log).at(-1)).toBeGreaterThanOrEqual(2995);
    expect(gaps(tired.log).at(-1)).toBeGreaterThanOrEqual(3995);
    expect(mostAtOnce([...plain.log, ...slow.log, ...tired.log])).toBe(1);
  }, 60_000);
});

async function serving(pages: Parameters<typeof serveSite>[0], address: string) {
  const site = await serveSite(pages, { address });
  return { ...site, [Symbol.asyncDispose]: () => site.close() };
}
