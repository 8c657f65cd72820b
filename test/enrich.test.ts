import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { crawl } from "../dist/src/index.js";
import { enrich, enrichEach } from "../dist/src/operations/enrich.js";
import { fakeSite } from "../dist/src/testing/index.js";
import { type Ended, hasTerminal, nuthatch, startOnTerminal, tempFolder } from "./cli.ts";
import { type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const article = (title: string) => `<html lang=en><title>${title} | Little Town</title><meta property="og:title" content="${title}">
  <body><article><h1>${title}</h1><p>The council met on Monday and spoke about the roof of the town hall for three hours.</p></article>`;

describe("enriching a list", () => {
  const pages = {
    "/robots.txt": "User-agent: *\nDisallow: /closed",
    "/a": article("Roof of the town hall"),
    "/b": article("A new bridge"),
    "/old-a": { status: 301, headers: { Location: "/a" } },
    "/older-a": { status: 302, headers: { Location: "/old-a" } },
    "/round": { status: 302, headers: { Location: "/about" } },
    "/about": { status: 302, headers: { Location: "/round" } },
    "/gone": { status: 410 },
    "/file": { headers: { "content-type": "application/pdf" }, body: "%PDF" },
    "https://other.test/c": article("Market day"),
    "https://other.test/robots.txt": "",
  };
  const at = (path: string) => `https://site.test${path}`;

  test("every address is answered once, in the order of the list, whatever becomes of it", async () => {
    const site = fakeSite(pages);
    const urls = [
      at("/older-a"),
      at("/a"),
      at("/closed/x"),
      at("/gone"),
      at("/round"),
      at("/file"),
      "nonsense",
      at("/a#top"),
      "https://no.test/",
    ];
    const found = await enrich(urls, { ...site.options, batchSize: 4 });
    expect(found.map(({ url, ok, reason, finalUrl }) => [url, ok ? "ok" : reason, finalUrl])).toEqual([
      [at("/older-a"), "ok", at("/a")],
      [at("/a"), "ok", at("/a")],
      [at("/closed/x"), "robots.disallow", at("/closed/x")],
      [at("/gone"), "http.4xx", at("/gone")],
      [at("/round"), "redirect.loop", expect.any(String)],
      [at("/file"), "type", at("/file")],
      ["nonsense", "scheme", "nonsense"],
      [at("/a#top"), "ok", at("/a")],
      ["https://no.test/", "dns", "https://no.test/"],
    ]);
    expect(found[1]).toMatchObject({ status: 200, metadata: { title: { value: "Roof of the town hall", source: expect.any(String) } } });
    expect(found[3]).toMatchObject({ status: 410, metadata: {} });
    expect(site.requests.filter(({ path }) => path.startsWith("/closed"))).toEqual([]);
  });

  test("hosts keep their pace, and all requests together are half a second apart", async () => {
    const site = fakeSite(pages);
    await enrich([at("/a"), "https://other.test/c", at("/b")], { ...site.options });
    const times = site.requests.map(({ at }) => at).sort((a, b) => a - b);
    expect(times.length).toBe(5);
    for (const [index, time] of times.slice(1).entries()) expect(time - times[index]!).toBeGreaterThanOrEqual(500);
    const own = site.requests.filter(({ url }) => url.startsWith(at("/"))).map(({ at }) => at);
    for (const [index, time] of own.slice(1).entries()) expect(time - own[index]!).toBeGreaterThanOrEqual(1000);
  });

  test("a long list is read no faster than it is answered", async () => {
    const site = fakeSite({
      "/robots.txt": "",
      ...Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`/${n}`, article(`Page ${n}`)])),
    });
    let [read, answered, most] = [0, 0, 0];
    const list = async function* () {
      for (; read < 120; read++) yield at(`/${read}`);
    };
    for await (const { ok } of enrichEach(list(), { ...site.options, rateLimit: "none", delay: 0, batchSize: 5 })) {
      expect(ok).toBe(true);
      answered += 1;
      most = Math.max(most, read - answered);
    }
    expect([read, answered]).toEqual([120, 120]);
    expect(most).toBeLessThan(60);
  });

  test("fields and sources come as they are asked for", async () => {
    const site = fakeSite(pages);
    const [one] = await enrich([at("/a")], {
      ...site.options,
      fields: ["title", "verdict"],
      showSources: true,
    });
    const { metadata } = one!;
    expect(Object.keys(metadata)).toEqual(["title", "verdict"]);
    expect(metadata.title?.candidates?.length).toBeGreaterThan(0);
  });
});

describe("nuthatch enrich", () => {
  const folder = tempFolder();
  let site: RunningSite;
  const pages: Record<string, PageSpec> = {
    "/a": article("Roof of the town hall"),
    "/kept": article("Something to keep"),
    "/sum": article("=SUM(A1) and more"),
    "/evil": article("\u001b[31mRed\u202e alert"),
  };
  beforeAll(async () => {
    site = await serveSite(pages, { address: "127.0.67.11" });
  });
  afterAll(async () => {
    await site.close();
    folder[Symbol.dispose]();
  });
  const run = (args: string[], input = ""): Promise<Ended> =>
    nuthatch(["enrich", ...args, "--rate-limit", "none", "--delay", "0"], { cwd: folder.path, input });
  const at = (path: string) => site.origin + path;

  test.concurrent("addresses on standard input become JSON lines; those that fail say why and do not fail the list", async () => {
    const { code, stdout, stderr } = await run(["-"], `# a list\n${at("/a")}\n\n${at("/none")}\n${at("/evil")}\n`);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { url: string; reason: string });
    expect(code).toBe(0);
    expect(Object.fromEntries(lines.map(({ url, reason }) => [new URL(url).pathname, reason]))).toEqual({
      "/a": "ok",
      "/none": "http.4xx",
      "/evil": "ok",
    });
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    expect(stderr).toBe("2 pages; 1 address could not be fetched\n");
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test.concurrent("a table cannot be made to calculate, and has the columns that were asked for", async () => {
    using place = tempFolder();
    const { code } = await run([at("/sum"), "--fields", "title", "--show-sources", "-o", place.file("out.csv")]);
    expect(code).toBe(0);
    const [head, row] = readFileSync(place.file("out.csv"), "utf8").split("\r\n");
    expect(head).toBe("url,finalUrl,ok,reason,rule,status,fetchedAt,isStored,title,titleSource,titleConfidence");
    expect(row).toMatch(/,'=SUM\(A1\) and more,/);
  });

  test.concurrent("--json is one document, and a list without a page is a failure", async () => {
    const { code, stdout, stderr } = await run([at("/none"), "--json"]);
    expect([code, stderr]).toEqual([3, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, urls: [{ ok: false, status: 404, rule: "answered 404" }] });
  });

  test.concurrent("what is stored is answered from there, filled in where it lacks, and made anew when it is marked", async () => {
    using place = tempFolder();
    const [db, url] = [place.file("nuthatch.db"), at("/kept")];
    await crawl(url, { db, enhance: false, maxDepth: 0, rateLimit: "none" }).result;
    const asked = () => site.log.filter(({ path }) => path === "/kept").length;
    const on = (...args: string[]) => nuthatch(["enrich", ...args, "--db", db], { cwd: place.path });
    expect(await on(url, "--reset", "--missing")).toMatchObject({ code: 0, stderr: expect.stringMatching(/^1 page: /) });
    expect(JSON.parse((await on("--missing", "--json")).stdout)).toMatchObject({ processed: 0, enhanced: 0, results: [] });
    expect(JSON.parse((await on(url)).stdout)).toMatchObject({
      url,
      ok: true,
      isStored: true,
      metadata: { title: { source: expect.any(String) } },
    });
    expect(asked()).toBe(1);
    expect(JSON.parse((await on(url, "--force", "--rate-limit", "none")).stdout)).toMatchObject({ isStored: false });
    expect(asked()).toBe(2);
  });

  const mistakes: [string, string[], RegExp][] = [
    ["what is no address", ["example.org"], /https:\/\/example\.org/],
    ["a field there is not", ["http://127.0.67.11/", "--fields", "titel"], /did you mean title\?/],
    ["a batch that is too large", ["http://127.0.67.11/", "--batch-size", "101"], /1 to 100/],
  ];
  test.concurrent.each(mistakes)("%s is told with exit 2 and nothing asked", async (_, args, said) => {
    const ended = await run(args);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(said);
  });

  test.runIf(hasTerminal)("a terminal gets lines with their sources, and nothing that it would obey", async () => {
    const { screen } = await startOnTerminal(["enrich", at("/evil"), "--delay", "0"], { cwd: folder.path }).ended;
    expect(screen).toMatch(/ {2}title: \[31mRed\\u\{202e\} alert {2}← \S+ \(0\.\d+\)\n/);
  });
});
