/** The dashboard as somebody sees it: a real browser, a real server, a crawl at work. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "./browser.ts";
import { openWorld, type World } from "./world.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let world: World;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the browser complained about since the last look: errors, exceptions, what the policy refused. */
let complaints: string[] = [];

beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld(), openBrowser()]);
  // Ours alone may look into pages whose policy forbids scripts from elsewhere; violations are still told.
  context = await browser.newContext({ baseURL: world.server.url, viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

async function open(path: string): Promise<void> {
  complaints = [];
  await page.goto(path.replace("{site}", String(world.siteId)).replace("{run}", String(world.liveId)));
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** By the debugger's door, which the page's policy does not close. */
async function serious(): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as Finding[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

const screens: readonly (readonly [name: string, path: string, shown: string])[] = [
  ["sites", "/", "Sittaford council"],
  ["the runs", "/crawls", "run 3"],
  ["a run at work: latest pages", "/crawls/{run}", "Minutes of"],
  ["a run at work: upcoming", "/crawls/{run}?tab=upcoming", "/shelf/"],
  ["a run at work: skipped", "/crawls/{run}?tab=skipped", "/sealed"],
  ["a run at work: errors", "/crawls/2?tab=errors", "/lost"],
  ["a run at work: links", "/crawls/1?tab=links", "budget"],
  ["a run at work: log", "/crawls/{run}?tab=log", "fetched"],
  ["links", "/links?siteId={site}", "Budget 2026"],
  ["changes", "/changes?siteId={site}", "million crowns"],
  ["pages", "/pages?siteId={site}", "Council tax"],
  ["a page", "/pages/1", "Sittaford"],
  ["a page's metadata", "/pages/1?tab=metadata", "description"],
  ["the structure", "/structure?siteId={site}", "budget"],
];

describe("every screen", () => {
  test.each(screens)("%s shows what is there, without complaint, to everybody", async (_, path, shown) => {
    await page.emulateMedia({ colorScheme: "light" });
    await open(path);
    await page.locator("main").getByText(shown).first().waitFor({ timeout: 10_000 });
    expect(await serious()).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await serious()).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
