/** One number for one thing, wherever it is told: three real crawls of one site, and every place that counts them. docs/counts.md says what each number means. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "./api-server.ts";
import { nuthatchBin, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const db = folder.file("nuthatch.db");
const document = (title: string, text: string, more = "") =>
  `<!doctype html><html lang=en><title>${title}</title><h1>${title}</h1><p>${text}</p>${more}`;
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path.slice(1)}</a>`).join(" ");

let run = 0;
let site: RunningSite;
let server: RunningServer;
const named = ["a", "b", "copy", "old", "missing", "broken", "forbidden", "private/x", "pdf", "login", "flaky", "moves", "goes1", "goes2"];
const editions = ["first one of them", "second one, quite another", "third and last, again another"];
const pages: Record<string, () => PageSpec> = {
  "/robots.txt": () => ({
    headers: { "content-type": "text/plain" },
    body: `User-agent: *\nDisallow: /private/\nSitemap: ${site.origin}/sitemap.xml\n`,
  }),
  "/sitemap.xml": () => ({
    headers: { "content-type": "application/xml" },
    body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.origin}/lonely</loc></url></urlset>`,
  }),
  "/": () => {
    const others = [...(run < 3 ? ["/quiet"] : []), ...(run > 1 ? ["/fresh"] : []), "http://elsewhere.test/"];
    return document("Home", "Welcome to the town.", links(...named.map((name) => `/${name}`), ...others));
  },
  "/a": () => ({ body: document("A", "Text that stays."), etag: true }),
  "/copy": () => ({ body: document("A", "Text that stays."), etag: true }),
  "/b": () => document("B", `Of all editions this is the ${editions[run - 1]}.`),
  "/old": () => ({ status: 301, headers: { location: "/a" } }),
  "/broken": () => ({ status: 500, body: "broken" }),
  "/forbidden": () => ({ status: 403, body: "no" }),
  "/pdf": () => ({ headers: { "content-type": "application/pdf" }, body: "%PDF-1.4" }),
  "/login": () =>
    document(
      "Log in",
      "Please log in.",
      '<form method="post"><input name="user"><input type="password" name="pass"><button>Log in</button></form>',
    ),
  "/flaky": () => (run === 2 ? { status: 500, body: "x" } : document("Flaky", "Here most of the time.")),
  "/moves": () => (run > 1 ? { status: 301, headers: { location: "/a" } } : document("Moves", "It will move away.")),
  "/goes1": () => (run > 1 ? { status: 404 } : document("Goes 1", "It will go in run two.")),
  "/goes2": () => (run > 2 ? { status: 404 } : document("Goes 2", "It will go in run three.")),
  "/quiet": () => document("Quiet", "In the end nobody names me."),
  "/lonely": () => document("Lonely", "Only the sitemap names me."),
  "/fresh": () => document("Fresh", "New in run two."),
};

const nut = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
// biome-ignore lint/suspicious/noExplicitAny: what is expected of a document is in the expectations
type Told = any;
const json = async (...args: string[]): Promise<Told> => JSON.parse((await nut(...args, "--json")).stdout);
const ask = async (path: string): Promise<Told> => (await server.ask("GET", path)).body;
const rows = (sql: string) => {
  const data = new DatabaseSync(db, { readOnly: true });
  try {
    return data.prepare(sql).all() as Told[];
  } finally {
    data.close();
  }
};
const numberOf = (sql: string) => Number(Object.values(rows(sql)[0])[0]);

/** What each crawl said of itself when it ended. */
const crawls: Told[] = [];
/** What was told of the site right after each. */
const after: { site: Told; pages: Told; changes: Told }[] = [];

beforeAll(async () => {
  site = await serveSite(({ path }) => pages[path]?.(), { address: "127.0.66.77" });
  for (run = 1; run <= 3; run++) {
    const args = ["--rate-limit", "none", "--retries", "0", "-k", "text", ...(run === 3 ? ["--prune"] : [])];
    crawls.push(await json("crawl", `${site.origin}/`, ...args));
    after.push({ site: (await json("sites")).sites[0], pages: await json("pages", "--limit", "1"), changes: await json("changes") });
  }
  server = await startServer(["--db", db, "--port", "0"]);
}, 60_000);
afterAll(async () => {
  await server.kill("SIGTERM");
  await site.close();
  folder[Symbol.dispose]();
});

const KINDS = ["new", "changed", "gone", "unlinked", "unknown"] as const;

describe.each([1, 2, 3])("run %i", (id) => {
  test("the summary, `runs`, the API and the views say the same numbers", async () => {
    const { stats } = crawls[id - 1];
    const [listed] = (await json("runs")).runs.filter((one: Told) => one.id === id);
    const told = await ask(`/crawls/${id}`);
    const [history] = (await ask("/sites/1/history")).data.filter((one: Told) => one.crawlId === id);
    expect(listed.counters).toEqual(stats);
    expect(told.counters).toEqual(stats);
    expect(history).toMatchObject({ pages: stats.pages, errors: stats.errors, bytes: stats.bytes, changes: stats.changes });
    expect(rows(`SELECT pages, status, stop_reason FROM v_runs WHERE id = ${id}`)).toEqual([
      { pages: stats.pages, status: "finished", stop_reason: "finished" },
    ]);
    expect([listed.status, told.status, history.status, told.stopReason]).toEqual(Array(4).fill("finished"));
  });

  test("its pages are those that were new, changed, the same or unlinked, and its changes are in the views, the lists and the feed", async () => {
    const { stats } = crawls[id - 1];
    const { changes, moved = 0, pages: seen, fetched, notModified } = stats;
    expect(seen).toBe(changes.new + changes.changed - moved + changes.same + changes.unlinked);
    expect(seen).toBe(fetched + notModified);
    const byKind = Object.fromEntries(KINDS.map((kind) => [kind, changes[kind]]));
    const counted = (list: readonly Told[]) =>
      Object.fromEntries(KINDS.map((kind) => [kind, list.filter((one) => one.change === kind).length]));
    expect(counted(rows(`SELECT change FROM v_changes WHERE run_id = ${id}`))).toEqual(byKind);
    const all = await ask(`/crawls/${id}/changes?anyVerdict=true&limit=1000&count=true`);
    expect([counted(all.data), all.page.total]).toEqual([byKind, all.data.length]);
    const lines = (await nut("export", "jsonl", "--what", "changes", "--run", String(id), "--any-verdict")).stdout.trim().split("\n");
    expect(counted(lines.map((line) => JSON.parse(line)))).toEqual(byKind);
    const feed = id === 1 ? after[0]!.changes : await json("changes", "--between", String(id - 1), String(id), "--any-verdict");
    const { leftOut } = feed;
    expect({ ...feed.counts, new: feed.counts.new + leftOut }).toEqual(byKind);
    const listed = feed.pages.reduce((sum: number, { alsoOn }: Told) => sum + 1 + alsoOn.length, 0);
    const { unknown: _, ...heard } = feed.counts;
    expect(listed).toBe(Object.values<number>(heard).reduce((sum, number) => sum + number, 0));
  });

  test("its errors are what the server did not give, and what we skip is never among them", async () => {
    const { errors, gone, refused, failed, skipped, status } = crawls[id - 1].stats;
    expect(errors).toBe(gone + refused + failed);
    expect([refused, skipped]).toEqual([1, { "robots.disallow": 1, "scope.host": 1, type: 1 }]);
    expect(errors).toBe(status["4xx"] + status["5xx"]);
    expect((await ask(`/crawls/${id}/errors?count=true&limit=1`)).page.total).toBe(errors);
    expect(numberOf(`SELECT count(*) FROM v_decisions WHERE run_id = ${id} AND verdict = 'failed'`)).toBe(errors);
    expect(numberOf(`SELECT count(*) FROM v_decisions WHERE run_id = ${id} AND verdict = 'skipped'`)).toBe(3);
    expect((await ask(`/crawls/${id}/decisions?verdict=skipped&count=true&limit=1`)).page.total).toBe(3);
    const hosts = (await ask(`/crawls/${id}/hosts`)).data;
    expect(hosts.reduce((sum: number, host: Told) => sum + host.failed, 0)).toBe(errors);
    const { stderr } = await nut("runs", "show", String(id), "--no-color");
    expect(stderr).toBe("");
    expect((await nut("runs", "show", String(id))).stdout).toContain(`errors ${errors} (4xx ${status["4xx"]}, 5xx ${status["5xx"]})`);
  });

  test("what `sites` and `pages` said after it was the same", () => {
    const { stats } = crawls[id - 1];
    const { site: told, pages: listed } = after[id - 1]!;
    expect([told.lastRun, told.changes]).toEqual([id, stats.changes]);
    expect(listed).toMatchObject({ total: told.pages, hasMore: true, rest: expect.stringContaining("--limit none") });
    // Every page that is there was seen in this run, or not reached.
    expect(told.pages).toBe(stats.pages + stats.changes.unknown);
  });
});

test("a site has as many pages in every list, view, picture and copy", async () => {
  const { pages: there, gone } = after[2]!.site;
  expect([there, gone]).toEqual([9, 1]); // /moves redirects; what answered 404 was pruned
  const told = await ask("/sites/1");
  expect(told.counts).toMatchObject({ pages: there, gone, crawls: 3 });
  for (const path of ["/sites/1/pages?count=true&limit=1", "/pages?count=true&limit=1", "/pages?siteId=1&count=true&limit=1"])
    expect((await ask(path)).page.total, path).toBe(there);
  expect((await ask("/sites/1/pages?gone=any&count=true&limit=1")).page.total).toBe(there + gone);
  expect((await ask("/sites/1/pages?gone=true")).data.map((page: Told) => new URL(page.url).pathname)).toEqual(["/moves"]);
  expect((await ask("/crawls/3/pages?count=true&limit=1")).page.total).toBe(crawls[2].stats.pages);
  const tree = (await ask("/sites/1/tree")).data;
  expect(tree).toEqual([expect.objectContaining({ pages: there, gone, changed: crawls[2].stats.changes.changed })]);
  expect((await ask("/sites/1/graph")).nodes).toHaveLength(there);
  expect(numberOf("SELECT count(*) FROM v_pages WHERE is_gone = 0")).toBe(there);
  expect(numberOf("SELECT count(*) FROM content")).toBe(there);
  expect(numberOf("SELECT count(*) FROM page_legacy")).toBe(there);
  expect((await json("db", "check")).pages).toBe(there);
  expect((await json("pages", "--gone", "--limit", "none")).total).toBe(there + gone);
  // A login page is no page of the site for those who read it.
  expect((await nut("export", "sitemap")).stdout.match(/<loc>/g)).toHaveLength(there - 1);
  const { health } = told;
  expect(health).toMatchObject({ errors: crawls[2].stats.errors, refused: 1, skipped: 3 });
});

test("what was pruned is told still, by its name, and nothing else of it is kept", async () => {
  expect(numberOf("SELECT count(*) FROM page WHERE url LIKE '%/goes%'")).toBe(0);
  const feed = await json("changes");
  expect(feed.counts.gone).toBe(1);
  expect(feed.pages.filter((page: Told) => page.change === "gone")).toMatchObject([{ url: `${site.origin}/goes2`, title: "Goes 2" }]);
  expect((await nut("export", "feed")).stdout).toContain("gone: Goes 2");
  const goneIn = async (id: number) => (await ask(`/crawls/${id}/changes?change=gone`)).data.map((one: Told) => new URL(one.url).pathname);
  expect([await goneIn(2), await goneIn(3)]).toEqual([["/goes1"], ["/goes2"]]);
  expect((await nut("db", "check")).code).toBe(0);
});

test.each(["runs", "sites", "pages", "links", "keywords", "hosts", "ignore"])(
  "%s --json says its total, and how to get the rest",
  async (list) => {
    const whole = await json(list, "--limit", "none");
    const name = list === "ignore" ? "ignored" : list;
    expect(whole).toMatchObject({ total: whole[name].length, hasMore: false });
    expect(whole).not.toHaveProperty("rest");
    if (whole.total < 2) return;
    const cut = await json(list, "--limit", "1");
    expect(cut).toMatchObject({ total: whole.total, hasMore: true, rest: expect.stringContaining("--limit none") });
    expect(cut[name]).toHaveLength(1);
  },
);

test("a list of the API that is whole says its total unasked, and one that goes on says how", async () => {
  for (const path of [
    "/sites",
    "/crawls",
    "/sites/1/pages",
    "/crawls/3/hosts",
    "/sites/1/history",
    "/crawls/3/errors",
    "/pages/1/versions",
  ]) {
    const { data, page } = await ask(path);
    expect(page, path).toMatchObject({ total: data.length, nextCursor: null });
  }
  expect((await ask("/pages/1/links?limit=1")).page).toMatchObject({ total: expect.any(Number), nextCursor: expect.any(String) });
});

describe("how a run ended is one word, and another for each end", () => {
  const own = tempFolder();
  const said = new Map<string, Told>();
  let other: RunningSite;
  let api: RunningServer;

  beforeAll(async () => {
    const slow = (): PageSpec => ({ body: document("Slow", "word", links("/1", "/2", "/3")), delay: 300 });
    other = await serveSite(({ path }) => (path === "/robots.txt" ? { status: 404 } : slow()), { address: "127.0.66.78" });
    const crawl = (place: string, ...more: string[]) => nuthatchHere(["crawl", place, "--rate-limit", "none", ...more], { cwd: own.path });
    await crawl(`${other.origin}/done`, "--scope", "page");
    await crawl(`${other.origin}/limit`, "--max-pages", "1");
    await crawl("http://127.0.66.79:9/", "--retries", "0");
    for (const [path, signal] of [
      ["/stop", "SIGINT"],
      ["/dies", "SIGKILL"],
    ] as const) {
      const child = spawn(process.execPath, [nuthatchBin, "crawl", `${other.origin}${path}`, "--rate-limit", "30/m", "--events"], {
        cwd: own.path,
        stdio: ["ignore", "pipe", "ignore"],
      });
      await once(child.stdout!, "data");
      while (!other.log.some((request) => request.path === path)) await once(child.stdout!, "data");
      child.kill(signal);
      child.stdout!.resume();
      await once(child, "exit");
    }
    const { stdout } = await nuthatchHere(["runs", "--json"], { cwd: own.path });
    for (const one of JSON.parse(stdout).runs) said.set(new URL(one.seeds[0]).pathname, one);
    api = await startServer(["--db", own.file("nuthatch.db"), "--port", "0"]);
  }, 60_000);
  afterAll(async () => {
    await api.kill("SIGTERM");
    await other.close();
    own[Symbol.dispose]();
  });

  test.each([
    ["/done", "finished", "finished"],
    ["/limit", "limit", "limit.pages"],
    ["/", "failed", "no-pages"],
    ["/stop", "stopped", "stopped"],
    ["/dies", "died", "died"],
  ])("%s: %s", async (path, status, stopReason) => {
    const { id } = said.get(path);
    expect(said.get(path)).toMatchObject({ status, stopReason });
    expect((await api.ask("GET", `/crawls/${id}`)).body).toMatchObject({ status, stopReason });
    const { data } = (await api.ask("GET", `/crawls?status=${status}`)).body;
    expect(data.map((one: Told) => one.id)).toEqual([id]);
    const here = (args: string[]) => nuthatchHere([...args], { cwd: own.path });
    const listed = JSON.parse((await here(["runs", "--status", status, "--json"])).stdout).runs;
    expect(listed.map((one: Told) => one.id)).toEqual([id]);
    const { sites } = JSON.parse((await here(["sites", "--json"])).stdout);
    const { ended } = sites.find((one: Told) => one.lastRun === id);
    expect(ended).toBe(status === "limit" ? "limit.pages" : status);
    const told = (await api.ask("GET", "/sites")).body.data.find((one: Told) => one.lastCrawl.id === id);
    expect(told.lastCrawl).toMatchObject({ status, stopReason });
  });

  test("one that is taken up with another limit tells where it stopped by that", async () => {
    const { id } = said.get("/limit");
    const { stderr } = await nuthatchHere(["resume", String(id), "--max-pages", "2"], { cwd: own.path });
    expect(stderr).toContain("Stopped at --max-pages 2");
  });

  test.runIf(existsSync("/dev/full"))("a full disk is told as one, with what to do", async () => {
    const told = await nuthatchHere(["export", "csv", "-O", "/dev/full"], { cwd: own.path });
    expect([told.code, told.stderr]).toEqual([5, expect.stringMatching(/no space is left on its disk\n {2}try: free some disk space/)]);
  });
});
