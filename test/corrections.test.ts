/** What people corrected, tagged and noted goes wherever the page goes, and finds it. */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { pages as storedPages } from "nuthatch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "./api-server.ts";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const db = folder.file("nuthatch.db");
let week = 1;
let site: RunningSite;
let server: RunningServer;
const nut = async (...args: string[]) => (await nuthatchHere(args, { cwd: folder.path })).stdout;
const json = async (...args: string[]) => JSON.parse(await nut(...args, "--json"));
const article = (title: string, text: string) =>
  `<!doctype html><html lang=en><head><title>${title}</title><meta name=description content="What it says"></head><body><main><h1>${title}</h1><p>${text.repeat(20)}</p></main></body></html>`;
const pages: Record<string, () => string> = {
  "/": () => `${article("Home", `The harbour is open. `)}<a href="/report">report</a> <a href="/plain">plain</a>`,
  "/report": () => article("Old name", `Edition ${week} tells of ${week === 1 ? "boats and nets" : "ships, masts and sails"}. `),
  "/plain": () => article("Plain", "Nobody wrote anything on this page. "),
};
const said = {
  metadata: {
    title: "Corrected Lighthouse",
    description: "Described by hand",
    author: ["Ada Keeper"],
    siteName: "Harbour News",
    lang: "en-GB",
  },
  tags: ["reviewed", "lantern"],
  note: "Ask the zeppelin museum.",
};
let id = 0;

beforeAll(async () => {
  site = await serveSite(({ path }) => pages[path]?.(), { address: "127.0.66.80" });
  const crawl = () => nut("crawl", `${site.origin}/`, "--rate-limit", "none", "-k", "report");
  await crawl();
  server = await startServer(["--db", db, "--port", "0"]);
  id = (await server.ask("GET", `/pages?url=${encodeURIComponent(`${site.origin}/report`)}`)).body.data[0].id;
  expect((await server.ask("PATCH", `/pages/${id}`, said)).status).toBe(200);
  week = 2;
  await crawl();
}, 60_000);
afterAll(async () => {
  await server.kill("SIGTERM");
  await site.close();
  folder[Symbol.dispose]();
});

const isReport = ({ url }: { readonly url: string }) => url.endsWith("/report");

describe("what people corrected is", () => {
  test("in JSON lines, in the library and in lists", async () => {
    const expected = {
      metadata: { title: { value: "Corrected Lighthouse", source: "manual" }, author: { value: ["Ada Keeper"] }, lang: { value: "en-GB" } },
      tags: said.tags,
      note: said.note,
    };
    const lines = (await nut("export", "jsonl")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line)).find(isReport)).toMatchObject(expected);
    expect((await json("pages")).pages.find(isReport)).toMatchObject(expected);
    for await (const page of storedPages(db)) if (isReport(page)) expect(page).toMatchObject(expected);
    expect((await server.ask("GET", `/pages/${id}`)).body).toMatchObject(expected);
    expect(await nut("show", `${site.origin}/report`)).toContain("Corrected Lighthouse");
  });

  test("in CSV, and what nobody wrote on stays empty", async () => {
    const table = await nut("export", "csv");
    expect(table).toContain("Corrected Lighthouse");
    expect(table).toMatch(/Ask the zeppelin museum\.,"?reviewed; lantern"?,\d+\r?\n/);
    expect(await nut("pages", "--fields", "title,tags,note", "--sort", "-title")).toContain("reviewed; lantern");
  });

  test("in files of an export from the server", async () => {
    for (const format of ["csv", "jsonl"]) {
      const made = await server.ask("POST", "/exports?wait=10000", { format });
      const file = await server.ask("GET", `/exports/${made.body.id}/file`);
      for (const words of ["Corrected Lighthouse", "reviewed", "zeppelin"]) expect(String(file.body), format).toContain(words);
    }
  });

  test("in Markdown folders and llms.txt", async () => {
    await nut("export", "md", "-o", folder.file("md"));
    const [path] = JSON.parse(readFileSync(folder.file("md/.nuthatch-export.json"), "utf8"))
      ? [folder.file(`md/${new URL(site.origin).host.replace(":", "_")}/report.md`)]
      : [];
    const written = readFileSync(path!, "utf8");
    for (const line of [
      'title: "Corrected Lighthouse"',
      'tags: ["reviewed","lantern"]',
      'note: "Ask the zeppelin museum."',
      'site_name: "Harbour News"',
    ])
      expect(written).toContain(line);
    await nut("export", "llms", "-o", folder.file("llms"));
    expect(readFileSync(folder.file("llms/llms.txt"), "utf8")).toContain("[Corrected Lighthouse]");
    expect(readFileSync(folder.file("llms/llms-full.txt"), "utf8")).toMatch(/Tags: reviewed, lantern\nNote: Ask the zeppelin museum\./);
  });

  test("in feeds and lists of changes", async () => {
    for (const feed of [await nut("changes", "--format", "atom"), await nut("export", "feed")]) {
      expect(feed).toContain("changed: Corrected Lighthouse");
      expect(feed).toContain('<category term="lantern"/>');
      expect(feed).toContain("zeppelin");
    }
    expect((await json("changes")).pages.find(isReport)).toMatchObject({ title: "Corrected Lighthouse", tags: said.tags, note: said.note });
    const { data } = (await server.ask("GET", "/crawls/2/changes")).body;
    expect(data.find(isReport)).toMatchObject({ title: "Corrected Lighthouse" });
    const changes = (await nut("export", "jsonl", "--what", "changes")).trim().split("\n");
    expect(changes.map((line) => JSON.parse(line)).find(isReport)).toMatchObject({ title: "Corrected Lighthouse", tags: said.tags });
  });

  test("in graphs, copies and views", async () => {
    expect(await nut("export", "graphml")).toContain("Corrected Lighthouse");
    await nut("export", "sqlite", "-o", folder.file("copy.db"));
    const copy = new DatabaseSync(folder.file("copy.db"), { readOnly: true });
    const row = (sql: string) => copy.prepare(sql).get();
    const where = "WHERE url LIKE '%/report'";
    expect(row(`SELECT title, title_source, note, tags FROM v_pages ${where}`)).toEqual({
      ...{ title: "Corrected Lighthouse", title_source: "manual" },
      ...{ note: said.note, tags: JSON.stringify(said.tags) },
    });
    expect(row(`SELECT title, description, author, language, note FROM content ${where}`)).toEqual({
      ...{ title: "Corrected Lighthouse", description: "Described by hand", author: "Ada Keeper", language: "en-GB", note: said.note },
    });
    expect(row(`SELECT title FROM v_changes ${where}`)).toEqual({ title: "Corrected Lighthouse" });
    expect(row("SELECT author FROM content WHERE url LIKE '%/plain'")).toEqual({ author: null });
    copy.close();
  });

  test.each(["Corrected", "lighthouse", "lantern", "zeppelin", "Described", "Keeper", "sails"])("found by %s", async (word) => {
    expect((await json("search", word)).results.map(isReport)).toEqual([true]);
    expect((await server.ask("GET", `/search?q=${word}`)).body).toMatchObject({ total: 1, data: [{ title: "Corrected Lighthouse" }] });
    expect((await server.ask("GET", `/pages?q=${word}`)).body.data.map(isReport)).toEqual([true]);
  });

  test("found no more when it is taken back, and the page's own words are", async () => {
    await server.ask("PATCH", `/pages/${id}`, { metadata: { title: null }, tags: [], note: "" });
    for (const word of ["Corrected", "lantern", "zeppelin"])
      expect((await server.ask("GET", `/search?q=${word}`)).body.total, word).toBe(0);
    expect((await server.ask("GET", "/search?q=Old")).body).toMatchObject({ total: 1, data: [{ title: "Old name" }] });
  });
});

test("a field that somebody filled in is missing no more", async () => {
  const { data } = (await server.ask("GET", "/pages?missing=publishedAt")).body;
  expect(data.some(isReport)).toBe(true);
  await server.ask("PATCH", `/pages/${id}`, { metadata: { publishedAt: "2026-05-04" } });
  expect((await server.ask("GET", "/pages?missing=publishedAt")).body.data.some(isReport)).toBe(false);
  expect((await json("pages", "--missing", "publishedAt")).pages.some(isReport)).toBe(false);
});

test("links that somebody added or gave a score are in every list and view", async () => {
  const url = `${site.origin}/by-hand.pdf`;
  expect((await server.ask("POST", "/links", { siteId: 1, url, score: 1.5 })).status).toBe(201);
  const report = (await server.ask("GET", "/links")).body.data.find(isReport);
  await server.ask("PATCH", `/links/${report.id}?siteId=1`, { scoreOverride: 0.123 });
  const listed = (await json("links")).links;
  expect(listed.map((link: { url: string; score: number }) => [link.url, link.score])).toEqual([
    [url, 1.5],
    [`${site.origin}/report`, 0.123],
  ]);
  const data = new DatabaseSync(db, { readOnly: true });
  for (const view of ["v_links", "link_legacy"]) {
    const rows = data.prepare(`SELECT url, score FROM ${view} WHERE score IS NOT NULL ORDER BY score DESC`).all();
    expect(rows, view).toEqual([
      { url, score: 1.5 },
      { url: `${site.origin}/report`, score: 0.123 },
    ]);
  }
  data.close();
});
