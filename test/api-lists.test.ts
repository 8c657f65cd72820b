import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { routes } from "../dist/src/api/index.js";
import { type App, openApp } from "../dist/src/app.js";
import { crawl } from "../dist/src/index.js";
import { fakeSite } from "../dist/src/testing/index.js";
import { tempFolder } from "./cli.ts";

const nav = '<nav><a href="/">Home</a> <a href="/budget">Budget</a> <a href="/parks/">Parks</a></nav>';
const pages: Record<string, string> = {
  "/": `<title>Town</title>${nav}<h2>Finance</h2><p>Adopted in May: <a href="/files/plan.pdf">The budget and agenda</a></p>`,
  "/budget": `<title>Money</title><meta name="description" content="What the town spends">${nav}<p>All about it</p>`,
  "/parks/": `<title>Parks</title>${nav}<p><a href="/parks/lake">A lake</a> <a href="/lost">Lost</a></p>`,
  "/parks/lake": `<title>Lake</title>${nav}<p>${"Deep water, and cold. ".repeat(20)}</p>`,
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
    card.shape!.parse(data);
  }
  let text = "";
  for await (const part of reply.stream?.parts ?? []) text += String(part);
  return { status: reply.status ?? 200, headers: reply.headers ?? {}, data: reply.data as any, text };
}

const rows = async (id: string, asking?: Asking) => (await ask(id, asking)).data.data as Record<string, any>[];

describe("lists", () => {
  test("of pages, filtered each way", async () => {
    const urls = async (query: object) => (await rows("listPages", { query })).map(({ url }) => new URL(url).pathname);
    expect(await urls({})).toEqual(["/", "/budget", "/parks/", "/parks/lake"]);
    expect(await urls({ sort: "-id", limit: 2 })).toEqual(["/parks/lake", "/parks/"]);
    expect(await urls({ url: "https://SITE.test/budget#x" })).toEqual(["/budget"]);
    expect(await urls({ change: "changed" })).toEqual(["/budget"]);
    expect(await urls({ path: "/parks/" })).toEqual(["/parks/", "/parks/lake"]);
    expect(await urls({ missing: "description", depth: 1 })).toEqual(["/parks/"]);
    expect(await urls({ status: "4xx" })).toEqual([]);
    expect(await urls({ status: "2xx,404", type: "html", siteId: 1, contains: "lake" })).toEqual(["/parks/lake"]);
  });
  test("go on where they ended", async () => {
    const seen = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, headers } = await ask("listSitePages", {
        params: { id: 1 },
        query: { limit: 1, ...(cursor && { cursor }), count: true },
      });
      expect(data.page.total).toBe(4);
      seen.push(...data.data.map(({ id }: { id: number }) => id));
      cursor = data.page.nextCursor;
      expect(headers.link ?? null).toEqual(cursor && `</api/v1/sites/{id}/pages?x=1&cursor=${cursor}>; rel="next"`);
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });
  test("of links, the best first, with the pages that have them", async () => {
    const links = await rows("listSiteLinks", { params: { id: 1 } });
    expect(links.map(({ url, score, new: isNew }) => [new URL(url).pathname, score, isNew])).toEqual([
      ["/files/plan.pdf", 1.1, false],
      ["/budget", 0.8, false],
      ["/agenda", 0.6, true],
    ]);
    expect(links[1]!.sources.map(({ page }: { page: string }) => new URL(page).pathname)).toEqual([
      "/",
      "/budget",
      "/parks/",
      "/parks/lake",
    ]);
  });
});
