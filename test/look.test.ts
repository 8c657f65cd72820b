import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { crawlerBin, nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const fast = ["--rate-limit", "none"];
const anchors = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">to ${href}</a>`).join("\n");

describe("looking at what was crawled", () => {
  const folder = tempFolder();
  let site: RunningSite;
  const lists = Array.from({ length: 30 }, (_, page) => `/list?page=${page + 1}`);
  const robots = "User-agent: *\nDisallow: /closed/\nCrawl-delay: 0\nSitemap: /map.xml\n";
  const pages: Record<string, PageSpec> = {
    "/robots.txt": { body: robots, headers: { "Content-Type": "text/plain" } },
    "/map.xml": { body: "<urlset></urlset>", headers: { "Content-Type": "application/xml" } },
    "/": `<title>The front page</title>${anchors("/one", "/closed/x", "/secret/y", "http://127.0.10.99:9/", "/p?a=1&amp;b=2", "/moved", "/gone", "/quiet", ...lists)}`,
    "/one": `<title>One</title><p>page one</p>${anchors("/two", "/")}`,
    "/two": `<title>Two</title><p>page two</p>${anchors("/three")}`,
    "/p": "<title>Parameters</title><p>a page with parameters</p>",
    "/moved": { status: 301, headers: { Location: "/one" } },
    "/quiet": `<meta name="robots" content="nofollow"><title>Quiet</title><p>quiet</p>${anchors("/hushed")}`,
    "/list": `<title>List</title><p>nothing new</p>`,
  };
  const run = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
  const at = (path: string) => (path.startsWith("/") ? site.origin + path : path);
  let trapped = "";
  beforeAll(async () => {
    site = await serveSite(pages, { address: "127.0.10.1" });
    const limits = ["--max-depth", "2", "--max-params", "1", "--exclude", "/secret/**"];
    const { code } = await nuthatch(["crawl", site.origin, ...fast, ...limits], { cwd: folder.path });
    expect(code).toBe(0);
    const { stdout } = await run("export", "jsonl", "--what", "decisions");
    const decisions = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { url: string; reason: string });
    trapped = decisions.find(({ reason }) => reason.startsWith("trap."))?.url ?? "";
  });
  afterAll(async () => {
    await site.close();
    folder[Symbol.dispose]();
  });

  const fates: [string, () => string, RegExp][] = [
    ["robots.txt", () => "/closed/x", /^Not visited in run 1\. .*robots\.txt does not allow it \(Disallow: \/closed\/ \(line 2\)\)\.$/],
    ["scope", () => "http://127.0.10.99:9/", /^Not visited in run 1\. It lies outside the scope/],
    ["depth", () => "/three", /^Not visited in run 1\. .*--max-depth .*2/],
    ["parameters", () => "/p?a=1&b=2", /--max-params.*That is http.*\/p\?a=1\. Visited in run 1, answered 200\.$/],
    ["a trap", () => trapped, /^Not visited in run 1\. It belongs to a list whose further pages brought nothing new/],
    ["nobody", () => "/never", /^Never heard of: no page or sitemap seen in run 1 mentions it/],
    ["nobody, and out of scope", () => "http://127.0.10.98/", /^Never heard of in run 1\. It would be skipped: .*scope/],
    ["nobody, and excluded", () => "/secret/never", /^Never heard of in run 1\. It would be skipped: .*\/secret\/\*\*/],
    ["a rule", () => "/secret/y", /^Not visited in run 1\. A rule excludes it \(.*\/secret\/\*\*/],
    ["a visit", () => "/two", /^Visited in run 1, answered 200\.$/],
    ["a redirect", () => "/moved", /^Visited in run 1, answered 301\. It redirects .*moved to http.*\/one\)\.$/],
    ["a missing page", () => "/gone", /^Tried without success in run 1, answered 404\./],
    ["nofollow", () => "/hushed", /^Not visited in run 1\. Only pages that asked for their links not to be followed/],
    ["a URL without its scheme", () => `${new URL(site.origin).host}/two`, /^Visited in run 1, answered 200\.$/],
    ["a scheme", () => "mailto:a@example.org", /http/],
  ];
  test.each(fates)("explain tells of %s", async (_, path, sentence) => {
    const { code, stdout } = await run("explain", at(path()), "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ sentence: expect.stringMatching(sentence) });
  });

  test("explain for people has the sentence and the way from the seed", async () => {
    const { stdout } = await run("explain", at("/three"));
    expect(stdout).toContain("--max-depth");
    expect(stdout).toContain(`found by: ${["/", "/one", "/two", "/three"].map(at).join(" → ")}`);
    expect((await run("explain", at("/one"), "--run", "7")).code).toBe(2);
  });

  test("explain takes another spelling of a URL for the same", async () => {
    const { stdout } = await run("explain", `HTTP://${site.host}/x/../one?utm_source=mail#part`, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "fetched", run: 1 });
  });

  test("pages are limited, sorted, filtered and cut to fields", async () => {
    const rows = async (...args: string[]) =>
      (JSON.parse((await run("pages", "--json", ...args)).stdout) as { pages: Record<string, unknown>[] }).pages;
    expect(await rows("--limit", "2", "--sort", "-depth", "--fields", "url,depth")).toEqual([
      { url: expect.any(String), depth: 2 },
      { url: expect.any(String), depth: 1 },
    ]);
    const urls = (await rows("--sort", "url", "--limit", "1000")).map(({ url }) => String(url));
    expect(urls).toEqual(urls.toSorted());
    expect(await rows("--url", "/two")).toMatchObject([{ depth: 2, metadata: { title: { value: "Two" } } }]);
    expect(await rows("--change", "gone")).toEqual([]);
    const table = await run("pages", "--url", "/one", "--fields", "status,title,url");
    expect(table.stdout).toBe(`status  title  url\n200     One    ${at("/one")}\n`);
    const wrong = await run("pages", "--fields", "titel");
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("title")]);
    const unknownChange = await run("pages", "--change", "chnaged");
    expect([unknownChange.code, unknownChange.stderr]).toEqual([2, expect.stringContaining("changed")]);
  });

  test("show has everything about a page, by number or URL, and its body as it came", async () => {
    const byUrl = await run("show", at("/one"), "--links");
    for (const part of [
      "One",
      "← title",
      "why: Visited",
      `way: ${at("/")} → ${at("/one")}`,
      `linked from ${at("/")}`,
      `→ ${at("/two")}`,
      "version 1",
    ]) {
      expect(byUrl.stdout).toContain(part);
    }
    const { page } = JSON.parse((await run("show", at("/one"), "--json")).stdout) as { page: { id: number } };
    expect((await run("show", String(page.id), "--links")).stdout).toBe(byUrl.stdout);
    expect((await run("show", at("/one"), "--raw")).stdout).toBe(pages["/one"]);
    const missing = await run("show", at("/never"));
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("nuthatch explain")]);
  });

  test("runs are listed, and shown again with their summary", async () => {
    expect((await run("runs")).stdout).toMatch(/^run +ended .*\n1 +finished +\d{4}-.*127\.0\.10\.1/);
    expect((await run("runs", "list", "--limit", "0")).stdout).not.toContain("finished");
    const { stdout } = await run("runs", "show", "1");
    expect(stdout).toMatch(/^Finished: nothing left in scope/);
    expect(stdout).toMatch(/skipped .*robots 1/);
    expect((await run("runs", "show", "9")).code).toBe(2);
    expect((await run("runs", "show", "x")).code).toBe(2);
  });

  test.concurrent("robots tells the rule, the pace and the sitemaps, from the stored copy or the site", async () => {
    expect((await run("robots", at("/closed/x"))).stdout).toMatch(/^not allowed: .*\/closed\/x\n.*stored[\s\S]*rule: Disallow: \/closed\//);
    using empty = tempFolder();
    const asked = await nuthatch(["robots", at("/one"), ...fast, "--json"], { cwd: empty.path });
    expect(JSON.parse(asked.stdout)).toMatchObject({ allowed: true, isStored: false, sitemaps: [at("/map.xml")] });
    const nobody = await nuthatchHere(["robots", "http://127.0.10.97:9/", ...fast], { cwd: empty.path });
    expect([nobody.code, nobody.stdout]).toEqual([0, expect.stringMatching(/^not allowed[\s\S]*because/)]);
  });
});

describe("what comes from the web cannot command the terminal", () => {
  const evil = "\x1b[31mred\x1b]0;title\x07\x9b2J\u202egnp.exe\u2066\u200f\x7f\x00\r\b";
  const COMMANDS = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
  test("not by titles, links, headers, redirects or robots.txt", async () => {
    using folder = tempFolder();
    const site = await serveSite(
      {
        "/robots.txt": {
          body: `User-agent: *\nDisallow: /no${evil.replace("\r", "")}\nSitemap: /map${evil}\n`,
          headers: { "Content-Type": "text/plain" },
        },
        "/": `<title>${evil}</title><meta name="description" content="${evil}"><h1>${evil}</h1><a href="/a${evil}" title="${evil}">${evil}</a><a href="/moved">m</a><a href="/no%1b[31mred">n</a>`,
        "/moved": { status: 302, headers: { Location: "http://127.0.10.96:9/\x9b2J%1b[2J" } },
        "/bad": { headers: { "Content-Type": "text/\x9b2J" }, body: "x" },
      },
      { address: "127.0.10.2" },
    );
    const run = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
    const spoken = [
      await run("crawl", site.origin, `${site.origin}/bad`, ...fast, "-vv", "--events"),
      await run("crawl", site.origin, ...fast, "--json"),
      await run("pages"),
      await run("pages", "--json"),
      await run("show", site.origin, "--links"),
      await run("show", site.origin, "--json"),
      await run("runs"),
      await run("runs", "show"),
      await run("robots", site.origin),
      await run("robots", site.origin, "--json"),
      await run("export", "jsonl"),
      await run("export", "jsonl", "--what", "links"),
      await run("export", "jsonl", "--what", "decisions"),
      await run("explain", `${site.origin}/moved`),
      await run("explain", `${site.origin}/no%1b[31mred`),
      await run("explain", `http://\u202e${evil.replaceAll("\0", "")}`),
      await run(`cr\x1b[31mwal`),
      await nuthatch([site.origin, folder.path, "1"], { bin: crawlerBin }),
    ];
    await site.close();
    for (const { stdout, stderr } of spoken) expect(COMMANDS.exec(stdout + stderr)).toBeNull();
    expect(spoken.map(({ code }) => code)).toEqual([...Array<number>(15).fill(0), 2, 2, 0]);
  });
});
