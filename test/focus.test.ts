import { crawl } from "nuthatch";
import { fakeSite } from "nuthatch/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApp } from "../dist/src/engine/app.js";
import { evaluateFocus } from "../dist/src/features/focus/focus-eval.js";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";

const [HUBS, ITEMS, RICH] = [14, 12, 9];

/** A town whose links all say "More"; the items of one drawer are about water. */
function drawers(): Record<string, string> {
  const pages: Record<string, string> = {};
  const hubs = Array.from({ length: HUBS }, (_, hub) => `<p><a href="/drawer/${hub}">More</a></p>`).join("");
  pages["/"] = `<title>Town</title>${hubs}`;
  for (let hub = 0; hub < HUBS; hub++) {
    const items = Array.from({ length: ITEMS }, (_, item) => hub * ITEMS + item);
    pages[`/drawer/${hub}`] = `<title>Drawer</title>${items.map((item) => `<p><a href="/item/${item}">More</a></p>`).join("")}`;
    for (const item of items)
      pages[`/item/${item}`] =
        hub === RICH
          ? `<title>Water ${item}</title><p>Water meters of street ${item}</p>`
          : `<title>Item ${item}</title><p>A chair, number ${item}</p>`;
  }
  return pages;
}

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());

/** After how many pages nine tenths of the water pages were read. */
async function pagesTo90(db: string, options: object): Promise<number> {
  const site = fakeSite(drawers());
  await using run = crawl(site.url, { db, scorer: "lexical", ...site.options, ...options });
  let [pages, met, at] = [0, 0, 0];
  for await (const page of run) {
    pages += 1;
    if (/Water/.test(page.metadata.title?.value ?? "") && ++met === Math.ceil(0.9 * ITEMS)) at = pages;
  }
  await run.result;
  return at;
}

describe("a crawl with keywords", () => {
  const db = folder.file("water.db");
  let focused = 0;
  beforeAll(async () => {
    focused = await pagesTo90(db, { keywords: { water: 1 } });
  });

  test("comes to what they apply to much sooner, though no link says so", async () => {
    expect(focused).toBeLessThan(0.6 * (await pagesTo90(folder.file("plain.db"), { order: "breadth" })));
  });

  test("keeps what it learned with the run, for one that is resumed", async () => {
    const app = await openApp({ db });
    const [run] = await app.store.runs({ limit: 1 });
    await app.close();
    const { focus } = run!.state.guards as { focus: { arms: [string, number, number][] } };
    const [, tries, worth] = focus.arms.find(([name]) => name.includes(`/drawer/${RICH}`) && name.startsWith("<"))!;
    expect([tries, Math.round(worth)]).toEqual([ITEMS, ITEMS]);
  });

  test("can be replayed under every order, by its own keywords", async () => {
    const app = await openApp({ db });
    const [site] = await app.store.sites();
    const report = await evaluateFocus(app, { site: site!, minRelevance: 0.5 });
    await app.close();
    expect(report).toMatchObject({ pages: 1 + HUBS + HUBS * ITEMS, reached: 1 + HUBS + HUBS * ITEMS, targets: ITEMS });
    const to90 = Object.fromEntries(report.orders.map(({ order, requestsTo90 }) => [order, requestsTo90]));
    expect(to90.oracle).toBe(2 + Math.ceil(0.9 * ITEMS));
    expect(to90.nuthatch).toBeLessThan(to90.breadth!);
  });

  test("focus eval shows that as a table or a document", async () => {
    const { stdout } = await nuthatch(["focus", "eval", db, "--target-url", "/item/11*"]);
    expect(stdout).toMatch(/order +to 90 % +of all +harvest +AUC +recall/);
    expect(stdout).toMatch(/nuthatch +\d+ +\d+ %/);
    const { stdout: json } = await nuthatchHere(["focus", "eval", db, "--json", "--targets", "0.9"]);
    expect(JSON.parse(json)).toMatchObject({ schemaVersion: 1, targets: ITEMS, keywords: { water: 1 } });
  });

  test("mistakes are told what to do", async () => {
    const { stderr, code } = await nuthatchHere(["focus", "eval", db, "-k", "water=9"]);
    expect(stderr).toMatch(/no keyword.*\n.*-k budget/);
    expect(code).toBe(2);
    const app = await openApp({ db });
    const [site] = await app.store.sites();
    await expect(evaluateFocus(app, { site: site!, keywords: { zebra: 1 }, minRelevance: 0.5 })).rejects.toThrow(
      /none of \d+ pages is a target/,
    );
    await app.close();
  });
});

test("a page that did not change lends its links what is stored of them", async () => {
  const names = ["Chairs", "Tables", "Lamps", "Roofs", "Doors", "Floors", "Walls", "Water meters", "Windows"];
  const home = { body: names.map((name, at) => `<p><a href="/${at}">${name}</a></p>`).join(""), headers: { etag: '"1"' } };
  const pages = { "/": home, ...Object.fromEntries(names.map((name, at) => [`/${at}`, `<title>${name}</title><p>About it</p>`])) };
  const site = fakeSite(pages);
  const visit = async () => {
    await using run = crawl(site.url, { db: folder.file("again.db"), scorer: "lexical", keywords: { water: 1 }, ...site.options });
    await run.result;
  };
  await visit();
  const before = site.requests.length;
  await visit();
  const asked = site.requests.slice(before).map(({ url }) => new URL(url).pathname);
  expect(asked.filter((path) => path !== "/robots.txt").slice(0, 2)).toEqual(["/", "/7"]);

  Object.assign(pages, { "/0": "<title>Chairs</title><p>Water, water, water and water again</p>" });
  await visit();
  const app = await openApp({ db: folder.file("again.db") });
  const [known] = await app.store.sites();
  // What a page says today counts.
  expect((await evaluateFocus(app, { site: known!, minRelevance: 0.5 })).targets).toBe(2);
  await app.close();
});
