import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
let site: RunningSite;
const pages = { "/": '<title>Home</title><a href="/a">a</a><a href="/b">b</a>', "/a": "<title>=A</title>", "/b": "<title>B é</title>" };
beforeAll(async () => {
  site = await serveSite(pages, { address: "127.0.12.1" });
  for (const _ of ["first", "second"])
    expect((await nuthatchHere(["crawl", site.origin, "--rate-limit", "none"], { cwd: folder.path })).code).toBe(0);
});
afterAll(async () => {
  await site.close();
  folder[Symbol.dispose]();
});
const run = (...args: string[]) => nuthatchHere([...args, "--db", folder.file("nuthatch.db")], { cwd: folder.path });
const read = (path: string) => readFileSync(path, "utf8");

describe("-o takes what would have been printed", () => {
  test.each([
    ["pages", () => ["pages"]],
    ["runs", () => ["runs"]],
    ["runs show", () => ["runs", "show"]],
    ["show", () => ["show", site.origin]],
    ["explain", () => ["explain", `${site.origin}/a`]],
    ["robots", () => ["robots", site.origin]],
  ] as [string, () => string[]][])("%s as the document and as text", async (_, args) => {
    using own = tempFolder();
    for (const [file, more] of [
      ["x.json", ["--json"]],
      ["x.txt", []],
    ] as const) {
      const printed = await run(...args(), ...more);
      const written = await run(...args(), "-o", own.file(file));
      expect([written.code, written.stdout, written.stderr]).toEqual([0, "", ""]);
      expect(read(own.file(file))).toBe(printed.stdout);
      expect(printed.stdout.length).toBeGreaterThan(20);
    }
  });

  test("lists as a record a line", async () => {
    using own = tempFolder();
    for (const list of ["pages", "runs"]) {
      const document = JSON.parse((await run(list, "--json")).stdout) as Record<string, object[]>;
      expect((await run(list, "-o", own.file(`${list}.jsonl`))).code).toBe(0);
      const lines = read(own.file(`${list}.jsonl`))
        .trimEnd()
        .split("\n");
      expect(lines.map((line) => JSON.parse(line) as object)).toEqual(document[list]);
    }
    await run("pages", "--fields", "depth,title", "--sort", "url", "-o", own.file("two.ndjson"));
    expect(read(own.file("two.ndjson")).split("\n")[0]).toBe('{"depth":0,"title":"Home"}');
  });

  test("lists as a table without formulas, with one header however often it is added to", async () => {
    using own = tempFolder();
    const file = own.file("pages.csv");
    for (const more of [[], ["--append"]])
      expect((await run("pages", "--sort", "url", "--fields", "title,depth", "-o", file, ...more)).code).toBe(0);
    expect(read(file)).toBe("title,depth\r\nHome,0\r\n'=A,1\r\nB é,1\r\nHome,0\r\n'=A,1\r\nB é,1\r\n");
    writeFileSync(own.file("empty.csv"), "");
    expect((await run("pages", "--fields", "title", "--limit", "1", "-o", own.file("empty.csv"), "--append")).code).toBe(0);
    expect(read(own.file("empty.csv"))).toMatch(/^title\r\n.+\r\n$/);
    await run("runs", "-o", own.file("runs.csv"));
    expect(read(own.file("runs.csv"))).toMatch(
      /^run,ended,started,pages,new,changed,gone,seeds,kind\r\n2,finished,.*\r\n1,finished,.*\r\n$/,
    );
  });

  test("a body as it came, under whatever name", async () => {
    using own = tempFolder();
    expect((await run("show", `${site.origin}/b`, "--raw", "-o", own.file("b.html"))).stdout).toBe("");
    expect(read(own.file("b.html"))).toBe(pages["/b"]);
  });

  test("without colours, even where colours are wanted", async () => {
    using own = tempFolder();
    await run("runs", "show", "--color", "always", "-o", own.file("run.txt"));
    expect(read(own.file("run.txt"))).toMatch(/^Finished/);
  });

  test("and says when a file holds but the first pages", async () => {
    using own = tempFolder();
    expect((await run("pages", "--limit", "2", "-o", own.file("a.jsonl"))).stderr).toMatch(/first 2 of 3 pages.*--limit/);
    expect((await run("pages", "--limit", "2", "-o", own.file("b.jsonl"), "-q")).stderr).toBe("");
  });

  test.concurrent("of bench", async () => {
    using own = tempFolder();
    const { code, stdout } = await nuthatch(["bench", "--pages", "20", "-q", "-o", "bench.json"], { cwd: own.path });
    expect([code, stdout]).toEqual([0, ""]);
    expect(JSON.parse(read(own.file("bench.json")))).toMatchObject({ schemaVersion: 1, pages: 20 });
  });

  test.concurrent("of both visits of the demo", async () => {
    using own = tempFolder();
    expect((await nuthatch(["demo", "-q", "-O", "pages.jsonl"], { cwd: own.path })).code).toBe(0);
    const runs = read(own.file("pages.jsonl"))
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { crawlId: number }).crawlId);
    expect([...new Set(runs)]).toEqual([1, 2]);
  });
});

describe("a file that cannot be written as it is named is refused, and nothing changes", () => {
  test.each([
    ["a list in a format nobody knows", ["pages", "-o", "x.xls"], /\.json, \.jsonl, \.csv or \.txt/],
    ["a list without an ending", ["runs", "-o", "x"], /\.json, \.jsonl, \.csv or \.txt/],
    ["one page as a table", ["show", "1", "-o", "x.csv"], /\.json or \.txt/],
    ["one run as lines", ["runs", "show", "-o", "x.jsonl"], /\.json or \.txt/],
    ["an explanation as a table", ["explain", "http://127.0.12.1/", "-O", "x.csv"], /\.json or \.txt/],
    ["robots.txt as a table", ["robots", "http://127.0.12.1:9/", "-o", "x.csv"], /\.json or \.txt/],
    ["a crawl as one document", ["crawl", "http://127.0.12.1:9/", "-o", "x.json"], /\.jsonl or \.csv/],
    ["a document that is there", ["pages", "-o", "kept.json"], /kept\.json exists already\n {2}try: -O kept\.json replaces it\n$/],
    ["a table that is there", ["pages", "-o", "kept.csv"], /-O kept\.csv replaces it, -o kept\.csv --append adds to it/],
    ["a document to add to", ["pages", "-o", "kept.json", "--append"], /-O kept\.json replaces it/],
    ["a table of other columns to add to", ["pages", "-o", "kept.csv", "--append"], /other columns[\s\S]*-O kept\.csv replaces it/],
    ["the same for an export", ["export", "csv", "-o", "kept.csv", "--append"], /other columns/],
    ["the same for a map", ["map", "http://127.0.12.1:9/", "-o", "kept.csv", "--append"], /other columns/],
    ["the same for addresses", ["enrich", "http://127.0.12.1:9/", "--retries", "0", "-o", "kept.csv", "--append"], /other columns/],
    ["a text to add to", ["show", "1", "-o", "new.txt", "--append"], /-O new\.txt/],
    ["--append without a file", ["pages", "--append"], /-o/],
    ["-o and -O at once", ["pages", "-o", "a.csv", "-O", "b.csv"], /cannot be used with/],
    ["-O and --append at once", ["pages", "-O", "kept.csv", "--append"], /cannot be used with/],
    ["a folder", ["pages", "-O", "folder.csv"], /is a folder/],
    ["a folder that is not there", ["pages", "-o", "none/a.csv"], /none\/a\.csv cannot be written/],
    ["a field nobody knows", ["pages", "--fields", "titel", "-O", "kept.csv"], /title/],
    ["a page nobody knows", ["show", "999", "-O", "kept.json"], /999/],
    ["the demo's file that is there", ["demo", "-o", "kept.csv"], /-O kept\.csv/],
  ] as [string, string[], RegExp][])("%s", async (_, args, message) => {
    using own = tempFolder();
    for (const name of ["kept.json", "kept.csv"]) writeFileSync(own.file(name), "mine\n");
    mkdirSync(own.file("folder.csv"));
    const db = args[0] === "demo" || args[0] === "crawl" ? [] : ["--db", folder.file("nuthatch.db")];
    const { code, stdout, stderr } = await nuthatchHere([...args, ...db], { cwd: own.path });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(readdirSync(own.path).sort()).toEqual(["folder.csv", "kept.csv", "kept.json"]);
    for (const name of ["kept.json", "kept.csv"]) expect(read(own.file(name))).toBe("mine\n");
  });

  test("but -O replaces it", async () => {
    using own = tempFolder();
    writeFileSync(own.file("kept.json"), "mine\n".repeat(10_000));
    expect((await run("runs", "-O", own.file("kept.json"))).code).toBe(0);
    expect(JSON.parse(read(own.file("kept.json")))).toMatchObject({ schemaVersion: 1 });
    expect(existsSync(own.file("nuthatch.db"))).toBe(false);
  });
});

describe("colours", () => {
  test.each([
    ["--color never", ["--color", "never"], false],
    ["--no-color", ["--no-color"], false],
    ["nothing", [], true],
  ])("where colours are wanted and %s is said", async (_, flags, expected) => {
    for (const args of [["runs", "show"], ["help"]]) {
      const db = ["--db", folder.file("nuthatch.db")];
      const { code, stdout } = await nuthatchHere([...args, ...(args[0] === "help" ? [] : db), ...flags], { env: { FORCE_COLOR: "1" } });
      expect([code, stdout.includes("\x1b[")]).toEqual([0, expected]);
    }
  });
});
