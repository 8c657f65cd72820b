import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flatPage, pageColumns } from "../src/engine/formats/index.ts";
import { pageSorts } from "../src/store/index.ts";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const sites: RunningSite[] = [];
const fast = ["--rate-limit", "none", "-q"];
beforeAll(async () => {
  const first = await serveSite(
    { "/": '<title>Home</title><a href="/b">b</a><a href="/a">a</a>', "/a": "<title>Zebra</title>a", "/b": "<title>Ant</title>b" },
    { address: "127.0.34.21" },
  );
  const second = await serveSite({ "/": '<title>Second</title><a href="/x">x</a>', "/x": "x" }, { address: "127.0.34.22" });
  sites.push(first, second);
  for (const args of [[first.origin], [second.origin, "--max-pages", "1"], [first.origin]])
    expect((await nuthatchHere(["crawl", ...args, ...fast], { cwd: folder.path })).code).toBe(0);
});
afterAll(async () => {
  for (const site of sites) await site.close();
  folder[Symbol.dispose]();
});
const run = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
const lines = async (...args: string[]) => (await run(...args)).stdout.trimEnd().split("\n");
const records = async (list: string, ...args: string[]) =>
  (JSON.parse((await run(list, "--json", ...args)).stdout) as Record<string, Record<string, unknown>[]>)[list]!;

describe("every list takes --limit, --sort, --fields and --json", () => {
  test.concurrent.each([
    ["pages", "url", 4],
    ["runs", "run", 3],
    ["sites", "url", 2],
  ] as [string, string, number][])("%s", async (list, field, all) => {
    const up = await lines(list, "--sort", field, "--fields", field);
    expect(up[0]).toBe(field);
    expect(up.slice(1)).toEqual(up.slice(1).toSorted());
    expect(up).toHaveLength(all + 1);
    expect(await lines(list, "--sort", `-${field}`, "--fields", field)).toEqual([field, ...up.slice(1).toReversed()]);
    expect(await lines(list, "--sort", field, "--fields", field, "--limit", "1")).toEqual(up.slice(0, 2));
    expect((await records(list, "--sort", field, "--fields", field)).map((record) => String(record[field]))).toEqual(up.slice(1));
    expect(Object.keys((await records(list))[0]!).length, "without --fields the whole record").toBeGreaterThan(6);
  });

  test.concurrent.each([
    ["pages", "titel", "title"],
    ["runs", "pges", "pages"],
    ["sites", "lastrun", "lastRun"],
  ])("%s says what was meant by %s", async (list, wrong, meant) => {
    for (const [flag, trouble] of [
      ["--fields", `there is no field ${wrong}`],
      ["--sort", `cannot sort by ${wrong}`],
    ] as const) {
      const { code, stdout, stderr } = await run(list, flag, wrong);
      expect([code, stdout, stderr]).toEqual([2, "", `nuthatch: ${trouble}\n  try: did you mean ${meant}?\n`]);
    }
  });

  test.concurrent("an empty list says so on stderr alone", async () => {
    const { code, stdout, stderr } = await run("pages", "--change", "gone");
    expect([code, stdout, stderr]).toEqual([0, "", "no pages\n"]);
    expect(await run("runs", "--active", "-q")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(await records("runs", "--active")).toEqual([]);
  });

  test.concurrent("sites go into a file like any list", async () => {
    using own = tempFolder();
    expect(await run("sites", "--fields", "id,pages", "-o", own.file("sites.csv"))).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(own.file("sites.csv"), "utf8")).toBe("id,pages\r\n1,3\r\n2,1\r\n");
  });
});

describe("pages", () => {
  test("can be sorted by every column they have", () => {
    expect(pageColumns.filter((column) => !pageSorts.includes(column))).toEqual([]);
    const page = { metadata: {}, tags: [] } as unknown as Parameters<typeof flatPage>[0];
    expect(Object.keys(flatPage(page))).toEqual(pageColumns);
  });

  test.concurrent.each([
    ["title", ["Ant", "Home", "Second", "Zebra"]],
    ["-title", ["Zebra", "Second", "Home", "Ant"]],
  ])("by %s", async (sort, titles) => {
    expect((await records("pages", "--sort", sort, "--fields", "title")).map(({ title }) => title)).toEqual(titles);
  });
});

describe("runs", () => {
  test.concurrent.each([
    ["of a site", ["--site", "127.0.34.21"], [3, 1]],
    ["that are finished", ["--status", "finished"], [3, 1]],
    ["that stopped at a limit", ["--status", "limit"], [2]],
    ["of either kind", ["--status", "limit,finished", "--limit", "2"], [3, 2]],
    ["of a kind, of a site", ["--status", "limit", "--site", "127.0.34.21"], []],
    ["the other way round", ["--sort", "run"], [1, 2, 3]],
    ["with most pages first", ["--sort", "-pages", "--limit", "1"], [3]],
  ] as [string, string[], number[]][])("%s", async (_, args, expected) => {
    expect((await records("runs", ...args)).map(({ id }) => id)).toEqual(expected);
  });

  test.concurrent("with a status nobody knows are refused", async () => {
    const { code, stderr } = await run("runs", "--status", "finnished");
    expect([code, stderr]).toEqual([2, "nuthatch: no run is finnished\n  try: did you mean finished?\n"]);
  });
});
