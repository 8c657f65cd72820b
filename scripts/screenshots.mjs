// Takes the pictures of docs/dashboard.md: every screen, of a small town's web with a crawl at work.
import { mkdirSync, statSync } from "node:fs";
import { createJiti } from "jiti";

const jiti = createJiti(import.meta.url);
const { openBrowser } = await jiti.import("../test/dashboard/browser.ts");
const { openWorld } = await jiti.import("../test/dashboard/world.ts");

const folder = process.argv[2] ?? "docs/screens";
const only = process.argv[3];
mkdirSync(folder, { recursive: true });
const world = await openWorld();
const browser = await openBrowser();
try {
  const { siteId, liveId } = world;
  const pages = (await world.server.ask("GET", `/pages?siteId=${siteId}&contains=budget-2026`)).body.data;
  const screens = [
    ["sites", "/", "Sittaford council"],
    ["crawls", "/crawls", "run 3"],
    ["crawl", `/crawls/${liveId}`, "Minutes of", 9000],
    ["crawl-dark", `/crawls/${liveId}?tab=skipped`, "robots.disallow"],
    ["links", `/links?siteId=${siteId}`, "Budget 2026"],
    ["changes", `/changes?siteId=${siteId}&change=changed`, "million"],
    ["links-dark", `/links?siteId=${siteId}`, "Budget 2026"],
    ["pages", `/pages?siteId=${siteId}`, "Council tax"],
    ["page", `/pages/${pages[0].id}?tab=metadata`, "description"],
    ["structure", `/structure?siteId=${siteId}`, "budget"],
    ["hosts", "/hosts", "Crawl-delay", 2500],
    ["playground", `/playground?mode=crawl&url=${encodeURIComponent(world.sites.council.origin)}&o.maxDepth=3`, "--max-depth"],
    ["settings", "/settings?tab=exports", "jsonl"],
    ["graph", `/structure?siteId=${siteId}&tab=graph`, "", 3000],
  ].filter(([name]) => only === undefined || name.startsWith(only));
  const page = await browser.newPage({ baseURL: world.server.url, viewport: { width: 1280, height: 800 } });
  for (const [name, path, shown, wait = 500] of screens) {
    await page.emulateMedia({ colorScheme: name.endsWith("-dark") ? "dark" : "light" });
    await page.goto(path);
    if (shown)
      await page
        .locator("main")
        .getByText(shown)
        .first()
        .waitFor({ timeout: 8000 })
        .catch((error) => console.error(name, error.message));
    await page.waitForTimeout(wait);
    const file = `${folder}/${name}.png`;
    await page.screenshot({ path: file });
    console.log(file, statSync(file).size);
  }
} finally {
  await browser.close();
  await world.close();
}
