/** In a run over several sites, what is said of a site is counted on that site alone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "./api-server.ts";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const db = folder.file("both.db");
const sites: RunningSite[] = [];
const linking = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(" ");
const nut = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });

const wellPages: Record<string, PageSpec> = { "/": `<p>A site that is well. ${linking("/a", "/b")}`, "/a": "first", "/b": "second" };
const illPages: Record<string, PageSpec> = {
  "/": `<p>A site that is ill. ${linking("/gone", "/no", "/bad", "/photo.jpg", "/x", "/old")}`,
  "/no": { status: 403 },
  "/bad": { status: 500 },
  "/x": `<p>One page. ${linking("/clip.mp4")}`,
  "/old": { status: 301, headers: { location: "/x" } },
};

beforeAll(async () => {
  sites.push(await serveSite(wellPages, { address: "127.0.31.71" }), await serveSite(illPages, { address: "127.0.31.72" }));
  const crawl = ["crawl", ...sites.map(({ origin }) => `${origin}/`), "--db", db, "--rate-limit", "none", "--retries", "0", "-q"];
  for (let run = 0; run < 2; run++) expect((await nut(...crawl)).code).toBe(0);
});
afterAll(async () => {
  for (const site of sites) await site.close();
  folder[Symbol.dispose]();
});

test("health and history of each site, and together they are the run", async () => {
  const server = await startServer(["--port", "0", "--db", db]);
  const { counters } = (await server.ask("GET", "/crawls/2")).body;
  const of = async (id: number) => ({
    health: (await server.ask("GET", `/sites/${id}`)).body.health,
    history: (await server.ask("GET", `/sites/${id}/history`)).body.data,
  });
  const [well, ill] = [await of(1), await of(2)];
  expect(well.health).toEqual({ errors: 0, failed: 0, refused: 0, skipped: 0, errorRate: 0 });
  expect(ill.health).toEqual({ errors: 3, failed: 1, refused: 1, skipped: 2, errorRate: 0.6 });
  expect(well.history).toMatchObject([
    { crawlId: 2, pages: 3, errors: 0, failed: 0, bytes: null },
    { crawlId: 1, pages: 3, errors: 0, failed: 0 },
  ]);
  expect(ill.history).toMatchObject([
    { crawlId: 2, pages: 2, errors: 3, failed: 1 },
    { crawlId: 1, pages: 2, errors: 3, failed: 1 },
  ]);
  const skipped = Object.values<number>(counters.skipped).reduce((sum, urls) => sum + urls, 0);
  expect(counters).toMatchObject({ pages: 5, errors: 3, gone: 1, refused: 1, failed: 1 });
  expect(skipped).toBe(2);
  await server.kill("SIGTERM");
});

test("the earlier runs of each site, on the command line", async () => {
  expect((await nut("sites", "show", "1", "--db", db)).stdout).toMatch(/before {4}run 1, begun .*, 3 pages\n/);
  expect((await nut("sites", "show", "2", "--db", db)).stdout).toMatch(/before {4}run 1, begun .*, 2 pages\n/);
});

test("nothing is made up of a run whose ledger was removed", async () => {
  expect((await nut("prune", "--older-than", "0s", "--yes", "--db", db)).code).toBe(0);
  const server = await startServer(["--port", "0", "--db", db]);
  const { data } = (await server.ask("GET", "/sites/2/history")).body;
  expect(data).toMatchObject([
    { crawlId: 2, pages: 2, errors: 3 },
    { crawlId: 1, pages: null, errors: null, failed: null, changes: { new: 2 } },
  ]);
  await server.kill("SIGTERM");
  expect((await nut("sites", "show", "2", "--db", db)).stdout).toMatch(/before {4}run 1, begun \S+\n/);
});
