import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import { hasTerminal, nuthatch, start, startOnTerminal, tempFolder } from "./cli.ts";
import { atWork } from "./faults/at-work.ts";
import { nuthatchHere } from "./in-process.ts";
import { generatedSite, serveSite } from "./site/index.ts";

const count = (db: string, from: string): number => {
  const database = new DatabaseSync(db, { readOnly: true });
  try {
    return Number((database.prepare(`SELECT count(*) AS rows ${from}`).get() as { rows: number }).rows);
  } finally {
    database.close();
  }
};

describe("runs stop", () => {
  test("stops a run of another process as Ctrl-C does, waits for it, and names the command that carries on", async () => {
    using folder = tempFolder();
    const generated = generatedSite({ pages: 60, links: 4, seed: 3, words: 20 });
    const site = await serveSite(generated.pages, { address: "127.0.34.1", latency: 30 });
    const run = start(["crawl", `${site.origin}/`, "--rate-limit", "10/s", "--json"], { cwd: folder.path });
    await atWork(run, site, 5);
    const active = await nuthatchHere(["runs", "--active", "--fields", "run,ended"], { cwd: folder.path });
    expect(active.stdout).toBe("run  ended\n1    running\n");
    const stopped = await nuthatch(["runs", "stop", "1"], { cwd: folder.path });
    expect([stopped.code, stopped.stderr]).toEqual([0, expect.stringContaining("asked to stop")]);
    expect(stopped.stdout).toMatch(/^Run 1 has ended: stopped, \d+ pages?\n {2}resume {4}nuthatch resume 1\n$/);
    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(130);
    expect(ended.stderr).toContain("Asked to stop by nuthatch runs stop");
    expect(JSON.parse(ended.stdout)).toMatchObject({ stopReason: "stopped", resumeCommand: "nuthatch resume 1" });
    expect((await nuthatchHere(["runs", "--active"], { cwd: folder.path })).stdout).toBe("");
    const resumed = await nuthatchHere(["resume", "1", "--rate-limit", "none", "--json"], { cwd: folder.path });
    expect([resumed.code, JSON.parse(resumed.stdout).stats.pages]).toEqual([0, 60]);
    expect(site.log.map(({ path }) => path).filter((path) => path !== "/robots.txt")).toHaveLength(60);
    await site.close();
  });

  test("without a number stops the only one at work, though it waits for a slow host", async () => {
    using folder = tempFolder();
    const pages = {
      "/robots.txt": { body: "User-agent: *\nCrawl-delay: 50", headers: { "Content-Type": "text/plain" } },
      "/": '<a href="/a">a</a>',
    };
    const site = await serveSite(pages, { address: "127.0.34.2" });
    const run = start(["crawl", site.origin, "-q"], { cwd: folder.path });
    await atWork(run, site, 1);
    const stopped = await nuthatchHere(["runs", "stop", "--json"], { cwd: folder.path });
    expect(JSON.parse(stopped.stdout)).toMatchObject({ run: 1, status: "stopped", resumeCommand: "nuthatch resume 1" });
    expect((await run.ended).code).toBe(130);
    await site.close();
  });

  test("says so when nobody is crawling", async () => {
    using folder = tempFolder();
    const site = await serveSite({ "/": "one page" }, { address: "127.0.34.3" });
    await nuthatchHere(["crawl", site.origin, "-q"], { cwd: folder.path });
    const none = await nuthatchHere(["runs", "stop"], { cwd: folder.path });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("nobody is crawling into this file")]);
    const one = await nuthatchHere(["runs", "stop", "1"], { cwd: folder.path });
    expect([one.code, one.stderr]).toEqual([2, expect.stringContaining("nobody is crawling run 1: finished")]);
    await site.close();
  });
});

describe("runs rm", () => {
  test("removes a run and what only it holds, after a yes; later runs keep what they need", async () => {
    using folder = tempFolder();
    const db = folder.file("nuthatch.db");
    const pages: Record<string, string> = { "/": '<a href="/a">a</a><a href="/b">b</a>', "/a": "a page", "/b": "another page" };
    const site = await serveSite(({ path }) => pages[path], { address: "127.0.34.4" });
    const crawl = (path: string) => nuthatchHere(["crawl", `${site.origin}${path}`, "--rate-limit", "none", "-q"], { cwd: folder.path });
    const run = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
    await crawl("/");
    pages["/a"] = "a page that has changed since";
    await crawl("/");
    const mistakes: [string, string[], RegExp][] = [
      ["without a yes", ["runs", "rm", "1"], /needs your yes\n {2}try: add --yes/],
      ["of a run that is not there", ["runs", "rm", "9"], /no run 9/],
      ["of no run", ["runs", "rm", "--yes"], /which run/],
    ];
    for (const [what, args, message] of mistakes) {
      const { code, stderr } = await run(...args);
      expect([what, code, stderr]).toEqual([what, 2, expect.stringMatching(message)]);
    }
    const dry = JSON.parse((await run("runs", "rm", "1", "--dry-run", "--json")).stdout) as { removes: object };
    expect(dry).toMatchObject({ dryRun: true, removed: false, removes: { runs: 1, decisions: 3, changes: 3, pages: 0, versions: 0 } });
    expect(count(db, "FROM decision")).toBe(6);
    const removed = JSON.parse((await run("runs", "rm", "1", "--yes", "--json")).stdout) as { removes: object };
    expect(removed).toMatchObject({ dryRun: false, removed: true, removes: dry.removes });
    expect([count(db, "FROM decision"), count(db, "FROM page"), count(db, "FROM page_version"), count(db, "FROM run")]).toEqual([
      3, 3, 4, 1,
    ]);
    expect((await run("db", "check")).code).toBe(0);

    // The next run knows all of it, and has a number that was never given.
    const third = await nuthatchHere(["crawl", `${site.origin}/`, "--rate-limit", "none", "--json"], { cwd: folder.path });
    expect(JSON.parse(third.stdout)).toMatchObject({ run: 3, stats: { changes: { new: 0, same: 3 } } });
    await run("runs", "rm", "3", "--yes");
    const fourth = await nuthatchHere(["crawl", `${site.origin}/`, "--rate-limit", "none", "--json"], { cwd: folder.path });
    expect(JSON.parse(fourth.stdout)).toMatchObject({ run: 4, stats: { changes: { new: 0, same: 3 } } });
    await site.close();
  });

  test("takes the pages with it that no other run knows, and their bodies", async () => {
    using folder = tempFolder();
    const db = folder.file("nuthatch.db");
    const site = await serveSite({ "/": '<a href="/a">a</a>', "/a": "a page" }, { address: "127.0.34.5" });
    await nuthatchHere(["crawl", site.origin, "--rate-limit", "none", "-q"], { cwd: folder.path });
    const { stdout } = await nuthatch(["runs", "rm", "1", "--yes"], { cwd: folder.path });
    expect(stdout).toMatch(/^Removed run 1: 1 run, 2 decisions, 2 recorded changes, 2 pages, 2 versions, 2 stored bodies/);
    expect(["run", "decision", "change", "page", "page_version", "body"].map((table) => count(db, `FROM ${table}`))).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
    await site.close();
  });

  test("never removes a run that is at work, nor one of the same site meanwhile", async () => {
    using folder = tempFolder();
    const generated = generatedSite({ pages: 40, links: 4, seed: 4, words: 20 });
    const site = await serveSite(generated.pages, { address: "127.0.34.6", latency: 30 });
    await nuthatchHere(["crawl", `${site.origin}/`, "--rate-limit", "none", "--max-pages", "3", "-q"], { cwd: folder.path });
    const crawl = start(["crawl", `${site.origin}/`, "--rate-limit", "5/s", "-q"], { cwd: folder.path });
    await atWork(crawl, site, 3);
    for (const number of ["1", "2"]) {
      const { code, stderr } = await nuthatchHere(["runs", "rm", number, "--yes"], { cwd: folder.path });
      expect([code, stderr]).toEqual([5, expect.stringMatching(/run 2 .*still at work\n {2}try: .*nuthatch runs stop 2/)]);
    }
    const sites = await nuthatchHere(["sites", "rm", "1", "--yes"], { cwd: folder.path });
    expect([sites.code, sites.stderr]).toEqual([5, expect.stringContaining("still at work")]);
    const vacuum = await nuthatchHere(["db", "vacuum"], { cwd: folder.path });
    expect([vacuum.code, vacuum.stderr]).toEqual([5, expect.stringContaining("run 2 is still at work")]);
    crawl.kill("SIGKILL");
    await crawl.ended;
    expect((await nuthatchHere(["runs", "rm", "2", "--yes"], { cwd: folder.path })).code, "a dead one is removed").toBe(0);
    expect((await nuthatchHere(["db", "check"], { cwd: folder.path })).code).toBe(0);
    await site.close();
  });

  test.skipIf(!hasTerminal)("asks on a terminal, and a no changes nothing", async () => {
    using folder = tempFolder();
    const site = await serveSite({ "/": "one page" }, { address: "127.0.34.7" });
    await nuthatchHere(["crawl", site.origin, "-q"], { cwd: folder.path });
    for (const [keys, rows] of [
      ["n\n", 1],
      ["y\n", 0],
    ] as const) {
      const asked = startOnTerminal(["runs", "rm", "1"], { cwd: folder.path });
      await asked.shows("This removes run 1: 1 run");
      await asked.shows("Remove it? [y/N] ");
      asked.type(keys);
      expect(await asked.ended).toMatchObject({
        code: 0,
        screen: expect.stringContaining(rows === 1 ? "Nothing was removed." : "Removed run 1"),
      });
      expect(count(folder.file("nuthatch.db"), "FROM run")).toBe(rows);
    }
    await site.close();
  });
});

test("a run whose removal was killed in the middle is not taken up again", async () => {
  using folder = tempFolder();
  const db = folder.file("nuthatch.db");
  const site = await serveSite({ "/": '<a href="/a">a</a>', "/a": '<a href="/b">b</a>', "/b": "b" }, { address: "127.0.34.8" });
  await nuthatchHere(["crawl", site.origin, "--rate-limit", "none", "--max-pages", "1", "-q"], { cwd: folder.path });
  const database = new DatabaseSync(db);
  database.exec("UPDATE run SET pruned_at = 1; DELETE FROM decision");
  database.close();
  const resumed = await nuthatchHere(["resume", "1", "--max-pages", "9"], { cwd: folder.path });
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringMatching(/its ledger was removed\n {2}try: crawl again/)]);
  const again = await nuthatchHere(["crawl", site.origin, "--rate-limit", "none", "--json"], { cwd: folder.path });
  expect(JSON.parse(again.stdout)).toMatchObject({ run: 2, stats: { pages: 3, changes: { new: 2, same: 1 } } });
  await site.close();
});
