import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nuthatch, start, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { generatedSite, type RunningSite, serveSite } from "./site/index.ts";

const fast = ["--rate-limit", "none"];
const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);
const urlsIn = (path: string) => linesOf(path).map((line) => (JSON.parse(line) as { url: string }).url);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("-o", () => {
  const pages = { "/": '<title>=HYPERLINK("x")</title><a href="/a">a</a>', "/a": '<title>One, "two"</title><p>text</p>' };
  const crawl = (site: RunningSite, cwd: string, ...args: string[]) => nuthatchHere(["crawl", site.origin, ...fast, ...args], { cwd });

  test("writes one page a line, refuses to overwrite, and both ways out work", async () => {
    using folder = tempFolder();
    const site = await serveSite(pages, { address: "127.0.9.1" });
    expect((await crawl(site, folder.path, "-o", "pages.jsonl")).code).toBe(0);
    expect(urlsIn(folder.file("pages.jsonl")).sort()).toEqual([`${site.origin}/`, `${site.origin}/a`]);
    const before = readFileSync(folder.file("pages.jsonl"), "utf8");
    const asked = site.log.length;
    const refused = await crawl(site, folder.path, "-o", "pages.jsonl");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/pages\.jsonl exists[\s\S]*-O pages\.jsonl[\s\S]*--append/);
    expect(readFileSync(folder.file("pages.jsonl"), "utf8")).toBe(before);
    expect(site.log.length).toBe(asked);
    const { stdout } = await nuthatchHere(["runs", "--json"], { cwd: folder.path });
    expect((JSON.parse(stdout) as { runs: unknown[] }).runs).toHaveLength(1);
    expect((await crawl(site, folder.path, "-o", "pages.jsonl", "--append")).code).toBe(0);
    expect(linesOf(folder.file("pages.jsonl"))).toHaveLength(4);
    expect((await crawl(site, folder.path, "-O", "pages.jsonl")).code).toBe(0);
    expect(linesOf(folder.file("pages.jsonl"))).toHaveLength(2);
    await site.close();
  });

  test("writes tables too, with one header and no formulas", async () => {
    using folder = tempFolder();
    const site = await serveSite(pages, { address: "127.0.9.3" });
    await crawl(site, folder.path, "-o", "pages.csv");
    await crawl(site, folder.path, "-o", "pages.csv", "--append");
    const rows = readFileSync(folder.file("pages.csv"), "utf8").split("\r\n");
    expect(rows).toHaveLength(6);
    expect(rows.filter((row) => row.startsWith("id,url,"))).toHaveLength(1);
    expect(rows.filter((row) => row.includes(`"'=HYPERLINK(""x"")"`))).toHaveLength(2);
    expect(rows.filter((row) => row.includes(`"One, ""two"""`))).toHaveLength(2);
    expect((await crawl(site, folder.path, "-o", "pages.csv")).code).toBe(2);
    writeFileSync(folder.file("other.csv"), "name,age\r\n");
    const asked = site.log.length;
    const refused = await crawl(site, folder.path, "-o", "other.csv", "--append");
    expect([refused.code, readFileSync(folder.file("other.csv"), "utf8"), site.log.length]).toEqual([2, "name,age\r\n", asked]);
    await site.close();
  });
});

describe("a run that is killed and started again with the same -o has one line per page", () => {
  /** Kills a crawl when some pages are written, harms the file, and gives the same command again. */
  async function killed(address: string, file: string, harm: (path: string) => void) {
    const folder = tempFolder();
    const site = await serveSite(generatedSite({ pages: 60, links: 4, seed: 3 }).pages, { address });
    const args = ["crawl", site.origin, "--rate-limit", "40/s", "-o", file];
    const first = start(args, { cwd: folder.path });
    const hasSome = () => existsSync(folder.file(file)) && readFileSync(folder.file(file), "utf8").split("\n").length > 10;
    while (!hasSome()) await pause(20);
    first.kill("SIGKILL");
    expect((await first.ended).signal).toBe("SIGKILL");
    expect(readFileSync(folder.file(file), "utf8").split("\n").length).toBeLessThan(60);
    harm(folder.file(file));
    const second = await nuthatch(args, { cwd: folder.path });
    await site.close();
    return { folder, second };
  }

  test.concurrent.each([
    ["as it was", "127.0.9.11", () => undefined],
    ["half a line at its end", "127.0.9.12", (path: string) => appendFileSync(path, '{"schemaVersion":1,"id":99,"ur')],
    ["cut in the middle of its last line", "127.0.9.13", (path: string) => truncateSync(path, readFileSync(path).length - 25)],
    ["cut to its first half line", "127.0.9.14", (path: string) => truncateSync(path, 20)],
    ["empty", "127.0.9.15", (path: string) => truncateSync(path, 0)],
  ] as [string, string, (path: string) => void][])("the file %s", async (_, address, harm) => {
    const { folder, second } = await killed(address, "pages.jsonl", harm);
    using _folder = folder;
    expect([second.code, second.stderr]).toEqual([0, expect.stringContaining("Finished")]);
    const urls = urlsIn(folder.file("pages.jsonl"));
    expect([urls.length, new Set(urls).size]).toEqual([60, 60]);
    expect((await nuthatchHere(["runs", "--json"], { cwd: folder.path })).stdout).toContain('"id": 1');
  });

  test.concurrent("also as a table", async () => {
    const { folder, second } = await killed("127.0.9.16", "pages.csv", (path) => appendFileSync(path, "99,http://127"));
    using _folder = folder;
    expect([second.code, second.stderr]).toEqual([0, expect.stringContaining("Finished")]);
    const rows = readFileSync(folder.file("pages.csv"), "utf8").split("\r\n").slice(1, -1);
    expect([rows.length, new Set(rows.map((row) => row.split(",")[1])).size]).toEqual([60, 60]);
  });

  test.concurrent("but a file that is not of that run is not touched", async () => {
    const { folder, second } = await killed("127.0.9.17", "pages.jsonl", (path) => writeFileSync(path, '{"mine":true}\n'));
    using _folder = folder;
    expect(second.code).toBe(2);
    expect(readFileSync(folder.file("pages.jsonl"), "utf8")).toBe('{"mine":true}\n');
  });
});

describe("export", () => {
  const folder = tempFolder();
  let site: RunningSite;
  const pages: Record<string, string> = {
    "/": '<title>Home</title><a href="/a" title="the tip">=1+2</a><a href="/b">b</a><a href="http://127.0.9.99:9/">out</a>',
    "/a": "<title>+A</title><p>first words</p>",
    "/b": "<title>B</title><p>some words</p>",
  };
  beforeAll(async () => {
    site = await serveSite(({ path }) => pages[path], { address: "127.0.9.2" });
    const crawl = () => nuthatchHere(["crawl", site.origin, ...fast], { cwd: folder.path });
    await crawl();
    pages["/a"] = "<title>+A</title><p>quite other words than before</p>";
    await crawl();
  });
  afterAll(async () => {
    await site.close();
    folder[Symbol.dispose]();
  });
  const run = (...args: string[]) => nuthatchHere(["export", ...args], { cwd: folder.path });
  const records = async (...args: string[]) => {
    const { code, stdout } = await run("jsonl", ...args);
    expect(code).toBe(0);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  test("pages as JSON lines carry their metadata with its source", async () => {
    const found = await records();
    expect(found.map(({ url }) => url).sort()).toEqual(["/", "/a", "/b"].map((path) => site.origin + path));
    expect(found[0]).toMatchObject({ schemaVersion: 1, status: 200, depth: 0, metadata: { title: { value: "Home", source: "title" } } });
  });

  test("links carry what a person sees of them", async () => {
    const found = await records("--what", "links");
    expect(found).toContainEqual(
      expect.objectContaining({ page: `${site.origin}/`, url: `${site.origin}/a`, text: "=1+2", title: "the tip", kind: "a" }),
    );
    expect(found).toHaveLength(3);
  });

  test("changes are those of the latest run, or of the one asked for", async () => {
    const latest = (await records("--what", "changes")).filter(({ change }) => change !== "same");
    expect(latest.map(({ url, change }) => [url, change])).toEqual([[`${site.origin}/a`, "changed"]]);
    const first = await records("--what", "changes", "--run", "1");
    expect(first.map(({ change }) => change)).toEqual(["new", "new", "new"]);
  });

  test("decisions have a reason for each URL heard of", async () => {
    const found = await records("--what", "decisions");
    const reasons = Object.fromEntries(found.map(({ url, reason }) => [String(url).replace(site.origin, ""), reason]));
    expect(reasons).toEqual({ "/": "ok", "/a": "ok", "/b": "ok", "http://127.0.9.99:9/": "scope.host" });
  });

  test.each(["pages", "links", "changes", "decisions"])("%s as a table hold no formulas and no objects", async (what) => {
    const { code, stdout } = await run("csv", "--what", what);
    expect(code).toBe(0);
    const [header = "", ...rows] = stdout.split("\r\n").slice(0, -1);
    expect(rows.length).toBeGreaterThan(0);
    expect(header).toMatch(/^[\w,]+$/);
    expect(stdout).not.toMatch(/(^|,|")[=+@](?=[1A])/m);
    expect(stdout).not.toContain("[object");
  });

  test("a file is not overwritten, and can be replaced or added to", async () => {
    using own = tempFolder();
    const file = own.file("links.csv");
    expect((await run("csv", "--what", "links", "-o", file)).code).toBe(0);
    expect((await run("csv", "--what", "links", "-o", file)).code).toBe(2);
    expect((await run("csv", "--what", "links", "-o", file, "--append")).code).toBe(0);
    expect(readFileSync(file, "utf8").split("\r\n")).toHaveLength(1 + 3 + 3 + 1);
    expect((await run("csv", "--what", "links", "-O", file)).code).toBe(0);
    expect(readFileSync(file, "utf8").split("\r\n")).toHaveLength(1 + 3 + 1);
  });

  test("a page directory has the mark, and files from 1 on", async () => {
    using own = tempFolder();
    expect((await run("pagedir", "-o", own.file("missing"))).code).toBe(0);
    mkdirSync(own.file("data"));
    expect((await run("pagedir", "-o", own.file("data"))).code).toBe(0);
    expect(readdirSync(own.file("data")).sort()).toEqual([".crawler", "1", "2", "3"]);
    expect(readFileSync(own.file("data/1"), "utf8")).toBe(`${site.origin}/\n0\n${pages["/"]}`);
  });

  test("a site or run nobody knows is refused", async () => {
    for (const args of [
      ["jsonl", "example.org"],
      ["jsonl", "--run", "77"],
      ["jsonl", "--run", "x"],
    ])
      expect([args, (await run(...args)).code]).toEqual([args, 2]);
    expect((await records(site.host)).length).toBe(3);
  });
});
