/** Numbers and words of runs where they are easily told twice, or differently: nofollow, limits, events, and runs that were carried on. */
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const text = (title: string, body: string, head = "") =>
  `<!doctype html><html lang=en><title>${title}</title>${head}<h1>${title}</h1><p>This page is about ${title} alone.</p>${body}`;
const nofollow = "<meta name=robots content=nofollow>";
const links = (...names: string[]) => names.map((name) => `<a href="/${name}">${name}</a>`).join(" ");
let site: RunningSite;

beforeAll(async () => {
  const pages: Record<string, string> = {
    "/": text("Home", links("first", "second", "open")),
    "/first": text("First", links("only", "both"), nofollow),
    "/second": text("Second", links("only", "both"), nofollow),
    "/open": text("Open", links("both")),
    "/both": text("Both", ""),
    "/only": text("Only", ""),
  };
  site = await serveSite(({ path }) => pages[path], { address: "127.0.66.79" });
});
afterAll(async () => {
  await site.close();
  folder[Symbol.dispose]();
});

const crawl = (db: string, ...args: string[]) =>
  nuthatchHere(["crawl", `${site.origin}/`, "--db", folder.file(db), "--rate-limit", "none", ...args]);
// biome-ignore lint/suspicious/noExplicitAny: what is expected of a document is in the expectations
const told = async (...args: string[]): Promise<any> => JSON.parse((await nuthatchHere([...args, "--json"])).stdout);

function rows(db: string, sql: string): Record<string, unknown>[] {
  const data = new DatabaseSync(folder.file(db), { readOnly: true });
  try {
    return data.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    data.close();
  }
}

test.each([
  ["one after the other", ["--max-concurrent", "1"]],
  ["several at once", ["--per-host", "4", "--max-concurrent", "4"]],
])("links of nofollow pages are skipped once, and not at all where another page names them: %s", async (name, args) => {
  const db = `${name.length}.db`;
  const { stats } = JSON.parse((await crawl(db, "--json", ...args)).stdout);
  expect(stats).toMatchObject({ pages: 5, skipped: { "meta.nofollow": 1 } });
  const skipped = rows(db, "SELECT url FROM v_decisions WHERE verdict = 'skipped'");
  expect(skipped).toEqual([{ url: `${site.origin}/only` }]);
});

test("a run says how it ended in the same words in `runs`, `sites`, its view and its last event, and nothing that only a resume needs", async () => {
  const { stdout } = await crawl("limit.db", "--max-pages", "2", "--events");
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [first, last] = [events[0], events.at(-1)];
  const db = ["--db", folder.file("limit.db")];
  const { run } = await told("runs", "show", ...db);
  const [listed] = (await told("runs", ...db)).runs;
  const [ofSite] = (await told("sites", ...db)).sites;
  const ended = { status: "limit", stopReason: "limit.pages" };
  for (const one of [run, listed, ofSite, last.run]) expect(one).toMatchObject(ended);
  expect(first.run).toMatchObject({ status: "running", stopReason: null, endedAt: null });
  expect(rows("limit.db", "SELECT status, stop_reason AS stopReason FROM v_runs")).toEqual([ended]);
  expect([run, listed]).toEqual([last.run, last.run]);
  expect(run.startedAt).toBe(ofSite.startedAt);
  for (const key of ["state", "owner"]) expect(run).not.toHaveProperty(key);
});

test("a seed is named once, however often its run is carried on", async () => {
  const db = ["--db", folder.file("again.db")];
  await crawl("again.db", "--max-pages", "1");
  for (const pages of ["2", "3"]) await nuthatchHere(["resume", "1", "--max-pages", pages, ...db]);
  expect(rows("again.db", `SELECT mentions FROM v_decisions WHERE url = '${site.origin}/'`)).toEqual([{ mentions: 1 }]);
});
