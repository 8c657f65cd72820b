/** What programs get that are not ours: types of generated clients, headers for browsers, tables, and refusals in plain words. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApi, routes } from "../dist/src/interfaces/rest/index.js";
import { type RunningServer, startServer } from "./api-server.ts";
import { tempFolder } from "./cli.ts";
import { type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const ORIGIN = "https://board.test";
const text = "The council met in the old hall and spoke about roads, schools and the library. ".repeat(4);
const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1><p>${text}</p>${body}</main>`;
let isLater = false;
const pages: Record<string, () => PageSpec | undefined> = {
  "/": () => page("Town", '<a href="/budget">Budget</a> <a href="/parks">Parks</a>'),
  "/budget": () => page("Budget", '<a href="/deep">More</a>'),
  "/parks": () => page("Parks", ""),
  "/deep": () => page("Deep", ""),
  "/pool": () => (isLater ? page("Pool", "<p>Swimming begins in June.</p>") : undefined),
  "/robots.txt": () => ({ headers: { "content-type": "text/plain" }, body: `Sitemap: ${site.origin}/sitemap.xml` }),
  "/sitemap.xml": () => {
    const urls = ["/", "/budget", "/parks", "/deep", ...(isLater ? ["/pool"] : [])].map(
      (path) => `<url><loc>${site.origin}${path}</loc></url>`,
    );
    const body = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>`;
    return { headers: { "content-type": "application/xml" }, body };
  },
};

let folder: ReturnType<typeof tempFolder>;
let server: RunningServer;
let site: RunningSite;
let slow: RunningSite;

const crawl = async () => {
  const { body } = await server.ask("POST", "/crawls", { url: site.origin, rateLimit: "none" });
  while ((await server.ask("GET", `/crawls/${body.id}`)).body.endedAt === null) await sleep(100);
};

beforeAll(async () => {
  folder = tempFolder();
  site = await serveSite(({ path }) => pages[path]?.(), { address: "127.0.83.41" });
  slow = await serveSite(() => page("Slow", ""), { address: "127.0.83.42", latency: 600_000 });
  const flags = ["--port", "0", "--db", folder.file("answers.db"), "--allow-private", "127.0.83.40/30", "--cors", ORIGIN];
  server = await startServer(flags);
});
afterAll(async () => {
  await server?.kill("SIGTERM");
  await site?.close();
  await slow?.close();
  folder?.[Symbol.dispose]();
});

describe("before anything is stored", () => {
  test.each(routes.filter(({ answers, path }) => answers[200]?.alsoTypes && !path.includes("{")).map(({ path }) => path))(
    "%s as CSV and Markdown has its columns",
    async (path) => {
      const { body, headers } = await server.ask("GET", `${path}?format=csv`);
      expect(body).toMatch(/^\w[\w.,]+\r\n$/);
      expect(headers.get("content-disposition")).toBe(`inline; filename="nuthatch${path.replaceAll("/", "-")}.csv"`);
      expect((await server.ask("GET", `${path}?format=md`)).body).toMatch(/^\| .+ \|\n\| --- /);
    },
  );

  test("an export has them as well", async () => {
    const { body } = await server.ask("POST", "/exports?wait=20s", { format: "csv" });
    expect((await server.ask("GET", `/exports/${body.id}/file`)).body).toMatch(/^id,url,.*\r\n$/);
  });
});

describe("a request that is not right", () => {
  test.each([
    ["beside the URL", { maxpages: 3 }, "/body/maxpages", "maxPages"],
    ["in config", { config: { maxpages: 3 } }, "/body/config/maxpages", "maxPages"],
    ["a field of the request", { siteid: 3 }, "/body/siteid", "siteId"],
  ])("a misspelt option %s is told at its place, with what was meant", async (_, more, pointer, suggestion) => {
    const { status, body } = await server.ask("POST", "/crawls", { url: site.origin, ...more });
    expect([status, body.errors]).toEqual([400, [{ pointer, message: expect.stringMatching(/no option/), suggestion }]]);
  });

  test("an option that is said twice is refused", async () => {
    const { status, body } = await server.ask("POST", "/crawls", { url: site.origin, maxPages: 3, config: { maxPages: 4 } });
    expect([status, body.errors[0].pointer]).toEqual([400, "/body/maxPages"]);
  });

  test.each([
    ["/pages?limit=5000", "1000 at most"],
    ["/pages?limit=0", "1 or more"],
    ["/pages?limit=x", "this takes a number"],
    ["/pages?change=odd", "this takes one of new, changed, same, gone, unlinked, unknown"],
    [`/pages?contains=${"x".repeat(501)}`, "500 characters at most"],
    ["/diff", "this takes a number"],
  ])("%s is refused in plain words", async (path, words) => {
    const { status, body } = await server.ask("GET", path);
    expect([status, body.errors[0].message]).toEqual([400, words]);
  });

  test.each(["/search?q=-only", "/search?q=%22%22", "/search?q=a&since=odd"])("%s names no command and no flag", async (path) => {
    const { status, body } = await server.ask("GET", path);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).not.toMatch(/nuthatch [a-z]|"--|detail":"--/);
  });
});

test("scripts of an allowed origin read our headers and send theirs", async () => {
  const told = await server.ask("GET", "/sites", undefined, { origin: ORIGIN });
  const readable = told.headers.get("access-control-expose-headers")!.split(", ");
  expect(readable).toEqual(expect.arrayContaining(["location", "link", "etag", "ratelimit", "retry-after"]));
  const asked = await fetch(`${server.url}/api/v1/sites`, { method: "OPTIONS", headers: { origin: ORIGIN } });
  const sendable = asked.headers.get("access-control-allow-headers")!.split(", ");
  expect(sendable).toEqual(expect.arrayContaining(["prefer", "if-none-match", "range", "last-event-id"]));
  expect(
    (await server.ask("GET", "/sites", undefined, { origin: "https://other.test" })).headers.get("access-control-expose-headers"),
  ).toBeNull();
});

test("the API says where to begin", async () => {
  const { status, body } = await server.ask("GET", "/api/v1");
  expect([status, body.docs, body.resources.sites]).toEqual([200, "/docs", "/api/v1/sites"]);
  for (const path of Object.values(body.resources as Record<string, string>))
    expect((await fetch(server.url + path, { method: "HEAD" })).status).not.toBe(404);
});

describe("of a site with a sitemap", () => {
  beforeAll(async () => {
    await crawl();
    isLater = true;
    await crawl();
  }, 60_000);

  test("a URL is explained without a run, from the sitemap down", async () => {
    const { body } = await server.ask("GET", `/explain?url=${site.origin}/deep`);
    expect(body).toMatchObject({ verdict: "fetched", crawlId: 2, chain: [`${site.origin}/sitemap.xml`, `${site.origin}/deep`] });
    const unheard = await server.ask("GET", "/explain?url=https://never.test/x");
    expect([unheard.status, unheard.body.verdict, unheard.body.decision]).toEqual([200, "unheard", null]);
  });

  test("in the graph its pages hang on those that link to them", async () => {
    const { nodes, edges } = (await server.ask("GET", "/sites/1/graph")).body;
    const idOf = (path: string) => nodes.find(({ url }: { url: string }) => new URL(url).pathname === path).id;
    for (const [from, to] of [
      ["/", "/budget"],
      ["/", "/parks"],
      ["/budget", "/deep"],
    ] as const)
      expect(edges).toContainEqual({ from: idOf(from), to: idOf(to) });
    expect(new Set(edges.map(({ to }: { to: number }) => to)).size).toBe(edges.length);
  });

  test("its feed tells what a new page says, and where the change can be seen", async () => {
    const { body } = await server.ask("GET", "/sites/1/changes.atom");
    expect(body).toContain("Swimming begins in June");
    expect(body).toMatch(new RegExp(`${server.url}/pages/\\d+\\?tab=markdown`));
  });

  test("its feed still tells what an earlier run found, for readers that ask less often", async () => {
    await crawl();
    expect((await server.ask("GET", "/sites/1/changes.atom")).body).toContain("Swimming begins in June");
    expect((await server.ask("GET", "/sites/1/changes.atom?since=previous")).body).not.toContain("Swimming begins in June");
  });

  test("a file has all rows of a list, or as many as limit says, and where they go on", async () => {
    const rowsOf = ({ body }: { body: string }) => body.trim().split("\r\n").length - 1;
    const all = await server.ask("GET", "/pages?format=csv&fields=url");
    const total = (await server.ask("GET", "/pages?count=true&limit=1")).body.page.total;
    expect([rowsOf(all), all.headers.get("link")]).toEqual([total, null]);
    const one = await server.ask("GET", "/pages?format=csv&fields=url&limit=1");
    expect(rowsOf(one)).toBe(1);
    const next = /<([^>]+)>; rel="next"/.exec(one.headers.get("link")!)![1]!;
    const two = await server.ask("GET", next);
    expect(rowsOf(two)).toBe(1);
    expect(all.body).toContain(`${one.body.trim()}\r\n${two.body.trim().split("\r\n")[1]}\r\n`);
  });

  test("no cell of a table holds JSON, and no chosen column is left out", async () => {
    for (const path of ["/sites", "/crawls", "/jobs", "/sites/1/history", "/crawls/1/decisions"])
      expect((await server.ask("GET", `${path}?format=csv`)).body).not.toMatch(/[{[]""/);
    const { body } = await server.ask("GET", "/pages?format=csv&fields=url,metadata");
    expect(body.split("\r\n")[0]).toMatch(/^url,metadata\.title\.value,metadata\.title\.source/);
  });

  test("runs in the wrong order are refused in the words of the API, not in options of the command line", async () => {
    const { status, body } = await server.ask("GET", "/diff?from=1&to=1");
    expect([status, body.detail]).toEqual([400, "run 1 is not before run 1: from is the earlier one"]);
    expect(JSON.stringify(body)).not.toContain("--");
  });

  test("what a page answers is never a fault of this server", async () => {
    const { status, body } = await server.ask("POST", "/scrape", { url: `${site.origin}/none` });
    expect([status, body.targetStatus, body.type]).toEqual([422, 404, "urn:nuthatch:problem:fetch-failed"]);
  });

  test("skipped URLs are told by what their reasons mean", async () => {
    const { data } = (await server.ask("GET", "/crawls/2/decisions?groupBy=reason")).body;
    expect(data[0]).toMatchObject({ reason: "ok", sentence: expect.stringMatching(/\w/) });
  });
});

test("a job that waits for a slow page is cancelled", async () => {
  const { body: job } = await server.ask("POST", "/scrape/batch", { urls: [`${slow.origin}/`] });
  const { status, body } = await server.ask("POST", `/jobs/${job.id}/cancel`);
  expect([status, body.status, body.error]).toEqual([200, "failed", { type: "cancelled", detail: "it was cancelled" }]);
  expect((await server.ask("POST", `/jobs/${job.id}/cancel`)).status).toBe(409);
  expect((await server.ask("POST", "/jobs/999/cancel")).status).toBe(404);
});

describe("types of generated clients", () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document whose shape is what is tested
  const document = openApi(routes) as any;
  const answers = routes.map(({ id, base, path, method }) => {
    const { responses, parameters } = document.paths[`${base ?? "/api/v1"}${path}`][method.toLowerCase()];
    return { id, responses, parameters: parameters ?? [] };
  });

  test("a list answers one type of rows, whose fields are there", () => {
    const lists = answers.filter(({ responses }) => responses[200]?.["x-also-types"]);
    expect(lists.length).toBeGreaterThan(10);
    for (const { id, responses } of lists) expect([id, Object.keys(responses[200].content)]).toEqual([id, ["application/json"]]);
    expect(document.components.schemas.Site.required).toEqual(expect.arrayContaining(["id", "url", "counts"]));
    expect(document.components.schemas.SiteRow).toBeUndefined();
  });

  test("a site is named by its number or its uid", () => {
    const { parameters } = answers.find(({ id }) => id === "editSite")!;
    expect(parameters.find(({ name }: { name: string }) => name === "id").schema.type).toEqual(["integer", "string"]);
  });

  test("no limit of the language and no pattern of a date stands in it", () => {
    expect(JSON.stringify(document)).not.toMatch(/9007199254740991/);
    const { startedAt } = document.components.schemas.Crawl.properties;
    expect(startedAt).toEqual({ type: "string", format: "date-time" });
  });

  test("counters, reasons to stop and differences are told", () => {
    const { Crawl, ChangeFeed, Counters } = document.components.schemas;
    expect(Counters.properties.pages).toMatchObject({ type: "integer" });
    expect(JSON.stringify(Crawl.properties.stopReason)).toContain("limit.pages");
    expect(JSON.stringify(ChangeFeed.properties.pages.items.properties.diff)).toContain("ChangeDiff");
  });
});
