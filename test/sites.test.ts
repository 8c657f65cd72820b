import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const sites: RunningSite[] = [];
const fast = ["--rate-limit", "none"];
const run = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
const crawl = (...args: string[]) => nuthatchHere(["crawl", ...args, ...fast], { cwd: folder.path });
const count = (from: string): number => {
  const database = new DatabaseSync(folder.file("nuthatch.db"), { readOnly: true });
  const { rows } = database.prepare(`SELECT count(*) AS rows ${from}`).get() as { rows: number };
  database.close();
  return rows;
};

beforeAll(async () => {
  for (const [address, links] of [
    ["127.0.34.31", 2],
    ["127.0.34.32", 3],
    ["127.0.34.33", 1],
  ] as const) {
    const pages: Record<string, string> = { "/": `<p>${address}</p>` };
    for (let page = 1; page <= links; page++) {
      pages["/"] += `<a href="/${page}">${page}</a>`;
      pages[`/${page}`] = `<p>page ${page} of ${address}</p>`;
    }
    sites.push(await serveSite(pages, { address }));
  }
  const [a, b, c] = sites.map(({ origin }) => origin) as [string, string, string];
  await crawl(a, b, "-q", "--save", "raw,links");
  await crawl(a, "-q");
  await crawl(c, "-q", "--max-pages", "1");
});
afterAll(async () => {
  for (const site of sites) await site.close();
  folder[Symbol.dispose]();
});

describe("sites", () => {
  test("are listed with their pages, how the last run ended, and what to do next", async () => {
    const { sites: found } = JSON.parse((await run("sites", "--json")).stdout) as { sites: object[] };
    const [a, b, c] = sites.map(({ origin }) => `${origin}/`);
    expect(found).toMatchObject([
      {
        id: 1,
        url: a,
        pages: 3,
        gone: 0,
        runs: 2,
        lastRun: 2,
        ended: "finished",
        changes: { new: 0, same: 3 },
        next: `nuthatch crawl ${a}`,
      },
      { id: 2, url: b, pages: 4, runs: 1, lastRun: 1, changes: { new: 4, same: 0 } },
      { id: 3, url: c, pages: 1, runs: 1, lastRun: 3, ended: "limit.pages", next: "nuthatch resume 3 --max-pages 10000" },
    ]);
    expect((await run("sites")).stdout).toMatch(/^id +pages +lastRun +ended .*next\n1 +3 +2 +finished /);
  });

  test("are shown by number, URL or a part of it", async () => {
    for (const name of ["2", sites[1]!.origin, "34.32", sites[1]!.origin.toUpperCase(), sites[1]!.origin.replace(/(:\d+)$/, ".$1")]) {
      const { code, stdout } = await run("sites", "show", name);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^http:\/\/127\.0\.34\.32.*\n {2}pages {5}4\n[\s\S]*next {6}nuthatch crawl http/),
      ]);
    }
  });

  test.each([
    ["a site nobody knows", ["sites", "show", "nowhere"], /no site matches nowhere\n {2}try: known here: http/],
    ["no site", ["sites", "show"], /which site/],
    ["a part that many have", ["sites", "show", "127.0.34"], /more than one site matches/],
    ["a verb nobody knows", ["sites", "shwo"], /did you mean nuthatch sites show\?/],
    ["a removal of a site nobody knows", ["sites", "rm", "nowhere"], /no site matches nowhere/],
    ["a removal without a yes", ["sites", "rm", "1"], /needs your yes\n {2}try: add --yes, or --dry-run/],
  ] as [string, string[], RegExp][])("%s is refused", async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
  });

  test("are removed with all that is theirs; runs that visited others too carry on without them", async () => {
    const before = { links: count("FROM link"), decisions: count("FROM decision") };
    const dry = await run("sites", "rm", "1", "--dry-run");
    expect(dry.stdout).toMatch(
      /^Would remove http:\/\/127\.0\.34\.31\S+: 1 site, 1 run, 1 ledger of a run, 6 decisions, .*3 pages, 3 versions/,
    );
    expect(count("FROM site")).toBe(3);
    const removed = JSON.parse((await run("sites", "rm", "1", "--yes", "--json")).stdout) as { removes: object };
    expect(removed).toMatchObject({
      removed: true,
      removes: { sites: 1, runs: 1, ledgers: 1, decisions: 6, pages: 3, versions: 3, bodies: 3 },
    });
    expect([count("FROM site"), count("FROM run"), count("FROM page WHERE site_id = 1"), count("FROM decision")]).toEqual([
      2,
      2,
      0,
      before.decisions - 6,
    ]);
    expect(count("FROM link")).toBe(before.links - 2);
    expect(count("FROM link l WHERE NOT EXISTS (SELECT 1 FROM link_source WHERE link_id = l.id)")).toBe(0);
    const shared = JSON.parse((await run("runs", "show", "1", "--json")).stdout) as { run: object };
    expect(shared.run).toMatchObject({ seeds: [`${sites[1]!.origin}/`], sites: [{ id: 2 }], counters: { pages: 4 } });
    const checked = await run("db", "check");
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining("is sound: 2 sites, 2 runs, 5 pages")]);
    expect((await run("sites", "rm", "1", "--yes")).code, "it is not there any more").toBe(2);
    const again = JSON.parse((await crawl(sites[0]!.origin, "--json")).stdout) as object;
    expect(again).toMatchObject({ run: 4, stats: { changes: { new: 3 } } });
  });
});
