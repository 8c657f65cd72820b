import { expect, test } from "vitest";
import { nuthatch, type Started, start, tempFolder } from "../cli.ts";
import { type GeneratedSite, generatedSite, type RunningSite, serveSite } from "../site/index.ts";
import { atWork } from "./at-work.ts";
import { count, isSound, pathsOf, recount } from "./ledger.ts";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const CONCURRENCY = 4;
const fetches = (site: RunningSite) => site.log.map(({ path }) => path).filter((path) => path !== "/robots.txt");

/** The rate alone makes it this long: no crawl of `pages` pages can end before. */
const args = (site: RunningSite, db: string, perSecond: number) => {
  const pace = ["--rate-limit", `${perSecond}/s`, "--per-host", String(CONCURRENCY), "--max-concurrent", String(CONCURRENCY)];
  return ["crawl", `${site.origin}/`, "--db", db, "-q", "--json", ...pace];
};

/** How long a process takes from its start to its first request. */
async function firstRequest(site: RunningSite, run: Started): Promise<number> {
  const before = site.log.length;
  const startedAt = performance.now();
  await atWork(run, site, 1);
  return site.log[before]!.at - startedAt;
}

async function finish(command: string[], generated: GeneratedSite, db: string): Promise<void> {
  const last = await nuthatch(command);
  expect(last.code, last.stderr).toBe(0);
  isSound(db);
  expect(count(db, "FROM run"), "one run, resumed").toBe(1);
  expect(count(db, "FROM decision WHERE reason = 'crash'")).toBe(0);
  expect(pathsOf(db)).toEqual(generated.paths.toSorted());
  const { stats } = JSON.parse(last.stdout) as { stats: object };
  expect(stats).toMatchObject(recount(db));
}

test("SIGKILL at 50 random moments of a crawl of 5,000 pages that lasts a minute undisturbed", async () => {
  using folder = tempFolder();
  const db = folder.file("site.db");
  const [pages, kills, perSecond] = [5000, 50, 80];
  expect(pages / perSecond).toBeGreaterThanOrEqual(60);
  const generated = generatedSite({ pages, links: 8, seed: 21, words: 40 });
  const site = await serveSite(generated.pages, { address: "127.0.31.1", latency: 5 });
  const waits: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const run = start(args(site, db, perSecond));
    const settled = kill === 0 ? 0 : count(db, "FROM page");
    waits.push(await firstRequest(site, run));
    // A start has made progress when there are more pages than before; then any moment will do.
    while (!hasMore(db, settled)) await atWork(run, site, 1);
    await sleep(Math.random() * 1000);
    run.kill("SIGKILL");
    expect((await run.ended).signal, "every kill hits a crawl at work").toBe("SIGKILL");
  }
  await finish(args(site, db, perSecond), generated, db);
  expect(Math.max(...waits), "each start is ready in two seconds").toBeLessThan(2000);
  expect(fetches(site).length - pages, "repeats").toBeLessThanOrEqual(kills * CONCURRENCY);
  await site.close();
});

test("SIGTERM 20 times: nothing is asked for twice", async () => {
  using folder = tempFolder();
  const db = folder.file("site.db");
  const generated = generatedSite({ pages: 1500, links: 8, seed: 22, words: 40 });
  const site = await serveSite(generated.pages, { address: "127.0.31.2", latency: 20 });
  for (let stop = 0; stop < 20; stop++) {
    const run = start(args(site, db, 80));
    await firstRequest(site, run);
    await sleep(Math.random() * 700);
    const askedAt = performance.now();
    run.kill("SIGTERM");
    expect((await run.ended).code).toBe(143);
    expect(performance.now() - askedAt).toBeLessThan(10_000);
  }
  await finish(args(site, db, 80), generated, db);
  expect(fetches(site)).toHaveLength(1500);
  expect(new Set(fetches(site)).size).toBe(1500);
  await site.close();
});

/** While the other process has just made the file, it may have no tables yet. */
function hasMore(db: string, than: number): boolean {
  try {
    return count(db, "FROM page") > than;
  } catch {
    return false;
  }
}
