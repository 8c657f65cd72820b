import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { benchSite, pageAt } from "../bench/site.ts";
import { nuthatch, start, tempFolder } from "./cli.ts";

test.concurrent("bench crawls every page of its own site once and says what it cost", async () => {
  using folder = tempFolder();
  const { code, stdout, stderr } = await nuthatch(["bench", "--pages", "120", "--json"], {
    cwd: folder.path,
    env: { TMPDIR: folder.path },
  });
  const report = JSON.parse(stdout);
  expect([code, stderr, report]).toMatchObject([0, "", { schemaVersion: 1, pages: 120, everyPageOnce: true, stopReason: "finished" }]);
  const costs = ["seconds", "pagesPerSecond", "cpuSecondsPer1000Pages", "peakRssMb", "bytesOnDisk", "serverMicrosPerRequest", "cores"];
  for (const field of costs) expect([field, report[field]]).toEqual([field, expect.any(Number)]);
  for (const field of costs) expect([field, report[field] > 0]).toEqual([field, true]);
  expect(readdirSync(folder.path)).toEqual([]); // the data file is gone
});

test.concurrent("for people it is a few lines", async () => {
  const { code, stdout, stderr } = await nuthatch(["bench", "--pages", "30"]);
  expect([code, stderr]).toEqual([0, "Crawling 30 pages of about 17 KB on this machine…\n"]);
  expect(stdout).toMatch(/^30 pages in \d+\.\d s: \d+ pages\/s\nCPU +\d+\.\d\d s per 1,000 pages/);
  expect(stdout).toContain("each page once yes\n");
});

test.concurrent.each([
  ["no pages", ["--pages", "0"], "--pages 0 is not a number of pages"],
  ["words for a number", ["--pages", "many"], "--pages many is not a number of pages"],
  ["a data file of somebody's own", ["--db", "mine.db"], "bench uses a data file of its own"],
])("%s is refused with a hint", async (_, args, message) => {
  using folder = tempFolder();
  const { code, stdout, stderr } = await nuthatch(["bench", ...args], { cwd: folder.path });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(existsSync(folder.file("mine.db"))).toBe(false);
});

test.concurrent("Ctrl-C ends it and leaves nothing behind", async () => {
  using folder = tempFolder();
  const running = start(["bench", "--pages", "20000"], { cwd: folder.path, env: { TMPDIR: folder.path } });
  const hasData = () => readdirSync(folder.path, { recursive: true }).some((name) => `${name}`.endsWith("bench.db"));
  while (!hasData()) await new Promise((resolve) => setTimeout(resolve, 20));
  running.kill("SIGINT");
  const { code, stdout } = await running.ended;
  expect([code, stdout]).toEqual([130, ""]);
  expect(readdirSync(folder.path)).toEqual([]);
});

test.each([
  ["the first page", "/", 0],
  ["a page", "/section-1/article-41.html", 41],
  ["the last page", "/section-19/article-99.html", 99],
  ["one too many", "/section-20/article-100.html", -1],
  ["a page under another section", "/section-2/article-41.html", -1],
  ["a second name of the first page", "/section-0/article-0.html", -1],
  ["robots.txt", "/robots.txt", -1],
  ["a path that ends early", "/section-1", -1],
])("the bench server knows %s", (_, path, page) => {
  expect(pageAt(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\n`), 4, 100)).toBe(page);
});

test("every page of the bench site can be reached, is as long as it says, and no two hosts show the same", () => {
  const options = { pages: 300, links: 50, bytes: 17_000 };
  const [site, other] = [benchSite({ ...options, first: 0 }), benchSite({ ...options, first: 300 })];
  const reached = new Set([0]);
  for (const page of reached) {
    const text = site.own[page]!.toString("latin1");
    const body = text.slice(text.indexOf("\r\n\r\n") + 4);
    expect(text).toContain(`Content-Length: ${body.length + site.shared.length}\r\n`);
    for (const [, path] of body.matchAll(/href="([^"]+)"/g)) reached.add(pageAt(Buffer.from(`${path} `), 0, 300));
    expect(other.own[page]!.equals(site.own[page]!)).toBe(false);
  }
  expect([reached.size, reached.has(-1)]).toEqual([300, false]);
});
