import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { start, tempFolder } from "./cli.ts";
import { atWork } from "./faults/at-work.ts";
import { nuthatchHere } from "./in-process.ts";
import { generatedSite, type PageSpec, serveSite } from "./site/index.ts";

const rows = (db: string, sql: string): Record<string, unknown>[] => {
  const database = new DatabaseSync(db, { readOnly: true });
  try {
    return database.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    database.close();
  }
};
const count = (db: string, from: string) => Number(rows(db, `SELECT count(*) AS rows ${from}`)[0]!.rows);

/** A site of which every page says something else in each run. */
async function aChangingSite(address: string) {
  const folder = tempFolder();
  const db = folder.file("nuthatch.db");
  let run = 0;
  const pages: Record<string, () => PageSpec> = {
    "/": () => `<title>Home</title><a href="/a">a</a><a href="/b">b</a><p>edition ${run}`,
    "/a": () => `<title>A</title><p>edition ${run} of a`,
    "/b": () => "<title>B</title><p>always the same",
  };
  const site = await serveSite(({ path }) => pages[path]?.(), { address });
  const nut = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
  const crawl = async (...more: string[]) => {
    run += 1;
    const { stdout } = await nuthatchHere(["crawl", `${site.origin}/`, "--rate-limit", "none", "--json", ...more], { cwd: folder.path });
    return JSON.parse(stdout) as { run: number; stats: { pages: number; changes: Record<string, number> } };
  };
  const prune = async (...args: string[]) =>
    JSON.parse((await nut("prune", "--json", ...args)).stdout) as { removed: boolean; removes: Record<string, number> };
  const dispose = async () => {
    await site.close();
    folder[Symbol.dispose]();
  };
  return { db, site, pages, nut, crawl, prune, [Symbol.asyncDispose]: dispose };
}

const sound = async (nut: (...args: string[]) => Promise<{ code: number | null; stdout: string }>) => {
  const { code, stdout } = await nut("db", "check");
  expect([code, stdout]).toEqual([0, expect.stringContaining("is sound")]);
};

describe("prune", () => {
  test("keeps the newest versions, the last complete ledger, and every body that is needed", async () => {
    await using town = await aChangingSite("127.0.34.11");
    const { db, nut, crawl, prune } = town;
    for (let run = 1; run <= 4; run++) await crawl();
    expect([count(db, "FROM page_version"), count(db, "FROM body"), count(db, "FROM decision")]).toEqual([9, 9, 12]);

    const nothing = await prune("--yes");
    expect(nothing).toMatchObject({ removed: false, removes: { versions: 0, ledgers: 0, bodies: 0 } });
    const expected = { ledgers: 3, decisions: 9, pages: 0, versions: 4, bodies: 4, runs: 0 };
    expect(await prune("--keep", "2", "--older-than", "0s", "--dry-run")).toMatchObject({ removed: false, removes: expected });
    expect(count(db, "FROM page_version"), "a dry run changes nothing").toBe(9);
    expect(await prune("--keep", "2", "--older-than", "0s", "--yes")).toMatchObject({ removed: true, removes: expected });
    expect([count(db, "FROM page_version"), count(db, "FROM body"), count(db, "FROM decision")]).toEqual([5, 5, 3]);
    expect(rows(db, "SELECT DISTINCT run_id FROM decision")).toEqual([{ run_id: 4 }]);
    expect(
      count(
        db,
        "FROM page p WHERE NOT EXISTS (SELECT 1 FROM page_version v JOIN body b ON b.hash = v.body_hash WHERE v.id = p.version_id)",
      ),
    ).toBe(0);
    const [{ url }] = rows(db, "SELECT url FROM page LIMIT 1") as [{ url: string }];
    expect((await nut("explain", url, "--run", "2")).stdout).toContain("What run 2 decided was removed");
    expect((await nut("explain", `${url}never`)).stdout).toContain("What 3 earlier runs decided was removed (nuthatch prune).");
    expect(count(db, "FROM run"), "that they were, and what they changed, stays").toBe(4);
    expect(count(db, "FROM change")).toBeGreaterThan(3);
    await sound(nut);
    expect(await crawl()).toMatchObject({ run: 5, stats: { changes: { new: 0, changed: 2, same: 1 } } });
    await sound(nut);
  });

  test("--gone removes pages that are gone; when they come back they are new, under a number never given", async () => {
    await using town = await aChangingSite("127.0.34.12");
    const { db, nut, crawl, prune, pages } = town;
    await crawl();
    const [a, b] = [pages["/a"]!, pages["/b"]!];
    delete pages["/a"];
    delete pages["/b"];
    expect(await crawl()).toMatchObject({ stats: { changes: { gone: 2 } } });
    expect(await prune("--yes")).toMatchObject({ removes: { pages: 0 } });
    expect(await prune("--gone", "--yes")).toMatchObject({ removes: { pages: 2, versions: 2, bodies: 2 } });
    expect(rows(db, "SELECT id FROM page")).toEqual([{ id: 1 }]);
    await sound(nut);
    Object.assign(pages, { "/a": a, "/b": b });
    expect(await crawl()).toMatchObject({ stats: { changes: { new: 2, changed: 1 } } });
    expect(rows(db, "SELECT id FROM page ORDER BY id")).toEqual([{ id: 1 }, { id: 4 }, { id: 5 }]);
    await sound(nut);
  });

  test("--unlinked removes pages that nothing leads to, and no others", async () => {
    await using town = await aChangingSite("127.0.34.15");
    const { db, nut, crawl, prune, pages } = town;
    await crawl();
    pages["/"] = () => '<title>Home</title><a href="/a">a</a><p>edition without b';
    expect(await crawl()).toMatchObject({ stats: { changes: { unlinked: 1 } } });
    expect(await prune("--gone", "--yes")).toMatchObject({ removes: { pages: 0 } });
    expect(await prune("--unlinked", "--yes")).toMatchObject({ removes: { pages: 1 } });
    expect(rows(db, "SELECT id FROM page ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await crawl()).toMatchObject({ stats: { changes: { unlinked: 0, gone: 0, new: 0 } } });
    await sound(nut);
  });

  test("leaves alone what a run needs that can be carried on", async () => {
    await using town = await aChangingSite("127.0.34.13");
    const { db, nut, crawl, prune, pages } = town;
    await crawl();
    delete pages["/a"];
    await crawl();
    await crawl("--max-pages", "1");
    // As if its process had been killed.
    const database = new DatabaseSync(db);
    database.exec(
      "UPDATE run SET status = 'running', stop_reason = NULL, ended_at = NULL, owner = 'elsewhere/1/1', alive_at = 0 WHERE id = 3",
    );
    database.close();
    expect(await prune("--older-than", "0s", "--gone", "--yes")).toMatchObject({ removes: { ledgers: 1, pages: 0 } });
    expect(rows(db, "SELECT DISTINCT run_id FROM decision ORDER BY 1")).toEqual([{ run_id: 2 }, { run_id: 3 }]);
    const resumed = await nut("resume", "3", "--max-pages", "99", "--rate-limit", "none", "--json");
    expect(JSON.parse(resumed.stdout)).toMatchObject({ run: 3, stopReason: "finished", stats: { pages: 2 } });
    await sound(nut);
  });

  test("of one site leaves the others alone", async () => {
    await using town = await aChangingSite("127.0.34.14");
    const { db, nut, crawl, prune, site } = town;
    await crawl();
    await crawl();
    for (let run = 0; run < 2; run++) await nut("crawl", `${site.origin}/a`, "--scope", "page", "--rate-limit", "none", "-q");
    expect(await prune(`${site.origin}/a`, "--older-than", "0s", "--yes")).toMatchObject({ removes: { ledgers: 1, decisions: 1 } });
    expect(rows(db, "SELECT DISTINCT run_id FROM decision ORDER BY 1")).toEqual([{ run_id: 1 }, { run_id: 2 }, { run_id: 4 }]);
  });
});

describe("pruning is refused", () => {
  const folder = tempFolder();
  beforeAll(async () => {
    const site = await serveSite({ "/": "one page" }, { address: "127.0.34.15" });
    await nuthatchHere(["crawl", site.origin, "-q"], { cwd: folder.path });
    await site.close();
  });
  afterAll(() => folder[Symbol.dispose]());

  test.each([
    ["without a yes", [], /needs your yes\n {2}try: add --yes, or --dry-run/],
    ["when it would keep nothing", ["--keep", "0", "--yes"], /at least the newest/],
    ["by an age that is none", ["--older-than", "long", "--yes"], /"long" is not a duration\n {2}try: --older-than 90d/],
    ["of a site nobody knows", ["nowhere.test"], /no site matches/],
    ["where there is no data file", ["--db", "none.db"], /no data file/],
  ] as [string, string[], RegExp][])("%s", async (_, args, message) => {
    const { code, stdout, stderr } = await nuthatchHere(["prune", ...args], { cwd: folder.path });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
  });
});

test("a crawl goes on while another process prunes, and both are whole afterwards", async () => {
  await using town = await aChangingSite("127.0.34.16");
  const { db, nut, crawl, prune } = town;
  for (let run = 1; run <= 3; run++) await crawl();
  const generated = generatedSite({ pages: 400, links: 6, seed: 7, words: 60 });
  const other = await serveSite(generated.pages, { address: "127.0.34.17", latency: 5 });
  const run = start(["crawl", `${other.origin}/`, "--db", db, "--rate-limit", "150/s", "--per-host", "3", "--json"]);
  await atWork(run, other, 20);
  const pruned = await prune("--keep", "1", "--older-than", "0s", "--yes");
  expect(pruned).toMatchObject({ removed: true, removes: { ledgers: 2, versions: 4, bodies: 4 } });
  const ended = await run.ended;
  expect([ended.code, JSON.parse(ended.stdout).stats.pages], ended.stderr).toEqual([0, 400]);
  await sound(nut);
  expect(await crawl()).toMatchObject({ stats: { changes: { new: 0 } } });
  await other.close();
});
