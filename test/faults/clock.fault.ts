import { hostname } from "node:os";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, test } from "vitest";
import { nuthatch, start, tempFolder } from "../cli.ts";
import { gaps, generatedSite, type RunningSite, serveSite } from "../site/index.ts";
import { atWork } from "./at-work.ts";
import { isSound, pathsOf, query, recount } from "./ledger.ts";
import { mostWithin } from "./pace.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const HOUR = 3_600_000;
const DECADE = 10 * 365 * 24 * HOUR;
const PACE = 50;
const PAGES = 80;
const crawl = (site: RunningSite, db: string, ...more: string[]) => {
  const pace = ["--rate-limit", `${1000 / PACE}/s`, ...more];
  return ["crawl", `${site.origin}/`, "--db", db, "-q", "--json", ...pace];
};

const jumping = (jumps: readonly [number, number][]) => ({
  NODE_OPTIONS: `--import=${new URL("./shift-clock.mjs", import.meta.url).href}`,
  CLOCK_JUMPS: JSON.stringify(jumps),
});

describe.concurrent("a wall clock that jumps in mid-crawl changes neither the pace nor the end", () => {
  const ways: [string, string, [number, number][]][] = [
    ["an hour ahead", "127.0.34.1", [[1500, HOUR]]],
    ["an hour back", "127.0.34.2", [[1500, -HOUR]]],
    ["ten years ahead", "127.0.34.3", [[1500, DECADE]]],
    ["ten years back", "127.0.34.4", [[1500, -DECADE]]],
    [
      "to and fro, every 100 ms",
      "127.0.34.5",
      Array.from({ length: 100 }, (_, step) => [500 + 100 * step, [HOUR, -DECADE, 0, DECADE, -HOUR][step % 5]!]),
    ],
  ];
  test.each(ways)("%s", async (_, address, jumps) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: PAGES, links: 6, seed: 51, words: 40 });
    const site = await serveSite(generated.pages, { address, latency: 10 });
    const startedAt = performance.now();
    const ended = await nuthatch(crawl(site, db), { env: jumping(jumps) });
    expect(ended.code, ended.stderr).toBe(0);
    expect(performance.now() - startedAt, "no wait but the pace's own").toBeLessThan(3 * PAGES * PACE + 5000);
    expect(Math.min(...gaps(site.log)), "no burst").toBeGreaterThanOrEqual(PACE - 1);
    expect(pathsOf(db)).toEqual(generated.paths.toSorted());
    expect(JSON.parse(ended.stdout).stats).toMatchObject(recount(db));
    expect(JSON.parse(ended.stdout).durationMs).toBeGreaterThan(0);

    // Everything of that run bears the dates of the clock as it was; the next run does not mind.
    const asked = site.log.length;
    const againAt = performance.now();
    const again = await nuthatch(crawl(site, db));
    expect(again.code, again.stderr).toBe(0);
    expect(JSON.parse(again.stdout).stats).toMatchObject({ ...recount(db, 2), notModified: PAGES, bytes: 0 });
    expect(performance.now() - againAt).toBeLessThan(3 * PAGES * PACE + 5000);
    expect(Math.min(...gaps(site.log.slice(asked)))).toBeGreaterThanOrEqual(PACE - 1);
    isSound(db);
    await site.close();
  });
});

describe.concurrent("hosts whose next turn is written ten years ahead are asked at their pace", () => {
  // A process that is gone: no pid is as large.
  const dead = `${hostname()}/99999999/1/1`;
  const rows: [string, string, string][] = [
    ["free", "127.0.34.11", "owner = NULL, wanted_by = NULL"],
    ["leased to a dead process", "127.0.34.12", `owner = '${dead}', until = :then, wanted_by = NULL`],
    ["wanted by a dead process", "127.0.34.13", `owner = NULL, wanted_by = '${dead}', wanted_at = :then`],
    ["leased to and wanted by dead processes", "127.0.34.14", `owner = '${dead}', until = :then, wanted_by = '${dead}', wanted_at = :then`],
  ];
  test.each(rows)("%s", async (_, address, row) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: 12, links: 4, seed: 52 });
    const site = await serveSite(generated.pages, { address });
    expect((await nuthatch([...crawl(site, db), "--max-pages", "5"])).code).toBe(0);
    const database = new DatabaseSync(db);
    const then = Date.now() + DECADE;
    database.exec(`UPDATE host SET next_at = ${then}, delay = 1000, ${row.replaceAll(":then", String(then))}`);
    database.close();
    const startedAt = performance.now();
    const asked = site.log.length;
    const run = start(crawl(site, db));
    const stuck = setTimeout(() => run.kill("SIGKILL"), 30_000);
    const ended = await run.ended;
    clearTimeout(stuck);
    expect(ended.code, `${ended.signal ?? ended.stderr} ${JSON.stringify(query(db, "SELECT * FROM host"))}`).toBe(0);
    expect(pathsOf(db)).toEqual(generated.paths.toSorted());
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(Math.min(...gaps(site.log.slice(asked)))).toBeGreaterThanOrEqual(PACE - 1);
    await site.close();
  });
});

describe.concurrent("a process that stands still for ten seconds (SIGSTOP, as a suspended machine)", () => {
  test.each([
    ["one request at a time", "127.0.34.21", 1],
    ["three at a time, slower than their host's patience", "127.0.34.22", 3],
  ])("%s: goes on at its pace, and completes", async (_, address, perHost) => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const generated = generatedSite({ pages: PAGES, links: 6, seed: 53, words: 40 });
    const site = await serveSite(generated.pages, { address, latency: perHost === 1 ? 10 : 120 });
    const run = start(crawl(site, db, "--per-host", String(perHost), "--timeout", "4s"));
    await atWork(run, site, 20);
    run.kill("SIGSTOP");
    await sleep(10_000);
    const asked = site.log.length;
    run.kill("SIGCONT");
    const ended = await run.ended;
    expect(ended.code, ended.stderr).toBe(0);
    expect(pathsOf(db)).toEqual(generated.paths.toSorted());
    expect(JSON.parse(ended.stdout).stats).toMatchObject(recount(db));
    const after = site.log.slice(asked);
    expect(Math.min(...gaps(after)), "no burst").toBeGreaterThanOrEqual(perHost === 1 ? PACE - 1 : PACE / 2);
    expect(mostWithin(after, 1000)).toBeLessThanOrEqual(1000 / PACE + 1);
    expect(site.log.length - PAGES - 1, "only what was in flight is repeated").toBeLessThanOrEqual(perHost);
    await site.close();
  });
});
