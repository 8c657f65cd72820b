import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSqlite } from "../src/store/index.ts";
import { type RunningServer, startServer } from "./api-server.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { gaps, type RunningSite, serveSite } from "./site/index.ts";

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const links = (paths: readonly string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(" ");
const GONE = "/gone";
const paths = range(20).flatMap((number) => [`/a/${number}`, `/b/${number}`]);
const pages = (path: string) => {
  if (path === "/robots.txt") return { headers: { "content-type": "text/plain" }, body: "User-agent: *\nDisallow: /a/7\n" };
  if (path === "/") return `<title>Home</title><h1>Home</h1><p>Where it begins. ${links([...paths, GONE])}`;
  if (!paths.includes(path)) return undefined;
  return `<title>Page ${path}</title><h1>Page ${path}</h1><p>What ${path} says is its own, and ${path.length * 7} words long.</p>`;
};

const folder = tempFolder();
const sites: RunningSite[] = [];
let server: RunningServer;

/** Each test has an address of its own, so that none waits for the turn of another. */
async function aSite(last: number): Promise<RunningSite> {
  const site = await serveSite(({ path }) => pages(path), { address: `127.0.82.${last}` });
  sites.push(site);
  return site;
}

const until = async <T>(look: () => Promise<T>, isEnough: (seen: T) => boolean): Promise<T> => {
  for (;;) {
    const seen = await look();
    if (isEnough(seen)) return seen;
    await sleep(50);
  }
};
const crawlOf = (id: number) => server.ask("GET", `/crawls/${id}`).then(({ body }) => body);
const ended = (id: number) =>
  until(
    () => crawlOf(id),
    ({ status }) => status !== "running" && status !== "paused",
  );
const fast = { rateLimit: "none" };
/** What is said of a run, wherever it is told. */
const statusesOf = async (id: number) => {
  const { status, sites: of } = await crawlOf(id);
  const { data } = (await server.ask("GET", `/sites/${of[0].id}/history?limit=1`)).body;
  return [status, (await server.ask("GET", `/sites/${of[0].id}`)).body.lastCrawl.status, data[0].status];
};

interface Described {
  readonly paths: {
    readonly "/api/v1/exports": {
      readonly post: {
        readonly requestBody: {
          readonly content: {
            readonly "application/json": {
              readonly schema: { readonly properties: { readonly format: { readonly enum: readonly string[] } } };
            };
          };
        };
      };
    };
  };
}
/** How the file of each format begins. */
const begins: Readonly<Record<string, RegExp>> = {
  jsonl: /^{"schemaVersion":/,
  csv: /^\W*id,url/,
  sitemap: /<urlset/,
  feed: /<feed/,
  graphml: /<graphml/,
  gexf: /<gexf/,
  warc: /^WARC\/1\.1[\s\S]*<h1>Home/,
  sqlite: /^SQLite format 3/,
};

beforeAll(async () => {
  server = await startServer(["--port", "0", "--db", folder.file("runs.db"), "--allow-private", "127.0.82.0/24"]);
});
afterAll(async () => {
  await server.kill("SIGTERM");
  for (const site of sites) await site.close();
  folder[Symbol.dispose]();
});

describe("a crawl over the API", () => {
  test("is begun, told as it happens, listed, and told again to whoever missed it", async () => {
    const site = await aSite(1);
    const listening = server.events("/events", (heard) => heard.some(({ type }) => type === "crawl.finished"));
    const started = await server.ask("POST", "/crawls", { url: site.origin, ...fast });
    expect(started).toMatchObject({ status: 202, body: { status: "running", seeds: [`${site.origin}/`] } });
    const { id } = started.body;
    expect(started.headers.get("location")).toBe(`/api/v1/crawls/${id}`);
    const live = (await listening).filter(({ data }) => data.crawlId === id);
    expect(await ended(id)).toMatchObject({ status: "finished", stopReason: "finished", counters: { pages: 40 } });

    const fetched = live.filter(({ type }) => type === "page.fetched").map(({ data }) => data.data.url);
    expect(fetched).toHaveLength(40);
    const all = await server.events(`/crawls/${id}/events?after=0`, () => false);
    expect(all.at(-1)).toMatchObject({ type: "crawl.finished", id: expect.stringMatching(/^\d+\.end$/) });
    expect(all.filter(({ type }) => type === "page.fetched").map(({ data }) => data.data.url)).toEqual(fetched);
    const seqs = all.slice(0, -1).map((event) => Number(event.id));
    expect(seqs).toEqual(range(seqs.length));
    const lost = all.find(({ data }) => data.data.url === `${site.origin}${GONE}`);
    expect(lost).toMatchObject({ type: "url.settled", data: { data: { verdict: "failed", status: 404 } } });
    expect((await server.ask("GET", `/crawls/${id}/errors`)).body.data).toMatchObject([{ url: `${site.origin}${GONE}`, status: 404 }]);

    const later = await server.events(`/crawls/${id}/events`, () => false, { "last-event-id": "30" });
    expect(later.slice(0, -1)).toEqual(all.slice(30, -1));
    expect(await server.events(`/crawls/${id}/events`, () => false, { "last-event-id": all.at(-1)!.id! })).toEqual([]);
    expect((await server.ask("GET", `/crawls?active=false&limit=1`)).body.data[0]).toMatchObject({ id, status: "finished" });
    expect((await server.ask("GET", `/crawls/${id}/logs`)).body.trim().split("\n")).toHaveLength(seqs.length);
    expect((await server.ask("GET", `/crawls/${id}/hosts`)).body.data).toMatchObject([{ host: site.host, queued: 0, done: seqs.length }]);
  });

  test("is changed while it is at work: an exclude takes out what it said it would, and nothing of that is asked for", async () => {
    const site = await aSite(2);
    const { id } = (await server.ask("POST", "/crawls", { url: site.origin, rateLimit: "10/s" })).body;
    await until(
      () => server.ask("GET", `/crawls/${id}/frontier?limit=1000`),
      ({ body }) => body.data.length > 30,
    );
    expect((await server.ask("POST", `/crawls/${id}/pause`)).body.status).toBe("paused");
    await until(
      () => crawlOf(id),
      ({ status, live }) => status === "paused" && live.inFlight === 0,
    );
    expect(await statusesOf(id)).toEqual(["paused", "paused", "paused"]);
    const waiting = (await server.ask("GET", `/crawls/${id}/frontier?limit=1000`)).body.data as { url: string }[];
    const doomed = waiting.filter(({ url }) => url.includes("/b/")).length;
    expect((await server.ask("PATCH", `/crawls/${id}?dryRun=true`, { exclude: ["/b/**"] })).body).toMatchObject({
      removed: doomed,
      isDryRun: true,
    });
    expect((await server.ask("PATCH", `/crawls/${id}`, { exclude: ["/b/**"], rateLimit: "none" })).body).toMatchObject({ removed: doomed });
    const left = (await server.ask("GET", `/crawls/${id}/frontier?limit=1000`)).body.data as { url: string }[];
    expect(left).toHaveLength(waiting.length - doomed);
    const asked = site.log.filter(({ path }) => path.startsWith("/b/")).length;
    expect((await server.ask("POST", `/crawls/${id}/resume`)).status).toBe(200);
    const run = await ended(id);
    expect(run).toMatchObject({ status: "finished", options: { exclude: ["/b/**"] } });
    expect(site.log.filter(({ path }) => path.startsWith("/b/"))).toHaveLength(asked);
    expect(asked + doomed).toBe(20);
    expect(run.counters.skipped["scope.exclude"]).toBe(doomed);
  });

  test("tells of its hosts at work what it tells of them at the end: what is done, what failed, and those that are through", async () => {
    const site = await aSite(30);
    const dead = await serveSite({ "/": { status: 404 } }, { address: "127.0.82.31" });
    sites.push(dead);
    const { id } = (await server.ask("POST", "/crawls", { urls: [site.origin, dead.origin], rateLimit: "10/s" })).body;
    await until(
      () => crawlOf(id),
      ({ counters }) => counters.pages >= 5 && counters.errors > 0,
    );
    await server.ask("POST", `/crawls/${id}/pause`);
    const { seq, counters } = await until(
      () => crawlOf(id),
      ({ status, live }) => status === "paused" && live.inFlight === 0,
    );
    const { data } = (await server.ask("GET", `/crawls/${id}/hosts`)).body;
    expect(data).toMatchObject([
      { host: site.host, failed: counters.errors - 1 },
      { host: dead.host, queued: 0, failed: 1 },
    ]);
    expect(data[0].done + data[1].done).toBe(seq);
    await server.ask("POST", `/crawls/${id}/cancel`);
  });

  test("is stopped with what it has, taken up again, and a second of its site is refused meanwhile", async () => {
    const site = await aSite(3);
    const { id } = (await server.ask("POST", "/crawls", { url: site.origin, rateLimit: "10/s" })).body;
    const second = await server.ask("POST", "/crawls", { url: site.origin });
    expect(second).toMatchObject({ status: 409, body: { type: "urn:nuthatch:problem:already-running", crawlId: id } });
    await until(
      () => crawlOf(id),
      ({ counters }) => counters.pages >= 3,
    );
    expect(await server.ask("POST", `/crawls/${id}/stop?wait=20s`)).toMatchObject({
      status: 200,
      body: { status: "stopped", stopReason: "stopped" },
    });
    expect(await statusesOf(id)).toEqual(["stopped", "stopped", "stopped"]);
    const before = site.log.length;
    expect((await server.ask("POST", `/crawls/${id}/resume`)).body.id).toBe(id);
    await server.ask("PATCH", `/crawls/${id}`, { rateLimit: "none", maxConcurrent: 8 });
    expect(await ended(id)).toMatchObject({ status: "finished", counters: { pages: 40 } });
    expect(site.log.length - before).toBeLessThan(45);
    for (const verb of ["stop", "pause", "cancel"]) {
      expect((await server.ask("POST", `/crawls/${id}/${verb}`)).status, verb).toBe(409);
      expect((await server.ask("POST", `/crawls/99999/${verb}`)).status, verb).toBe(404);
    }
    expect((await server.ask("PATCH", "/crawls/99999", { maxPages: 1 })).status).toBe(404);
  });

  test("asks nothing of a host that somebody has paused, until it may; and single pages are asked for again, or added", async () => {
    const site = await aSite(13);
    const host = `/hosts/${new URL(site.origin).host}`;
    const until3000 = { pausedUntil: "2999-12-31T00:00:00.000Z", rate: "5/s" };
    expect((await server.ask("PATCH", host, until3000)).body).toMatchObject({ ...until3000, rate: 5 });
    const { id } = (await server.ask("POST", "/crawls", { url: site.origin, ...fast })).body;
    // A pause without an end is not waited for: the run ends, and can be taken up when it is lifted.
    expect(await ended(id)).toMatchObject({ status: "deferred", stopReason: "deferred" });
    expect((await server.ask("POST", "/scrape", { url: site.origin })).body).toMatchObject({ reason: "host.blocked" });
    expect(site.log).toHaveLength(0);
    const [idle] = await until(
      async () => (await server.ask("GET", "/hosts?state=paused")).body.data,
      ([row]) => row.crawlId === null,
    );
    expect(idle).toMatchObject({ ...until3000, rate: 5 });
    await server.ask("PATCH", host, { pausedUntil: null });
    await server.ask("POST", `/crawls/${id}/resume`);
    await until(
      () => crawlOf(id),
      ({ counters }) => counters.pages >= 5,
    );
    await server.ask("PATCH", host, { pausedUntil: new Date(Date.now() + 60_000).toISOString() });
    await until(
      () => server.ask("GET", `/crawls/${id}/hosts`),
      ({ body: { data } }) => data[0].state === "paused" && data[0].inFlight === 0,
    );
    const paused = site.log.length;
    await sleep(500);
    expect(site.log).toHaveLength(paused);
    await server.ask("PATCH", host, { pausedUntil: null, rate: null });
    expect(await ended(id)).toMatchObject({ status: "finished", counters: { pages: 40 } });
    const pageAt = async (path: string) => (await server.ask("GET", `/pages?url=${encodeURIComponent(site.origin + path)}`)).body.data[0];
    const known = await pageAt("/a/3");
    const refreshed = await server.ask("POST", `/pages/${known.id}/refresh?wait=30s`);
    expect(refreshed).toMatchObject({
      status: 200,
      body: { kind: "look", status: "finished", result: { change: "same", pageId: known.id } },
    });
    expect(refreshed.headers.get("location")).toBe(`/api/v1/pages/${known.id}`);
    // Each is a run of its site: one waits for the other.
    const both = await Promise.all(
      ["/a/4", "/a/5"].map(async (path) => server.ask("POST", `/pages/${(await pageAt(path)).id}/refresh?wait=30s`)),
    );
    expect(both.map(({ body }) => body.status)).toEqual(["finished", "finished"]);
    const { depth, parentUrl, discoveredVia } = known;
    expect(await pageAt("/a/3")).toMatchObject({ depth, parentUrl, discoveredVia });
    const closed = await server.ask("POST", "/pages?wait=30s", { siteId: known.siteId, url: `${site.origin}/a/7` });
    expect(closed.body).toMatchObject({ status: "failed", error: { type: "robots-disallowed" } });
    expect((await server.ask("GET", `/sites/${known.siteId}`)).body).toMatchObject({ lastCrawl: { id }, counts: { crawls: 1 } });
  });

  test("is cancelled, and nothing of it is left", async () => {
    const site = await aSite(4);
    const { id } = (await server.ask("POST", "/crawls", { url: site.origin, rateLimit: "10/s" })).body;
    await until(
      () => crawlOf(id),
      ({ counters }) => counters.pages >= 3,
    );
    const cancelled = await server.ask("POST", `/crawls/${id}/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { removed: { runs: 1 } } });
    expect(cancelled.body.removed.pages).toBeGreaterThanOrEqual(3);
    expect((await server.ask("GET", `/crawls/${id}`)).status).toBe(404);
  });

  test("is cancelled, and what earlier runs knew is as it was", async () => {
    let edition = 1;
    const site = await serveSite(
      ({ path }) => {
        const page = pages(path);
        return typeof page === "string" ? `${page}<p>Edition ${edition}, and ${links([`/b/${edition}?new`])}.` : page;
      },
      { address: "127.0.82.7" },
    );
    sites.push(site);
    const first = (await server.ask("POST", "/crawls", { url: site.origin, tags: ["city"], ...fast })).body;
    await ended(first.id);
    const stored = async () => {
      const store = openSqlite(folder.file("runs.db"), undefined, true);
      const kept: object[] = [];
      for await (const { verdict: _, durationMs: __, fetchedAt: ___, ...page } of store.pages({ siteId: first.sites[0].id }))
        kept.push({ ...page, versions: (await store.versions(page.id)).map(({ id, number }) => [id, number]) });
      await store.close();
      return kept;
    };
    const before = await stored();
    edition = 2;
    const { id } = (await server.ask("POST", "/crawls", { url: site.origin, rateLimit: "20/s" })).body;
    await until(
      () => crawlOf(id),
      ({ counters }) => counters.changes.changed >= 5,
    );
    expect(await server.ask("POST", `/crawls/${id}/cancel`)).toMatchObject({ status: 200 });
    expect(await stored()).toEqual(before);
    const third = (await server.ask("POST", "/crawls", { url: site.origin, tags: ["city", "watched"], ...fast })).body;
    expect((await server.ask("GET", `/sites/${third.sites[0].id}`)).body.tags).toEqual(["city", "watched"]);
    expect((await ended(third.id)).counters.changes).toMatchObject({ changed: before.length, unknown: 0 });
  });

  test("shares the pace of a host with another that is at work", async () => {
    const site = await aSite(5);
    const [one, other] = await Promise.all(
      ["/a/1", "/b/1"].map((path) => server.ask("POST", "/crawls", { url: site.origin + path, scope: "page", rateLimit: "4/s" })),
    );
    await Promise.all([ended(one!.body.id), ended(other!.body.id)]);
    expect(site.log.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...gaps(site.log))).toBeGreaterThanOrEqual(245);
  });

  test("looks ahead without storing anything", async () => {
    const site = await aSite(6);
    const { status, body } = await server.ask("POST", "/crawls/preview", { url: site.origin, config: fast });
    expect(status).toBe(200);
    expect(body).toMatchObject({ seeds: [{ ok: true }], wanted: 41, requests: 2 });
    expect((await server.ask("GET", "/crawls")).body.data.some((run: { seeds: string[] }) => run.seeds[0]!.startsWith(site.origin))).toBe(
      false,
    );
  });
});

describe("a request", () => {
  test.each([
    ["may not name a file", { config: { cookies: "/etc/passwd" } }, "validation", "cookies"],
    ["may not bring a secret", { header: ["Authorization: x"] }, "validation", "header"],
    ["may not open private addresses", { allowPrivate: ["127.0.0.1"] }, "validation", "allowPrivate"],
    ["may not have the key of the model sent elsewhere", { llmUrl: "http://127.0.82.9/" }, "validation", "llmUrl"],
    ["may not ignore robots.txt", { respectRobots: false }, "validation", "respectRobots"],
    ["is told of an option that is none", { maxDeep: 3 }, "validation", "maxDeep"],
    ["is told of a value that is none", { maxDepth: "far" }, "validation", "maxDepth"],
    ["may not lead to a private address", { url: "http://0x7f000001/" }, "private-network-blocked", "0x7f000001"],
    ["may not lead to this machine by name", { url: "http://localhost:8000/" }, "private-network-blocked", "localhost"],
    ["needs a URL", { url: "nonsense" }, "invalid-url", "nonsense"],
    ["needs a site that is there", { url: undefined, siteId: 999 }, "not-found", "999"],
  ])("%s", async (_, given, type, named) => {
    const { body } = await server.ask("POST", "/crawls", { url: "http://127.0.82.1/", ...given });
    expect(body.type).toBe(`urn:nuthatch:problem:${type}`);
    expect(JSON.stringify(body)).toContain(named);
  });
});

describe("what takes longer", () => {
  test("writes a file in every format there is", async () => {
    const site = await aSite(25);
    const run = (await server.ask("POST", "/crawls", { url: site.origin, ...fast })).body;
    await ended(run.id);
    const { paths: described } = (await (await fetch(`${server.url}/openapi.json`)).json()) as Described;
    const all = described["/api/v1/exports"].post.requestBody.content["application/json"].schema.properties.format.enum;
    expect(all.toSorted()).toEqual(Object.keys(begins).toSorted());
    for (const format of all) {
      const order = { format, siteId: run.sites[0].id };
      for (const packed of [false, true]) {
        const { body } = await server.ask("POST", "/exports?wait=30s", packed ? { ...order, compress: "gz" } : order);
        expect(body, format).toMatchObject({ status: "finished", error: null, progress: { done: 1, total: 1 } });
        const told = await fetch(`${server.url}/api/v1/exports/${body.id}/file`);
        const bytes = Buffer.from(await told.arrayBuffer());
        const isPacked = packed || format === "warc";
        expect(told.headers.get("content-disposition")!.endsWith(`.${format}${isPacked ? ".gz" : ""}"`), format).toBe(true);
        expect((isPacked ? gunzipSync(bytes) : bytes).toString("latin1").slice(0, 3000), format).toMatch(begins[format]!);
      }
    }
    const jobs = async () => (await server.ask("GET", "/jobs?count=true&limit=1")).body.page.total;
    const before = await jobs();
    for (const of of [{ siteId: 99_999 }, { crawlId: 99_999 }])
      expect((await server.ask("POST", "/exports", { format: "jsonl", ...of })).status).toBe(404);
    for (const format of ["graphml", "gexf", "sitemap"]) {
      const { status, body } = await server.ask("POST", "/exports", { format });
      expect([status, body.detail]).toEqual([
        400,
        expect.stringMatching(/is of one site, and there are \d+: say which with siteId, such as 1 \(http/),
      ]);
    }
    expect(await jobs()).toBe(before);
    // One file each, and nothing beside it.
    expect(readdirSync(folder.file("runs.db.exports")).filter((name) => !/^[\w-]+\.[a-z]+$/.test(name))).toEqual([]);
  });

  test("is a job that can be waited for: a map, pages, an export with its parts, and metadata", async () => {
    const site = await aSite(10);
    const map = await server.ask("POST", "/map?wait=30s", { url: site.origin, depth: 1 });
    expect(map).toMatchObject({ status: 200, body: { status: "finished", kind: "map" } });
    expect(map.body.result.urls).toHaveLength(41);
    expect((await server.ask("GET", `/jobs/${map.body.id}`)).body.status).toBe("finished");

    const scraped = await server.ask("POST", "/scrape", { url: `${site.origin}/a/1`, formats: ["markdown"] });
    expect(scraped).toMatchObject({ status: 200, body: { markdown: expect.stringContaining("# Page /a/1") } });
    expect(await server.ask("POST", "/scrape", { url: `${site.origin}/a/7` })).toMatchObject({
      status: 422,
      body: { type: "urn:nuthatch:problem:robots-disallowed" },
    });
    expect(await server.ask("POST", "/scrape", { url: `${site.origin}/none` })).toMatchObject({ status: 422, body: { targetStatus: 404 } });
    const batch = await server.ask("POST", "/scrape/batch", { urls: [`${site.origin}/a/2`] }, { prefer: "wait=30" });
    expect(batch).toMatchObject({ status: 200, body: { result: { results: [{ ok: true, status: 200 }] } } });

    const run = (await server.ask("POST", "/crawls", { url: site.origin, ...fast, enhance: false })).body;
    await ended(run.id);
    const exported = await server.ask("POST", "/exports?wait=30s", { format: "jsonl", crawlId: run.id });
    expect(exported).toMatchObject({ status: 200, body: { status: "finished" } });
    const file = await server.ask("GET", `/exports/${exported.body.id}/file`);
    expect(file.body.trim().split("\n")).toHaveLength(40);
    const part = await server.ask("GET", `/exports/${exported.body.id}/file`, undefined, { range: "bytes=0-9" });
    expect(part).toMatchObject({ status: 206, body: file.body.slice(0, 10) });
    expect(part.headers.get("content-range")).toBe(`bytes 0-9/${file.body.length}`);

    const made = await server.ask("POST", "/contexts?wait=30s", { url: `${site.origin}/a/1`, maxLinks: 1, respectRobots: true, ...fast });
    expect(made).toMatchObject({ status: 200, body: { kind: "context", status: "finished", result: { pages: 1, changes: null } } });
    expect(made.body.progress).toEqual({ done: 1, total: 1 });
    const place = made.headers.get("location")!;
    expect((await server.ask("GET", place)).body).toHaveProperty("root_page");
    expect((await server.ask("GET", `${place}?format=markdown`)).body).toContain("Page /a/1");
    expect(await server.ask("POST", `${place}/refresh?wait=30s`)).toMatchObject({
      status: 200,
      body: { result: { changes: { same: 1 } } },
    });
    expect((await server.ask("GET", "/contexts")).body.data).toMatchObject([{ url: `${site.origin}/a/1` }]);
    expect((await server.ask("DELETE", place)).status).toBe(204);

    const few = { url: `${site.origin}/a/1`, maxLinks: 0, maxTokens: 4, ...fast };
    const small = (await server.ask("POST", "/contexts?wait=30s", few)).headers.get("location")!;
    await server.ask("POST", `${small}/refresh?wait=30s`);
    const wholly = (await server.ask("GET", `${small}?format=markdown&maxTokens=1000`)).body;
    expect(wholly).toContain("Page /a/1");
    expect((await server.ask("GET", `${small}?format=markdown`)).body.length).toBeLessThan(wholly.length);

    const enhanced = await server.ask("POST", "/enhancements?wait=30s", { siteId: run.sites[0].id, batchSize: 100 });
    expect(enhanced).toMatchObject({ status: 200, body: { status: "finished", result: { processed: 40, enhanced: 40 } } });
    const pageIds = [(await server.ask("GET", `/pages?siteId=${run.sites[0].id}&limit=1`)).body.data[0].id, 99_999];
    const filled = await server.ask("POST", "/enhancements?wait=30s", { pageIds, onlyMissing: false });
    expect(filled.body).toMatchObject({ status: "finished", progress: { done: 2, total: 2 }, result: { processed: 2 } });
  });

  test("has the form of the service it can stand in for", async () => {
    const site = await aSite(11);
    const run = (await server.ask("POST", "/crawls", { url: `${site.origin}/a/1`, scope: "page", ...fast, enhance: false })).body;
    await ended(run.id);
    const answered = await server.ask("POST", "/api/enhance/metadata", { batchSize: 1 });
    expect(answered).toEqual({
      status: 200,
      headers: expect.anything(),
      body: {
        message: "Metadata enhancement completed",
        processed: 1,
        enhanced: 1,
        results: [
          {
            id: expect.any(String),
            url: `${site.origin}/a/1`,
            status: "enhanced",
            fieldsAdded: expect.arrayContaining(["language", "content_text"]),
          },
        ],
      },
    });
    const again = await server.ask("POST", "/api/enhance/metadata", {
      contentIds: [answered.body.results[0].id, "nobody"],
      forceRescrape: true,
    });
    expect(again.body.results).toMatchObject([{ status: "unchanged" }, { id: "nobody", status: "failed" }]);
    expect((await server.ask("POST", "/api/enhance/metadata", { batchSize: 101 })).status).toBe(400);
  });
});

test("a crawl is handed over from the command line, which can watch it and stop it", async () => {
  const site = await aSite(12);
  const db = folder.file("runs.db");
  const handed = await nuthatch(["crawl", site.origin, "--rate-limit", "5/s", "--detach", "--db", db, "--json"]);
  expect(handed).toMatchObject({ code: 0 });
  const { run } = JSON.parse(handed.stdout);
  const second = await nuthatch(["serve", "--port", "0", "--db", db]);
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining(server.url) });
  await until(
    () => crawlOf(run),
    ({ counters }) => counters.pages >= 2,
  );
  const watching = nuthatch(["runs", "watch", String(run), "--db", db]);
  const listeners = async () => Number(/nuthatch_event_listeners (\d+)/.exec(await (await fetch(`${server.url}/metrics`)).text())![1]);
  await until(listeners, (count) => count > 0);
  const { pages: before } = (await crawlOf(run)).counters;
  await until(
    () => crawlOf(run),
    ({ counters }) => counters.pages > before,
  );
  expect((await nuthatch(["runs", "stop", String(run), "--db", db])).code).toBe(0);
  expect(await watching).toMatchObject({ code: 0, stdout: expect.stringContaining(`200  new      ${site.origin}/`) });
  expect(await crawlOf(run)).toMatchObject({ status: "stopped", stopReason: "stopped" });
});
