/** What is told of a run that stopped at a limit, and of pages that the next could not reach. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { nuthatch, tempFolder } from "./cli.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const fast = ["--rate-limit", "1000/s", "--retries", "0"];
let site: RunningSite;
let isDown = false;

beforeAll(async () => {
  const links = Array.from({ length: 12 }, (_, index) => `<a href="/p${index}">page ${index}</a>`).join(" ");
  site = await serveSite(
    ({ path }) => {
      if (path === "/") return links;
      if (path === "/p3" && isDown) return { status: 500, body: "no" };
      return /^\/p\d+$/.test(path) ? `<p>the text of page ${path}</p>` : undefined;
    },
    { address: "127.0.84.5" },
  );
});
afterAll(async () => {
  await site.close();
  folder[Symbol.dispose]();
});

test("a run that is resumed names the limit that ended it, and a command that goes on from there", async () => {
  const db = folder.file("limit.db");
  const first = await nuthatch(["crawl", site.origin, "--max-pages", "3", "--db", db, ...fast]);
  expect(first.stderr).toMatch(/Stopped at --max-pages 3 /);
  const second = await nuthatch(["resume", "--max-pages", "5", "--db", db, ...fast]);
  expect(second.stderr).toMatch(/Stopped at --max-pages 5 /);
  const [, again] = /resume +nuthatch (resume 1 --max-pages 10000) --db/.exec(second.stderr)!;
  expect((await nuthatch(["runs", "show", "1", "--db", db])).stdout).toMatch(/Stopped at --max-pages 5 [\s\S]*resume 1 --max-pages 10000/);
  expect((await nuthatch([...again!.split(" "), "--db", db, ...fast])).stderr).toMatch(/Finished[\s\S]*pages +13 /);
});

test("pages --change unknown lists what the summary counts as unknown", async () => {
  const db = folder.file("unknown.db");
  const crawl = () => nuthatch(["crawl", site.origin, "--db", db, "--json", ...fast]);
  expect((await crawl()).code).toBe(0);
  const unknown = async (...more: string[]) => {
    const { stdout } = await nuthatch(["pages", "--change", "unknown", ...more, "--json", "--db", db]);
    return (JSON.parse(stdout) as { pages: { url: string; change: string }[] }).pages;
  };
  expect(await unknown()).toEqual([]);
  isDown = true;
  const { stats } = JSON.parse((await crawl()).stdout) as { stats: { changes: { unknown: number } } };
  expect(stats.changes.unknown).toBe(1);
  expect(await unknown()).toMatchObject([{ url: `${site.origin}/p3`, change: "unknown" }]);
  isDown = false;
  await crawl();
  expect(await unknown()).toEqual([]);
});
