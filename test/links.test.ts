import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { crawl, createCrawler, definePlugin, exportTo, type RunEvent } from "nuthatch";
import { type FakePage, fakeSite } from "nuthatch/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type App, openApp } from "../dist/src/engine/app.js";
import { changeKeywords } from "../dist/src/features/keywords/keywords.js";
import { type LinkQuery, rankLinks } from "../dist/src/features/links/links.js";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";

const nav = '<nav><a href="/">Home</a> <a href="/budget">Budget</a> <a href="/parks">Parks</a></nav>';
const plan = '<h2>Finance</h2><p>Adopted in May: <a href="/files/plan.pdf">The budget and agenda</a></p>';
const elsewhere = '<p><a href="https://state.test/agenda">Agenda of the state</a></p>';

const town = (): Record<string, FakePage> => ({
  "/": { body: `<title>Town</title>${nav}${plan}${elsewhere}`, headers: { etag: '"1"' } },
  "/budget": `<title>Money</title>${nav}<p>All about it</p>`,
  "/parks": `<title>Parks</title>${nav}<p><a href="/lake">A lake</a></p>`,
  "/lake": `<title>Lake</title>${nav}<p>Deep</p>`,
});

const [budget, pdf, state] = ["https://site.test/budget", "https://site.test/files/plan.pdf", "https://state.test/agenda"];

/** A town in a data file of its own, and what is known of its links. */
async function aTown(pages = town()) {
  const folder = tempFolder();
  const db = folder.file("town.db");
  const site = fakeSite(pages);
  const visit = async (options: object = {}) => {
    const events: RunEvent[] = [];
    const run = crawl(site.url, { db, scorer: "lexical", ...site.options, ...options, onEvent: (event) => events.push(event) });
    const tops: Record<string, unknown> = {};
    for await (const page of run) tops[page.url] = page.links.top(2);
    await using _closed = run;
    return { result: await run.result, events, tops };
  };
  const withApp = async <T>(work: (app: App) => Promise<T>) => {
    const app = await openApp({ db });
    try {
      return await work(app);
    } finally {
      await app.close();
    }
  };
  const links = (query: LinkQuery = {}) => withApp(async (app) => (await rankLinks(app, query)).links);
  const rows = (sql: string) => {
    const file = new DatabaseSync(db, { readOnly: true });
    const found = file.prepare(sql).all();
    file.close();
    return found.map((row) => ({ ...(row as object) }));
  };
  return { folder, db, site, pages, visit, withApp, links, rows, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const worth = (links: readonly { url: string; score: number }[]) => Object.fromEntries(links.map(({ url, score }) => [url, score]));

describe("links that keywords apply to", () => {
  test("are ranked, also those to documents and other hosts, which are not fetched", async () => {
    using all = await aTown();
    const { result, tops } = await all.visit({ keywords: { budget: 0.8, agenda: 0.6 } });
    expect(worth(await all.links())).toEqual({ [pdf]: 1.1, [budget]: 0.8, [state]: 0.6 });
    expect(await all.links({ keywords: ["agenda"], types: ["pdf"] })).toMatchObject([
      { url: pdf, text: "The budget and agenda", keywords: { budget: 1, agenda: 1 }, pages: 1, type: "pdf", isNew: true },
    ]);
    expect((await all.links({ keywords: ["budget", "agenda"], isAny: true })).length).toBe(3);
    expect((await all.links({ keywords: ["budget", "agenda"] })).map(({ url }) => url)).toEqual([pdf]);
    expect((await all.links({ minScore: 0.7, sort: "url" })).map(({ url }) => url)).toEqual([budget, pdf]);
    expect(await all.links({ limit: 1, withSources: true })).toMatchObject([
      { sources: [{ page: "https://site.test/", heading: "Finance", context: "Adopted in May: The budget and agenda" }] },
    ]);
    expect((await all.links({ keywords: ["budget"] })).map(({ pages }) => pages)).toEqual([1, 4]);
    expect(all.site.requests.map(({ url }) => url)).not.toContain(state);
    expect(result.stats.links).toEqual({ matched: 3, high: 2, new: 3, highNew: 2 });
    expect(tops["https://site.test/"]).toEqual([
      { url: pdf, score: 1.1, keywords: { budget: 1, agenda: 1 } },
      { url: budget, score: 0.8, keywords: { budget: 1 } },
    ]);
  });

  test("without keywords there is not a row, and no links on pages", async () => {
    using all = await aTown();
    const { result, tops } = await all.visit();
    for (const table of ["word", "keyword", "link", "link_source", "link_keyword"])
      expect([table, all.rows(`SELECT count(*) AS rows FROM ${table}`)]).toEqual([table, [{ rows: 0 }]]);
    expect([result.stats.links, tops["https://site.test/"]]).toEqual([undefined, []]);
    await expect(all.links()).rejects.toThrow("there are no keywords");
  });

  test("the site keeps its keywords; a page that is the same writes nothing; what is new is told", async () => {
    using all = await aTown();
    await all.visit({ keywords: { budget: 1 } });
    const before = all.rows("SELECT * FROM link_source ORDER BY page_id, link_id");
    all.pages["/parks"] = `<title>Parks</title>${nav}<p><a href="/lake">A lake</a> <a href="/lake-budget">What it costs</a></p>`;
    const { result, events } = await all.visit();
    expect(result.stats.links).toEqual({ matched: 3, high: 3, new: 1, highNew: 1 });
    const url = "https://site.test/lake-budget";
    expect(events.filter(({ type }) => type === "link.found")).toEqual([
      { type: "link.found", url, score: 1, keywords: { budget: 1 }, isNew: true },
    ]);
    expect((await all.links({ isNew: true })).map((link) => link.url)).toEqual([url]);
    expect((await all.links({ since: "2" })).map((link) => link.url)).toEqual([url]);
    expect(all.rows("SELECT * FROM link_source WHERE first_run_id = 1 ORDER BY page_id, link_id")).toEqual(before);
    all.pages["/parks"] = `<title>Parks</title>${nav}<p><a href="/lake">A lake</a></p>`;
    await all.visit();
    expect((await all.links()).map((link) => link.url)).not.toContain(url);
    expect(all.rows("SELECT l.url, ls.gone_run_id FROM link_source ls JOIN link l ON l.id = ls.link_id WHERE ls.gone_run_id > 0")).toEqual([
      { url, gone_run_id: 3 },
    ]);
  });

  test("other weights rank at once, and a new word is looked for in what is stored: nothing is asked of the web", async () => {
    using all = await aTown();
    await all.visit({ keywords: { budget: 1 } });
    const asked = all.site.requests.length;
    const change = (given: Parameters<typeof changeKeywords>[2]) =>
      all.withApp(async (app) => changeKeywords(app, (await app.store.sites())[0]!, given));
    await change({ set: { budget: 0.5, lake: 1 } });
    expect(worth(await all.links())).toEqual({ "https://site.test/lake": 1, [pdf]: 0.5, [budget]: 0.5 });
    expect(worth(await all.links({ weights: { lake: 0.1 } }))).toMatchObject({ "https://site.test/lake": 0.1 });
    await change({ remove: ["budget"], set: { agenda: 1 } });
    expect(worth(await all.links())).toEqual({ "https://site.test/lake": 1, [pdf]: 1, [state]: 1 });
    expect((await all.links()).map(({ firstRun }) => firstRun)).toEqual([1, 1, 1]);
    expect(all.site.requests.length).toBe(asked);
    await expect(change({ remove: ["lak"] })).rejects.toThrow("lak is no keyword");
    await all.visit({ keywords: { agenda: 0.4 } });
    expect(worth(await all.links())).toEqual({ [pdf]: 0.4, [state]: 0.4 });
  });

  test("a page that is gone takes its links with it, and brings them back", async () => {
    using all = await aTown();
    await all.visit({ keywords: { lake: 1 } });
    expect((await all.links()).map(({ url }) => url)).toEqual(["https://site.test/lake"]);
    const { "/parks": parks } = all.pages;
    all.pages["/parks"] = { status: 410 };
    await all.visit();
    expect(await all.links()).toEqual([]);
    all.pages["/parks"] = parks!;
    await all.visit();
    expect(await all.links()).toMatchObject([{ firstRun: 1, isNew: false }]);
  });

  test("what a plugin says counts too; its own words weigh a quarter", async () => {
    using all = await aTown();
    const minutes = definePlugin({
      name: "finder",
      scoreLinks: (links) =>
        links.flatMap(({ url, heading }) => [
          ...(heading === "Finance" ? [{ url, keyword: "money", match: 1, comment: "under Finance" }] : []),
          ...(url === budget ? [{ url, keyword: "budget", match: 0.2 }] : []),
        ]),
    });
    const words = definePlugin({ name: "words", config: () => ({ keywords: ["budget=0.5"] }) });
    const lost = definePlugin({ name: "lost", scoreLinks: () => [{ url: "https://site.test/nowhere", keyword: "x", match: 1 }] });
    const run = createCrawler({ db: all.db, plugins: [words, minutes, lost], ...all.site.options }).run(all.site.url);
    const { plugins } = await run.result;
    await run[Symbol.asyncDispose]();
    expect(plugins.lost?.lastError).toMatch("nowhere is no link of");
    expect(await all.links()).toMatchObject([
      { url: pdf, score: 0.625, keywords: { budget: 1, money: 1 }, comment: "under Finance" },
      { url: budget, score: 0.5 },
      { url: state, score: 0.25 },
    ]);
    expect(all.rows("SELECT DISTINCT comment FROM link_legacy WHERE keywords LIKE '%;money;%'")).toEqual([{ comment: "under Finance" }]);
  });

  test("the rows that older programs read are views: its columns, its delimiter, its halving, one crawl_time per run", async () => {
    using all = await aTown();
    await all.visit({ keywords: { budget: 0.8, agenda: 0.6 } });
    await all.visit();
    const times = all.rows(
      "SELECT DISTINCT crawl_time FROM site_legacy UNION SELECT crawl_time FROM page_legacy UNION SELECT crawl_time FROM link_legacy",
    );
    expect(times).toHaveLength(1);
    const columns = (view: string) => Object.keys(all.rows(`SELECT * FROM ${view}`)[0]!);
    expect([columns("site_legacy"), columns("page_legacy"), columns("link_legacy")]).toEqual([
      ["id", "url", "crawl_time"],
      ["id", "site_id", "url", "hash", "crawl_time"],
      ["id", "site_id", "page_id", "url", "score", "keywords", "crawl_time", "comment"],
    ]);
    expect(all.rows("SELECT url, score, keywords FROM link_legacy WHERE keywords LIKE '%;agenda;%' ORDER BY score DESC")).toEqual([
      { url: pdf, score: 1.1, keywords: ";budget;agenda;" },
      { url: state, score: 0.6, keywords: ";agenda;" },
    ]);
    expect(all.rows("SELECT count(*) AS pages, count(DISTINCT id) AS ids FROM link_legacy WHERE keywords = ';budget;'")).toEqual([
      { pages: 4, ids: 4 },
    ]);
  });
});

test("a further keyword counts what the latest crawl says, unless somebody says otherwise", async () => {
  using all = await aTown();
  await all.visit({ keywords: { budget: 0.8, agenda: 0.6 }, scoreRatio: 0 });
  const scoreOf = async (query: LinkQuery) => worth(await all.links(query))[pdf];
  expect(await scoreOf({})).toBe(0.8);
  expect(await scoreOf({ ratio: 1 })).toBe(1.4);
  const told = await nuthatchHere(["links", "--json", "--db", all.db], { cwd: all.folder.path, env: { NUTHATCH_SCORE_RATIO: "1" } });
  expect(JSON.parse(told.stdout)).toMatchObject({ links: [{ url: pdf, score: 1.4 }, {}, {}] });
});

describe("on the command line", () => {
  let all: Awaited<ReturnType<typeof aTown>>;
  beforeAll(async () => {
    all = await aTown();
    await all.visit({ keywords: { budget: 0.8, agenda: 0.6 } });
  });
  afterAll(() => all[Symbol.dispose]());
  const run = (...args: string[]) => nuthatchHere([...args, "--db", all.db], { cwd: all.folder.path });

  test("links are a table for people, and a document for programs", async () => {
    const { stdout } = await run("links", "--min-score", "0.7");
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["score", "new", "pages", "keywords", "text", "url"],
      ["1.1", "new", "1", "budget 1, agenda 1", "The budget and agenda", pdf],
      ["0.8", "new", "4", "budget 1", "Budget", budget],
      [""],
    ]);
    writeFileSync(all.folder.file("other.txt"), "# what if\nagenda = 1\nbudget=0.1\n");
    const { stdout: json } = await run("links", "--weights", "other.txt", "--json", "--limit", "1");
    expect(JSON.parse(json)).toMatchObject({ schemaVersion: 1, links: [{ url: pdf, score: 1.05 }] });
  });

  test("keywords are listed, and a change is told with what it matches", async () => {
    expect((await run("keywords", "set", "parks", "budget=0.5", "--fields", "word,weight,links")).stdout).toBe(
      "word    weight  links\nparks   1       1\nagenda  0.6     2\nbudget  0.5     2\n",
    );
    expect((await run("keywords", "rm", "parks", "-q")).code).toBe(0);
    expect((await run("sites", "show", "1")).stdout).toContain("keywords  agenda=0.6, budget=0.5");
    await all.withApp(async (app) => changeKeywords(app, (await app.store.sites())[0]!, { set: { budget: 0.8 } }));
  });

  test.each([
    ["a run that never was", ["--since", "77"], "there is no run 77"],
    ["a moment that only Date can read", ["--since=-1"], "-1 is neither a run nor a moment"],
    ["an empty keyword", ["-k", ""], "is no keyword"],
    ["a keyword that nobody can have", ["-k", "a;b"], "is no keyword"],
    ["an empty type", ["--type", ""], "is no type of file"],
    ["a type with a path", ["--type", "pdf,a/b"], "is no type of file"],
  ])("%s is refused", async (_, args, message) => {
    expect(await run("links", ...args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
  });

  test.each(["--since=1", "--since=2020-01-01", "--since=May 4, 2020", "--since=7d"])("%s is taken", async (since) => {
    expect((await run("links", since, "-q")).code).toBe(0);
  });

  test("exports have scores and keywords", async () => {
    const file = all.folder.file("links.csv");
    await exportTo(file, { db: all.db, what: "links" });
    expect(readFileSync(file, "utf8")).toMatch(/plan\.pdf,The budget and agenda,.*,1\.1,"\{""budget"":1,""agenda"":1\}"/);
    const pages = all.folder.file("pages.jsonl");
    await exportTo(pages, { db: all.db });
    const [home] = readFileSync(pages, "utf8").split("\n");
    expect(JSON.parse(home!)).toMatchObject({ topLinks: [{ url: pdf, score: 1.1, keywords: { budget: 1, agenda: 1 } }, {}, {}] });
  });

  test.concurrent.each([
    [["crawl", "https://site.test", "-k", "budget=2"], '"budget=2" is no keyword with a weight of 0 to 1'],
    [["crawl", "https://site.test", "-k", "budget;tax"], "no semicolon"],
    [["crawl", "https://site.test", "--keywords", "nowhere.txt"], "cannot read nowhere.txt"],
    [["links", "--keyword", "bugdet", "1"], "did you mean budget?"],
    [["links", "--min-score", "3"], "--min-score: 3 is no score"],
    [["keywords", "set", "budget=x"], "budget=x is no keyword"],
  ])("%j is refused, and told why", async (args, why) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(why);
  });
});
