// Takes the pictures of docs/dashboard.md: every screen, of a small town's web with a crawl at work.
import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createJiti } from "jiti";
import { smallPng } from "./small-png.mjs";

const jiti = createJiti(import.meta.url);
const { openBrowser } = await jiti.import("../test/dashboard/browser.ts");
const { openWorld } = await jiti.import("../test/dashboard/world.ts");

// Which of them, if not all: node scripts/screenshots.mjs docs/screens hosts pace
const [folder = "docs/screens", ...only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const begun = Date.now();
const world = await openWorld(false);
const browser = await openBrowser();
try {
  const { siteId, liveId, server } = world;
  for (const format of ["jsonl", "csv"]) await server.ask("POST", "/exports?wait=10s", { format, siteId });
  const [page2026] = (await server.ask("GET", `/pages?siteId=${siteId}&contains=budget-2026`)).body.data;
  const address = encodeURIComponent(world.sites.council.origin);
  const screens = [
    ["sites", "/", "Sittaford council"],
    ["crawls", "/crawls", "run 3"],
    ["links", `/links?siteId=${siteId}`, "Budget 2026"],
    ["links-dark", `/links?siteId=${siteId}`, "Budget 2026"],
    ["changes", `/changes?siteId=${siteId}&change=changed`, "million", "Ignore…"],
    ["pages", `/pages?siteId=${siteId}`, "Council tax"],
    ["page", `/pages/${page2026.id}?tab=metadata`, "description"],
    ["structure", `/structure?siteId=${siteId}`, "budget"],
    ["graph", `/structure?siteId=${siteId}&tab=graph&colour=score`, "more pages link to it"],
    ["playground", `/playground?mode=crawl&url=${address}&o.maxDepth=3`, "--max-depth", "Preview"],
    ["settings", "/settings?tab=exports", "finished"],
    ["hosts", "/hosts", "Crawl-delay"],
    ["crawl", `/crawls/${liveId}`, "Minutes of"],
    ["pace", "/hosts", "Crawl-delay", "Pace of 127.0.84.3"],
    ["crawl-dark", `/crawls/${liveId}?tab=skipped`, "robots.disallow"],
  ];
  const page = await browser.newPage({ baseURL: server.url, viewport: { width: 1280, height: 800 } });
  for (const [name, path, shown, button] of screens.filter(([name]) => only.length === 0 || only.includes(name))) {
    // A run tells how it went so far every half minute.
    if (name === "crawl") await sleep(Math.max(0, begun + 42_000 - Date.now()));
    await page.emulateMedia({ colorScheme: name.endsWith("-dark") ? "dark" : "light" });
    await page.goto(path);
    await page.locator("main").getByText(shown).first().waitFor();
    if (button) {
      await page.getByRole("button", { name: button }).first().click();
      if (name === "playground") await page.getByRole("region", { name: "Result" }).waitFor();
    }
    await page.waitForTimeout(2500);
    const png = await smallPng(browser, await page.screenshot());
    writeFileSync(`${folder}/${name}.png`, png);
    console.log(name, png.length);
  }
} finally {
  await browser.close();
  await world.close();
}
