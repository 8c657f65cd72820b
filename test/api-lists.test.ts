import { copyFileSync } from "node:fs";
import { fakeSite } from "nuthatch/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type App, openApp } from "../dist/src/engine/app.js";
import { rankLinks } from "../dist/src/features/links/links.js";
import { routes } from "../dist/src/interfaces/rest/index.js";
import { startServer } from "./api-server.ts";
import { tempFolder } from "./cli.ts";
import { crawl } from "./near-library.ts";

const nav = '<nav><a href="/">Home</a> <a href="/budget">Budget</a> <a href="/parks/">Parks</a></nav>';
const pages: Record<string, string> = {
  "/": `<title>Town</title>${nav}<h2>Finance</h2><p>Adopted in May: <a href="/files/plan.pdf">The budget and agenda</a></p>`,
  "/budget": `<title>Money</title><meta name="description" content="What the town spends">${nav}<p>All about it</p>`,
  "/parks/": `<title>Parks</title>${nav}<p><a href="/parks/lake">A lake</a> <a href="/lost">Lost</a></p>`,
  "/parks/lake": `<title>Lake</title><meta property="og:title" content="A lake that is deep">${nav}<p>${"Deep water, and cold. ".repeat(20)}</p>`,
};

const folder = tempFolder();
const db = folder.file("town.db");
let app: App;
let reader: App;

beforeAll(async () => {
  const site = fakeSite(pages);
  const options = { db, scorer: "lexical", keywords: { budget: 0.8, agenda: 0.6 }, ...site.options } as const;
  await crawl(site.url, options).result;
  pages["/budget"] = pages["/budget"]!.replace("All about it", '<a href="/agenda">The agenda is new</a>');
  await crawl(site.url, options).result;
  app = await openApp({ db });
  reader = await openApp({ db, isReadOnly: true });
});
afterAll(async () => {
  await app.close();
  await reader.close();
  folder[Symbol.dispose]();
});

interface Asking {
  readonly params?: object;
  readonly query?: object;
  readonly body?: unknown;
  readonly asked?: object;
}

/** Does a route's work as a desk would, and holds its answer against its card. */
async function ask(id: string, { params = {}, query = {}, body, asked = {} }: Asking = {}) {
  const route = routes.find((one) => one.id === id)!;
  if (route.at === "events") throw new Error(`${id} is a stream`);
  const given = {
    params: route.params?.parse(Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))),
    query: route.query?.parse(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))),
    body: route.body?.parse(body),
    asked: { url: `/api/v1${route.path}?x=1`, ...asked },
  };
  const desk = { app: route.at === "reader" ? reader : app, signal: new AbortController().signal };
  const reply = await route.work(desk as never, given as never);
  const card = route.answers[reply.status ?? 200]!;
  expect(card, `${id} answers ${reply.status}`).toBeDefined();
  if (reply.data !== undefined) {
    const data: unknown = JSON.parse(JSON.stringify(reply.data));
    expect(z.toJSONSchema(card.shape!, { unrepresentable: "any" })).toBeDefined();
    // Rows have only what was chosen of them.
    if (!("fields" in query)) card.shape!.parse(data);
  }
  let text = "";
  for await (const part of reply.stream?.parts ?? []) text += String(part);
  return { status: reply.status ?? 200, headers: reply.headers ?? {}, data: reply.data as Told, text };
}

/** JSON of which a test knows the shape. */
interface Told {
  readonly [name: string]: Told;
}

const rows = async (id: string, asking?: Asking) => (await ask(id, asking)).data.data as unknown as readonly Told[];
const pathOf = (url: unknown) => new URL(String(url)).pathname;
const site = { params: { id: 1 } };
const next = (groupBy: string, { nextCursor: cursor }: Told) => ({ ...site, query: { groupBy, cursor } });

describe("lists", () => {
  test("of pages, filtered each way", async () => {
    const urls = async (query: object) => (await rows("listPages", { query })).map(({ url }) => pathOf(url));
    expect(await urls({})).toEqual(["/", "/budget", "/parks/", "/parks/lake"]);
    expect(await urls({ sort: "-id", limit: 2 })).toEqual(["/parks/lake", "/parks/"]);
    expect(await urls({ url: "https://SITE.test/budget#x" })).toEqual(["/budget"]);
    expect(await urls({ change: "changed" })).toEqual(["/budget"]);
    expect(await urls({ path: "/parks/" })).toEqual(["/parks/", "/parks/lake"]);
    expect(await urls({ missing: "description", depth: 1 })).toEqual(["/parks/"]);
    expect(await urls({ status: "4xx" })).toEqual([]);
    await ask("searchPages", { query: { q: "water" } });
    expect(await urls({ q: '"deep water" -budget', sort: "-id,-id" })).toEqual(["/parks/lake"]);
    expect(await urls({ q: "agenda", depth: 1, siteId: 1 })).toEqual(["/budget"]);
    for (const day of ["2020-99-99", "2026-02-30", "2026-11-01x", "2026-11-01T25:00", "yesterday"])
      await expect(urls({ publishedAfter: day }), day).rejects.toThrow("a day such as");
    for (const day of ["2020-02-29", "2026-11-01T12:30", "2026-11-01T12:30:00.5Z", "2026-11-01T12:30:00+01:00"])
      expect(await urls({ publishedAfter: day }), day).toEqual([]);
    await expect(urls({ q: "water", sort: "seen" })).rejects.toThrow("id or -id");
    expect(() => routes.find(({ id }) => id === "listPages")!.query!.parse({ sort: "id,url" })).toThrow("sorted by one of id, -id, seen");
    expect(await urls({ status: "2xx,404", type: "html", siteId: 1, contains: "lake" })).toEqual(["/parks/lake"]);
  });
  test("go on where they ended", async () => {
    const seen: unknown[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, headers } = await ask("listSitePages", {
        params: { id: 1 },
        query: { limit: 1, ...(cursor && { cursor }), count: true },
      });
      const { nextCursor, total } = data.page as unknown as { nextCursor: string | null; total: number };
      expect(total).toBe(4);
      seen.push(...(data.data as unknown as readonly Told[]).map(({ id }) => id));
      cursor = nextCursor;
      expect(headers.link ?? null).toEqual(cursor && `</api/v1/sites/{id}/pages?x=1&cursor=${cursor}>; rel="next"`);
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });
  test("of links, the best first, with the pages that have them", async () => {
    const links = await rows("listSiteLinks", site);
    expect(links.map(({ url, score, new: isNew }) => [pathOf(url), score, isNew])).toEqual([
      ["/files/plan.pdf", 1.1, false],
      ["/budget", 0.8, false],
      ["/agenda", 0.6, true],
    ]);
    expect((links[1]!.sources as unknown as Told[]).map(({ page }) => pathOf(page))).toEqual(["/", "/budget", "/parks/", "/parks/lake"]);
    const best = async (query: object) => (await rows("listLinks", { query })).map(({ url }) => pathOf(url));
    expect(await best({ keyword: "agenda" })).toEqual(["/files/plan.pdf", "/agenda"]);
    expect(await best({ keyword: "agenda,budget" })).toEqual(["/files/plan.pdf"]);
    expect(await best({ type: "pdf" })).toEqual(["/files/plan.pdf"]);
    expect(await best({ new: true })).toEqual(["/agenda"]);
    expect(await best({ minScore: 0.7, sort: "score" })).toEqual(["/budget", "/files/plan.pdf"]);
    expect(await best({ url: "https://site.test/budget?" })).toEqual(["/budget"]);
    expect(await best({ pageId: 2 })).toEqual(["/budget", "/agenda"]);
    const sources = await rows("listLinkSources", { params: { id: links[0]!.id } });
    expect(sources).toMatchObject([{ text: "The budget and agenda", heading: "Finance", firstCrawlId: 1 }]);
  });
  test("of what a run decided, row by row or counted", async () => {
    const why = await rows("listDecisions", { params: { id: 1 }, query: { url: "https://site.test/lost" } });
    expect(why).toMatchObject([{ verdict: "failed", status: 404, parentUrl: "https://site.test/parks/" }]);
    const groups = await rows("listDecisions", { params: { id: 1 }, query: { groupBy: "verdict,host" } });
    expect(groups[0]).toMatchObject({ verdict: "fetched", host: "site.test" });
    const counted = (query: object) => ask("listDecisions", { params: { id: 1 }, query: { groupBy: "verdict,path", ...query } });
    const lost = await counted({ url: "https://site.test/lost" });
    expect(lost.data.data).toEqual([{ verdict: "failed", path: "/lost", count: 1, example: "https://site.test/lost" }]);
    const whole = (await counted({})).data.data as unknown as readonly Told[];
    const { data, page } = (await counted({ limit: 1, count: true })).data as unknown as { data: Told[]; page: Told };
    expect(page).toMatchObject({ total: whole.length });
    expect([...data, ...(await rows("listDecisions", next("verdict,path", page)))]).toEqual(whole);
    await expect(rows("listDecisions", next("verdict", page))).rejects.toThrow("another list");
    expect((await counted({ limit: 1, format: "csv" })).text.trim().split("\n")).toHaveLength(1 + whole.length);
    expect((await rows("listCrawlErrors", { params: { id: 1 } })).map(({ url }) => pathOf(url)).sort()).toEqual([
      "/files/plan.pdf",
      "/lost",
    ]);
    expect((await rows("listCrawlPages", { params: { id: 2 }, query: { sort: "-seen" } })).length).toBe(4);
    expect((await rows("listCrawlLinks", { params: { id: 2 } })).map(({ url }) => pathOf(url))).toEqual(["/agenda"]);
  });
  test("of contexts, a part at a time", async () => {
    const pack = new Uint8Array([1]);
    for (const madeAt of [1, 2])
      await app.store.contexts.save({ siteId: 1, url: `https://site.test/${madeAt}`, options: "{}", pack, madeAt });
    const first = (await ask("listContexts", { query: { limit: 1, count: true } })).data;
    expect(first).toMatchObject({ data: [{ url: "https://site.test/2" }], page: { nextCursor: expect.any(String), total: 2 } });
    const second = (await ask("listContexts", { query: { limit: 1, cursor: first.page!.nextCursor } })).data;
    expect(second).toMatchObject({ data: [{ url: "https://site.test/1" }], page: { nextCursor: null } });
    for (const { id } of await app.store.contexts.list()) await app.store.contexts.remove(id);
  });
  test("of changes, and two runs compared", async () => {
    expect(await rows("listSiteChanges", site)).toMatchObject([
      { change: "changed", url: "https://site.test/budget", score: 0.8, fromVersion: 1, toVersion: 2 },
    ]);
    expect((await rows("listSiteChanges", { ...site, query: { since: 0 } })).length).toBeGreaterThan(4);
    expect(await rows("listSiteChanges", { ...site, query: { since: "2000-01-01" } })).toMatchObject([{ url: "https://site.test/budget" }]);
    expect(await rows("listCrawlChanges", { params: { id: 2 }, query: { change: "new" } })).toEqual([]);
    const { data } = await ask("diffCrawls", { query: { from: 1, to: 2 } });
    expect(data).toMatchObject({
      counts: { changed: 1 },
      pages: [{ url: "https://site.test/budget" }],
      links: { new: [{ url: "https://site.test/agenda" }] },
    });
    expect((await ask("getSiteFeed", site)).text).toContain("<entry>");
    const diff = async (query: object = {}) => (await ask("diffPage", { params: { id: 2 }, query })).data;
    expect(await diff({ all: true })).toMatchObject({ text: [{ added: ["The agenda is new"] }] });
    expect((await ask("diffPage", { params: { id: 2 }, query: { format: "html" } })).text).toContain("<ins>+ The agenda is new</ins>");
    const change = { ...site, query: { count: true } };
    const total = async () => ((await ask("listSiteChanges", change)).data.page as unknown as { total: number }).total;
    expect(await total()).toBe(1);
    const ignored = [
      { value: "the agenda is new", pageId: 2 },
      { kind: "pattern", value: "All about*" },
    ];
    for (const body of ignored) expect((await ask("addIgnored", { ...site, body })).status).toBe(201);
    await expect(ask("addIgnored", { ...site, body: ignored[0] })).rejects.toThrow("already");
    expect(await diff()).toMatchObject({ text: [], linksAdded: [], words: 0 });
    expect([await rows("listSiteChanges", change), await total()]).toEqual([[], 0]);
    expect((await ask("diffCrawls", { query: { from: 1, to: 2 } })).data).toMatchObject({ counts: { changed: 0 }, links: { new: [] } });
    expect((await ask("getSiteFeed", site)).text).not.toContain("<entry>");
    const parts = await rows("listIgnored", { ...site, query: { pageId: 2 } });
    expect(parts.map(({ kind, value, pageId }) => [kind, value, pageId])).toEqual([
      ["text", "the agenda is new", 2],
      ["pattern", "All about*", null],
    ]);
    for (const { id } of parts) await ask("removeIgnored", { params: { id: 1, partId: id } });
    expect(await rows("listSiteChanges", change)).toHaveLength(1);
    await expect(ask("removeIgnored", { params: { id: 1, partId: 1 } })).rejects.toThrow("ignores nothing");
  });
  test("a filter by URL takes what people type, and refuses what is no URL", async () => {
    for (const url of ["https://site.test/budget", "site.test/budget", "HTTPS://SITE.test./budget#x"]) {
      expect(await rows("listPages", { query: { url, fields: "url" } })).toEqual([{ url: "https://site.test/budget" }]);
    }
    using folder = tempFolder();
    const copy = folder.file("copy.db");
    copyFileSync(db, copy);
    const server = await startServer(["--db", copy, "--host", "127.0.81.4", "--port", "0", "--no-auth"]);
    try {
      for (const path of ["/pages?url=", "/links?url=word", "/sites?url=ftp://site.test/", "/crawls/1/decisions?url=mailto:a@site.test"]) {
        expect(await server.ask("GET", path)).toMatchObject({ status: 400, body: { detail: expect.stringContaining("/query/url") } });
      }
      for (const path of ["/sites", "/crawls"])
        expect(await server.ask("POST", path, { url: "https://me:s3cret@site.test/" })).toMatchObject({
          status: 400,
          body: { type: "urn:nuthatch:problem:invalid-url", detail: expect.not.stringContaining("s3cret") },
        });
      const said = (body: object) => server.ask("POST", "/contexts", { url: "https://site.test/", ...body });
      for (const [odd, suggestion] of [
        ["max_links", "maxLinks"],
        ["follow_links", "followLinks"],
        ["rate_limit", "rateLimit"],
      ] as const)
        expect((await said({ [odd]: 2 })).body.errors).toMatchObject([{ pointer: `/body/${odd}`, suggestion }]);
      expect((await said({ timeout: 5, config: { timeout: 6 } })).body.errors).toMatchObject([{ pointer: "/body/timeout" }]);
      const link = (url: string) => server.ask("POST", "/links", { siteId: 1, url });
      expect(await link("https://me:s3cret@site.test/a")).toMatchObject({ status: 400 });
      expect(await link("site.test/by-hand#part")).toMatchObject({ status: 201, body: { url: "https://site.test/by-hand" } });
    } finally {
      await server.kill("SIGTERM");
    }
  });

  test("in other forms, with only some fields", async () => {
    const csv = await ask("listPages", { query: { fields: "url,depth", format: "csv", limit: 1 } });
    expect(csv.text.split("\r\n").slice(0, 3)).toEqual(["url,depth", "https://site.test/,0", "https://site.test/budget,1"]);
    const lines = await ask("listLinks", { query: { fields: "score" }, asked: { accept: "application/x-ndjson" } });
    expect(lines.text).toBe('{"score":1.1}\n{"score":0.8}\n{"score":0.6}\n');
    const table = await ask("listSitePages", { ...site, query: { format: "md", fields: "title,change", limit: 1 } }).catch(
      ({ message }) => message,
    );
    expect(table).toBe("there is no field title");
    const short = await ask("listSitePages", { ...site, query: { format: "md", fields: "id,change" } });
    expect(short.text.split("\n").slice(0, 3)).toEqual(["| id | change |", "| --- | --- |", "| 1 | same |"]);
    expect(await rows("listPages", { query: { fields: "id,topLinks", limit: 1 } })).toMatchObject([
      { id: 1, topLinks: [{ score: 1.1 }, { score: 0.8 }] },
    ]);
  });
  test.each([
    ["a cursor of nobody", "listPages", { cursor: "abc" }, /no cursor/],
    ["a cursor of another list", "listPages", { cursor: Buffer.from('["links -score",1]').toString("base64url") }, /another list/],
    ["a cursor that is cut", "listLinks", { cursor: Buffer.from('["links -score",1]').toString("base64url") }, /another list/],
    ["a run that is none", "listCrawlPages", {}, /no run 99/],
  ])("refuse %s", async (_, id, query, message) => {
    await expect(ask(id, { params: { id: 99 }, query })).rejects.toThrow(message);
  });
});

test("all of it goes over HTTP", async () => {
  const server = await startServer(["--db", db, "--host", "127.0.81.2", "--port", "0", "--no-auth"]);
  try {
    const first = await server.ask("GET", "/sites/1/pages?limit=3&fields=id");
    expect(first.body.data).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get("link") ?? "")![1]!;
    expect((await server.ask("GET", next)).body.data).toEqual([{ id: 4 }]);
    const csv = await server.ask("GET", "/links?fields=score", undefined, { accept: "text/csv" });
    expect(csv.body).toBe("score\r\n1.1\r\n0.8\r\n0.6\r\n");
    const content = await server.ask("GET", "/pages/4/content");
    const again = await server.ask("GET", "/pages/4/content", undefined, { "if-none-match": content.headers.get("etag")! });
    expect([content.status, again.status, again.body]).toEqual([200, 304, ""]);
    const refused = await server.ask("GET", "/pages?sort=url");
    expect(refused).toMatchObject({ status: 400, body: { type: "urn:nuthatch:problem:validation" } });
    expect((await server.ask("PATCH", "/sites/1", { name: "x" }, { "if-match": '"other"' })).status).toBe(412);
  } finally {
    await server.kill("SIGTERM");
  }
});

describe("a page", () => {
  const lake = { params: { id: 4 } };
  test("in words, whole and in parts, and not again to whoever has it", async () => {
    const { text, headers } = await ask("getPageContent", { ...lake, query: { format: "text" } });
    expect(text).toContain("Deep water");
    expect(headers["content-security-policy"]).toContain("sandbox");
    expect(await ask("getPageContent", { ...lake, query: { format: "text" }, asked: { ifNoneMatch: headers.etag } })).toMatchObject({
      status: 304,
    });
    const { data } = await ask("getPageContent", { ...lake, query: { format: "json", start: 2, maxChars: 5 } });
    expect(data).toMatchObject({ start: 2, nextStart: 7, version: 1 });
    expect(String(data.text)).toHaveLength(5);
    expect((await ask("getPageContent", { ...lake, query: { format: "raw" } })).headers["content-disposition"]).toMatch(/^attachment/);
  });
  test("with where each value came from, and what somebody knows better", async () => {
    const title = async () => ((await ask("getPageMetadata", lake)).data.metadata as Told).title;
    const own = await title();
    expect(own).toMatchObject({ value: expect.any(String), candidates: [expect.objectContaining({ source: expect.any(String) })] });
    await ask("editPage", { ...lake, body: { metadata: { title: "The lake" }, note: "deep", tags: ["water"], muted: true } });
    expect(await title()).toMatchObject({ value: "The lake", source: "manual" });
    expect(await rows("listPages", { query: { tag: "water", muted: true } })).toMatchObject([
      { note: "deep", metadata: { title: { source: "manual" } } },
    ]);
    await ask("editPage", { ...lake, body: { metadata: { title: null }, muted: false } });
    expect(await title()).toEqual(own);
    expect((await ask("getMetadata", { query: { url: "https://site.test/parks/lake" } })).data).toMatchObject({ id: 4 });
  });
  test("with its links both ways, and its versions", async () => {
    expect((await rows("listPageLinks", { params: { id: 1 } })).map(({ url, score }) => [pathOf(url), score])).toContainEqual([
      "/files/plan.pdf",
      1.1,
    ]);
    expect(await rows("listPageInlinks", lake)).toEqual([{ pageId: 3, page: "https://site.test/parks/", text: "A lake", heading: "" }]);
    expect((await rows("listPageVersions", { params: { id: 2 } })).map(({ version }) => version)).toEqual([2, 1]);
    expect((await ask("getPageVersion", { params: { id: 2, version: 1 } })).data).toMatchObject({ crawlId: 1, hasBody: true });
    expect((await ask("diffPage", { params: { id: 2 } })).data).toMatchObject({ linksAdded: [{ text: "The agenda is new" }] });
    expect((await ask("diffPage", { params: { id: 2 }, query: { format: "unified" } })).text).toContain("+ The agenda is new");
  });
  test("is found by its words", async () => {
    expect((await ask("searchPages", { query: { q: "deep water" } })).data).toMatchObject({ total: 1, data: [{ id: 4 }] });
  });
});

describe("a link", () => {
  test("can be pinned, muted, scored, added and forgotten", async () => {
    const [pdf, budget] = await rows("listLinks");
    const one = { params: { id: pdf!.id } };
    expect((await ask("editLink", { ...one, body: { muted: true, note: "old" } })).data).toMatchObject({
      muted: true,
      note: "old",
      score: 1.1,
    });
    expect((await rows("listLinks"))[0]!.id).toBe(budget!.id);
    expect(await rows("listLinks", { query: { muted: true } })).toMatchObject([{ id: pdf!.id }]);
    const ranked = async (isMuted: boolean) => (await rankLinks(reader, { isMuted })).links.map(({ url }) => url);
    expect(await ranked(true)).toEqual([pdf!.url]);
    expect(await ranked(false)).not.toContain(pdf!.url);
    await ask("editLink", { ...one, body: { muted: false, scoreOverride: 0.1, pinned: true } });
    expect((await rows("listLinks")).at(-1)).toMatchObject({ id: pdf!.id, score: 0.1, pinned: true });
    expect((await ask("editLink", { ...one, body: { scoreOverride: null } })).data).toMatchObject({ score: 1.1, pinned: true });
    const added = await ask("addLink", { body: { siteId: 1, url: "https://other.test/x.pdf", score: 2, note: "by hand" } });
    expect(added).toMatchObject({ status: 201, data: { score: 2, type: "pdf", pages: 0, sources: [] } });
    await expect(ask("addLink", { body: { siteId: 1, url: "https://other.test/x.pdf" } })).rejects.toThrow("already");
    await expect(ask("addLink", { body: { siteId: 1, url: "mailto:x" } })).rejects.toThrow("not an http");
    expect(await ask("removeLink", { params: { id: added.data.id } })).toMatchObject({ status: 204 });
    await expect(ask("getLink", { params: { id: added.data.id } })).rejects.toThrow("no link");
  });
});

describe("a site", () => {
  test("is told with its last crawl, its shape and its runs", async () => {
    expect((await ask("getSite", site)).data).toMatchObject({
      url: "https://site.test/",
      counts: { pages: 4, gone: 0, crawls: 2 },
      lastCrawl: { id: 2, status: "finished", changes: { changed: 1 } },
      keywords: [
        { word: "budget", weight: 0.8 },
        { word: "agenda", weight: 0.6 },
      ],
    });
    const { uid } = (await ask("getSite", site)).data;
    expect((await ask("getSite", { params: { id: uid } })).data).toMatchObject({ id: 1 });
    expect(await rows("listSites", { query: { url: "https://SITE.test" } })).toHaveLength(1);
    expect(await rows("listSites", { query: { q: "elsewhere" } })).toHaveLength(0);
    expect((await rows("listSiteHistory", site)).map(({ crawlId }) => crawlId)).toEqual([2, 1]);
    expect(await rows("getSiteTree", { ...site, query: { prefix: "https://site.test/" } })).toMatchObject([
      { prefix: "https://site.test/parks/", pages: 2, hasMore: true },
      { prefix: "https://site.test/", pages: 1, hasMore: false },
      { prefix: "https://site.test/budget", pages: 1, changed: 1, high: 1 },
    ]);
    const { nodes, edges } = (await ask("getSiteGraph", site)).data as unknown as { nodes: Told[]; edges: Told[] };
    expect([nodes.length, edges.length]).toEqual([4, 3]);
    const graph = async (query: object, asked = {}) => (await ask("getSiteGraph", { ...site, query, asked })).text;
    expect(await graph({ format: "graphml" })).toContain(
      '<node id="n2"><data key="label">Money</data><data key="url">https://site.test/budget</data><data key="depth">1</data>',
    );
    const drawn = await graph({ edges: "all" }, { accept: "application/gexf+xml" });
    for (const part of ['<node id="1" label="Town">', '<edge id="0" source="1" target="2"/>']) expect(drawn).toContain(part);
    expect((await ask("getSiteGraph", { ...site, query: { edges: "all", maxNodes: 2 } })).data).toMatchObject({
      isCut: true,
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 1 },
      ],
    });
    expect((await ask("getSiteRobots", { ...site, query: { url: "https://site.test/x" } })).data).toMatchObject({ allowed: true });
  });
  test("can be said things of, by whoever knows how it is", async () => {
    const { headers } = await ask("getSite", site);
    const changed = await ask("editSite", {
      ...site,
      body: { name: "Our town", tags: ["towns"], config: { maxDepth: 3 } },
      asked: { ifMatch: headers.etag },
    });
    expect(changed.data).toMatchObject({ name: "Our town", config: { maxDepth: 3 } });
    await expect(ask("editSite", { ...site, body: { name: "Mine" }, asked: { ifMatch: headers.etag } })).rejects.toThrow("has changed");
    await expect(ask("editSite", { ...site, body: { config: { maxDeph: 3 } } })).rejects.toThrow("maxDeph");
    expect(await rows("listSites", { query: { tag: "towns", q: "OUR" } })).toHaveLength(1);
    expect(
      (
        await ask("replaceSite", {
          ...site,
          body: {
            keywords: [
              { word: "budget", weight: 0.8 },
              { word: "agenda", weight: 0.6 },
            ],
          },
        })
      ).data,
    ).toMatchObject({ name: "", tags: [], config: {} });
  });
  test("has keywords, whose weights can be tried before they hold", async () => {
    const keywords = [
      { word: "agenda", weight: 1 },
      { word: "lake", weight: 0.5 },
    ];
    const { data } = await ask("previewKeywords", { ...site, body: { keywords } });
    expect((data.data as unknown as Told[]).map(({ url, score, before }) => [pathOf(url), score, before])).toEqual([
      ["/files/plan.pdf", 1, 1.1],
      ["/agenda", 1, 0.6],
    ]);
    expect(data.unknown).toEqual(["lake"]);
    const { headers } = await ask("listKeywords", site);
    const put = await ask("replaceKeywords", { ...site, body: keywords, asked: { ifMatch: headers.etag } });
    expect(put.data).toEqual({
      data: [
        { word: "agenda", weight: 1, links: 2 },
        { word: "lake", weight: 0.5, links: 1 },
      ],
      isLater: false,
    });
    await expect(ask("replaceKeywords", { ...site, body: [], asked: { ifMatch: headers.etag } })).rejects.toThrow("has changed");
    expect((await rows("listSiteLinks", site)).map(({ url, score }) => [pathOf(url), score])).toEqual([
      ["/agenda", 1],
      ["/files/plan.pdf", 1],
      ["/parks/lake", 0.5],
    ]);
  });
  test("comes and goes, and so do its pages", async () => {
    const added = await ask("addSite", { body: { url: "https://new.test", name: "New", keywords: [{ word: "budget" }] } });
    expect(added).toMatchObject({
      status: 201,
      data: { url: "https://new.test/", lastCrawl: null, keywords: [{ word: "budget", weight: 1 }] },
    });
    await expect(ask("addSite", { body: { url: "https://NEW.test/" } })).rejects.toThrow("already");
    await expect(ask("addSite", { body: { url: "ftp://new.test/" } })).rejects.toThrow("not an http");
    expect((await ask("removeSite", { params: { id: added.data.id } })).data).toMatchObject({ dryRun: false, removed: { sites: 1 } });
    expect((await ask("removePage", { params: { id: 4 }, query: { dryRun: true } })).data).toMatchObject({
      removed: { pages: 1, versions: 1 },
    });
    await ask("removePage", { params: { id: 4 } });
    await expect(ask("getPage", { params: { id: 4 } })).rejects.toThrow("no page 4");
    expect((await ask("removeSite", { ...site, query: { dryRun: true } })).data).toMatchObject({ removed: { pages: 3, runs: 2 } });
    const other = await ask("addSite", { body: { url: "https://other.test/" } });
    // Asked for while the first is under way, a second look changes nothing of what goes.
    const [gone, would] = await Promise.all([
      ask("removeSite", site),
      ask("removeSite", { params: { id: other.data.id }, query: { dryRun: true } }),
    ]);
    expect([gone, would].map(({ data }) => (data.removed as Told).pages)).toEqual([3, 0]);
    await ask("removeSite", { params: { id: other.data.id } });
    expect(await rows("listSites")).toEqual([]);
    expect(await rows("listLinks")).toEqual([]);
  });
});
