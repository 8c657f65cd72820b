/** What the server says of itself is true: every route is asked on a real data file, and its answer is held against /openapi.json. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApp } from "../dist/src/engine/app.js";
import { routes, type Server, serve } from "../dist/src/interfaces/rest/index.js";
import { tempFolder } from "./cli.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const nav = '<nav><a href="/">Home</a> <a href="/budget">Budget</a> <a href="/parks/">Parks</a></nav>';
const words = "The council met in the old hall, and what it said is written here for whoever was not there. ".repeat(5);
const pages: Record<string, string> = {
  "/": `<title>Town</title>${nav}<main><h2>Finance</h2><p>${words}<a href="/plan.pdf">The budget and agenda</a></p></main>`,
  "/budget": `<title>Money</title><meta name="description" content="What the town spends">${nav}<main><p>${words}</p></main>`,
  "/parks/": `<title>Parks</title>${nav}<p><a href="/parks/lake">A lake</a> <a href="/lost">Lost</a></p>`,
  "/hidden": `<title>Hidden</title><p>${words}</p>`,
  "/parks/lake": `<title>Lake</title>${nav}<p>${"Deep water, and cold. ".repeat(20)}</p>`,
};

const folder = tempFolder();
let server: Server;
let site: RunningSite;
// biome-ignore lint/suspicious/noExplicitAny: a document whose shape is what is tested
let document: any;
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
(ajvFormats as unknown as (given: Ajv2020) => void)(ajv);

beforeAll(async () => {
  const db = folder.file("contract.db");
  await (await openApp({ db })).close();
  site = await serveSite(({ path }) => pages[path], { address: "127.0.83.21" });
  const flags = { allowPrivate: ["127.0.83.21"], rateLimit: "none", scorer: "lexical", keywords: { budget: 0.8, agenda: 0.6 } };
  server = await serve({
    db,
    ...{ host: "127.0.83.20", port: 0, hasKeys: false, noAuth: false, names: [], origins: [], withDashboard: false },
    engine: { options: { file: undefined, flags, cwd: folder.path } },
    log: () => undefined,
  });
  document = await fetch(`${server.url}/openapi.json`).then((answer) => answer.json());
  ajv.addSchema(document, "api");
  await crawlOnce();
  pages["/budget"] = pages["/budget"]!.replace("was not there", "was away");
  await crawlOnce();
});
afterAll(async () => {
  await server.close();
  await site.close();
  folder[Symbol.dispose]();
});

async function crawlOnce(): Promise<void> {
  const { body } = await ask("startCrawl", { body: { url: site.origin } });
  await fetch(`${server.url}${body.links.events}`).then((events) => events.text());
}

interface Asking {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the first that its card has. */
  readonly status?: number;
}

const escaped = (part: string) => part.replaceAll("~", "~0").replaceAll("/", "~1");

/** Asks, and holds what comes back against what the document says of it. */
async function ask(id: string, { path = {}, query = "", body, headers = {}, status }: Asking = {}) {
  const { method, path: template, base, answers } = routes.find((route) => route.id === id)!;
  const pattern = `${base ?? "/api/v1"}${template}`;
  const place = pattern.replace(/\{(\w+)\}/g, (_, name) => String(path[name] ?? 1));
  const where = `/paths/${escaped(pattern)}/${method.toLowerCase()}`;
  if (body !== undefined) valid(`${where}/requestBody/content/application~1json/schema`, body);
  const answer = await fetch(`${server.url}${place}${query === "" ? "" : `?${query}`}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const type = (answer.headers.get("content-type") ?? "").split(";")[0]!;
  const text = type === "text/event-stream" && id === "allEvents" ? await answer.body!.cancel().then(() => "") : await answer.text();
  expect(answer.status, `${method} ${place}: ${text.slice(0, 500)}`).toBe(status ?? Number(Object.keys(answers)[0]));
  const said = document.paths[pattern][method.toLowerCase()].responses[answer.status];
  const { content } = said.$ref ? document.components.responses[said.$ref.split("/").at(-1)] : said;
  if (text === "" && content === undefined) return { headers: answer.headers, text, body: undefined };
  expect([...Object.keys(content), ...(said["x-also-types"] ?? [])]).toContain(type);
  if (!/[/+]json$/.test(type)) return { headers: answer.headers, text, body: undefined };
  const told = JSON.parse(text);
  const fields = new URLSearchParams(query).get("fields")?.split(",");
  if (fields) for (const row of told.data) expect(fields).toEqual(expect.arrayContaining(Object.keys(row)));
  else if (type === "application/json") valid(`${where}/responses/${answer.status}/content/application~1json/schema`, told);
  else valid("/components/schemas/Problem", told);
  return { headers: answer.headers, text, body: told };
}

function valid(pointer: string, value: unknown): void {
  const check = ajv.getSchema(`api#${encodeURI(pointer)}`)!;
  expect(check(value), `${pointer}: ${ajv.errorsText(check.errors)}\n${JSON.stringify(value).slice(0, 2000)}`).toBe(true);
}

const table = ["csv", "jsonl", "md"].map((format) => ({ query: `format=${format}` }));
const list = [{ query: "limit=2&count=true" }, ...table];
const missing = { path: { id: 9999 }, status: 404 };
const far = { rateLimit: "20/m" };
let wide: { id: number };

/** In this order. Each is asked once at least with what is right; what follows is asked on what came before. */
const asked: Readonly<Record<string, readonly (Asking | (() => Asking))[]>> = {
  index: [{}],
  version: [{}],
  configSchema: [{}],
  createKey: [{ body: { name: "contract", scope: "read" } }],
  listKeys: [{}],
  deleteKey: [{}, missing],
  listSites: [...list, { query: "fields=id,url&sort=-id" }],
  addSite: [
    { body: { url: "https://a.test/", name: "A", tags: ["x"], config: { maxDepth: 3 }, keywords: [{ word: "budget", weight: 0.5 }] } },
  ],
  getSite: [{}, missing],
  editSite: [
    { path: { id: 2 }, body: { name: "B" } },
    { path: { id: 2 }, body: { name: "C" }, headers: { "if-match": '"x"' }, status: 412 },
  ],
  replaceSite: [{ path: { id: 2 }, body: { name: "D" } }],
  listSitePages: list,
  listSiteLinks: list,
  listKeywords: [{}],
  replaceKeywords: [
    { body: [{ word: "budget", weight: 0.9 }] },
    { body: { keywords: [{ word: "agenda" }, { word: "budget", weight: 0.7 }] } },
  ],
  previewKeywords: [
    {
      body: {
        keywords: [
          { word: "budget", weight: 1 },
          { word: "lake", weight: 0.5 },
        ],
      },
    },
  ],
  getSiteRobots: [{}, { query: `url=${encodeURIComponent("http://127.0.83.21/budget")}`, status: 404 }],
  getSiteTree: [{}, { query: `prefix=${encodeURIComponent("http://127.0.83.21/")}` }],
  getSiteGraph: [{}, { query: "edges=all&maxNodes=3" }],
  listSiteHistory: list,
  listSiteChanges: [...list, { query: "since=1" }],
  getSiteFeed: [{}],
  removeSite: [{ path: { id: 2 }, query: "dryRun=true" }, { path: { id: 2 } }],
  previewCrawl: [() => ({ body: { url: site.origin, config: { maxDepth: 2 } } })],
  startCrawl: [
    { body: {}, status: 400 },
    { body: { url: "http://127.0.0.1/" }, status: 422 },
  ],
  pauseCrawl: [() => ({ path: wide }), missing],
  editCrawl: [() => ({ path: wide, query: "dryRun=true", body: { exclude: ["/parks/*"], rateLimit: "2/s", priority: { inbound: 3 } } })],
  getCrawl: [{}, () => ({ path: wide }), missing],
  listCrawlHosts: [{}, () => ({ path: wide })],
  editHost: [
    { path: { host: "a.test:8080" }, body: { pausedUntil: "2999-01-01T00:00:00Z", rate: "30/m" } },
    { path: { host: "a.test:8080" }, body: { clearWait: true } },
    { path: { host: "a%20b" }, body: { rate: null }, status: 400 },
  ],
  getHost: [{ path: { host: "a.test:8080" } }],
  listHosts: [{ query: "state=paused" }, ...list],
  listWorkers: list,
  listLeases: [{ path: { worker: "town%2F7%2F1" }, status: 404 }],
  listCrawlFrontier: [() => ({ path: wide, query: "limit=1" })],
  resumeCrawl: [() => ({ path: wide }), missing],
  stopCrawl: [() => ({ path: wide, query: "wait=10s" }), { status: 409 }, missing],
  cancelCrawl: [() => ({ path: wide }), missing],
  deleteCrawl: [{ query: "dryRun=true" }, missing],
  listCrawls: [{ query: "limit=1" }, { query: "active=true&status=finished,stopped" }],
  getCrawlStats: [{ query: "step=10s" }],
  getCrawlLog: [{}],
  explainUrl: [
    { query: "url=http://127.0.83.21/lost" },
    { query: "url=https://never.test/&crawlId=1" },
    { query: "url=https://never.test/&crawlId=99", status: 404 },
  ],
  listDecisions: [...list, { query: "groupBy=reason" }],
  listCrawlErrors: list,
  listCrawlPages: [{ path: { id: 2 }, query: "limit=2" }],
  listCrawlLinks: list,
  listCrawlChanges: [{ path: { id: 2 } }, { path: { id: 2 }, query: "against=1&change=changed" }],
  diffCrawls: [{ query: "from=1&to=2" }],
  crawlEvents: [{ query: "after=0" }, { headers: { "last-event-id": "9.end" }, status: 204 }, missing],
  allEvents: [{ query: "types=page.fetched" }],
  listPages: [...list, { query: "fields=url,topLinks&status=2xx&sort=-seen" }],
  addPage: [
    () => ({ body: { siteId: 1, url: `${site.origin}/hidden` }, query: "wait=30s" }),
    () => ({ body: { siteId: 1, url: `${site.origin}/budget` }, status: 409 }),
  ],
  refreshPage: [{ path: { id: 2 }, query: "wait=30s" }, missing],
  getPage: [{}, missing],
  editPage: [{ body: { note: "x", tags: ["y"], metadata: { title: "Mine" } } }],
  getPageContent: [{}, { query: "format=markdown" }, { query: "format=text" }, { query: "format=html" }, { query: "format=raw" }],
  getPageMetadata: [{}],
  listPageLinks: list,
  listPageInlinks: list,
  listPageVersions: list,
  getPageScreenshot: [{ status: 404 }],
  getPageVersion: [{ path: { version: 1 } }],
  addIgnored: [
    { body: { value: "whoever was not there", pageId: 2 } },
    { body: { value: "whoever was not there", pageId: 2 }, status: 409 },
    { body: { kind: "pattern", value: "* . *" }, status: 400 },
  ],
  listIgnored: list,
  diffPage: [
    { path: { id: 2 } },
    ...["unified", "html"].map((format) => ({ path: { id: 2 }, query: `format=${format}&ignore=dates,numbers` })),
  ],
  removeIgnored: [{ path: { partId: 1 } }, { path: { partId: 1 }, status: 404 }],
  listLinks: [...list, { query: "keyword=budget,agenda&any=true&minScore=0.1" }],
  addLink: [
    { body: { siteId: 1, url: "https://a.test/minutes", score: 1, note: "n" } },
    { body: { siteId: 99, url: "https://a.test/" }, status: 404 },
  ],
  getLink: [() => ({ path: link }), missing],
  editLink: [() => ({ path: link, body: { pinned: true, scoreOverride: null } })],
  listLinkSources: [() => ({ path: link }), ...table.map((one) => () => ({ ...one, path: link }))],
  removeLink: [() => ({ path: link }), missing],
  startEnhancement: [{ body: { pageIds: [1, 2] }, query: "wait=30s" }],
  getEnhancement: [() => ({ path: jobs.get("startEnhancement")! }), missing],
  startExport: [
    { body: { format: "csv" }, query: "wait=30s" },
    { body: { format: "jsonl" }, status: 202 },
  ],
  getExport: [() => ({ path: jobs.get("startExport")! })],
  getExportFile: [
    () => ({ path: jobs.get("startExport")! }),
    () => ({ path: jobs.get("startExport")!, headers: { range: "bytes=0-9" }, status: 206 }),
    () => ({ path: jobs.get("startExport")!, headers: { range: "bytes=999999-" }, status: 416 }),
    missing,
  ],
  getJob: [() => ({ path: jobs.get("startExport")! }), missing],
  cancelJob: [() => ({ path: jobs.get("startExport")!, status: 409 }), missing],
  listJobs: [...list, { query: "kind=export,map" }],
  searchPages: [{ query: "q=council" }, { query: "q=council&sort=-date&since=7d" }, { query: "q=x&siteId=99", status: 404 }],
  getMetadata: [() => ({ query: `url=${encodeURIComponent(`${site.origin}/budget`)}` }), { query: "url=https://a.test/", status: 404 }],
  makeContext: [() => ({ body: { url: `${site.origin}/budget`, maxLinks: 1 }, query: "wait=60s" })],
  listContexts: [{}],
  getContext: [{}, { query: "format=llms" }, { query: "format=markdown&maxTokens=100" }, missing],
  refreshContext: [{ query: "wait=60s" }, missing],
  deleteContext: [{}, missing],
  scrape: [
    () => ({ body: { url: `${site.origin}/`, formats: ["markdown", "text", "links"], maxAge: "1d" } }),
    () => ({ body: { url: "nonsense" }, status: 400 }),
  ],
  scrapeBatch: [() => ({ body: { urls: [`${site.origin}/`, `${site.origin}/lost`] }, query: "wait=60s" })],
  map: [() => ({ body: { url: site.origin, depth: 1 } })],
  enhanceMetadata: [{ body: { contentIds: [1, "2"], batchSize: 5 } }, {}],
  removePage: [{ path: { id: 4 }, query: "dryRun=true" }, { path: { id: 4 } }],
};

const jobs = new Map<string, { id: number }>();
let link: { id: number };

/** What has to be there before a route can be asked. */
const before: Readonly<Record<string, () => Promise<void>>> = {
  pauseCrawl: async () => {
    wide = (await ask("startCrawl", { body: { url: `${site.origin}/`, isNew: true, ...far } })).body;
  },
  cancelCrawl: async () => {
    wide = (await ask("startCrawl", { body: { url: `${site.origin}/`, isNew: true, ...far } })).body;
  },
  getLink: async () => {
    link = (await ask("listLinks", { query: "limit=1" })).body.data[0];
  },
};

describe("the document", () => {
  test("is one that others can read", async () => {
    expect(await new Validator().validate(document)).toEqual({ valid: true });
  });

  test("has a sentence for every tag, route and parameter that needs one, and names that are said once", () => {
    expect(document.tags.filter(({ description }: { description?: string }) => !description)).toEqual([]);
    const ids = routes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(document.components.schemas).filter((name) => name.startsWith("undefined"))).toEqual([]);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(["Site", "Page", "Link", "Crawl", "Job", "Event", "Problem"]),
    );
  });

  test("tells of every route, and every route is asked here", () => {
    expect(Object.keys(asked).sort()).toEqual(routes.map(({ id }) => id).sort());
  });
});

test.each(Object.entries(asked))("%s answers what it says", async (id, askings) => {
  await before[id]?.();
  for (const asking of askings) {
    const { body } = await ask(id, typeof asking === "function" ? asking() : asking);
    if (id.startsWith("start") && body?.kind && !jobs.has(id)) jobs.set(id, body);
  }
});

test("a page of a list leads to the next", async () => {
  const first = await ask("listPages", { query: "limit=3" });
  const next = /<(.+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
  const second = await fetch(`${server.url}${next}`).then((answer) => answer.json() as Promise<{ data: { id: number }[] }>);
  expect(second.data[0]!.id).toBeGreaterThan(first.body.data.at(-1).id);
});
