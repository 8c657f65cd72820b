/** The dashboard as somebody sees it: a real browser, a real server, a crawl at work. */
import { readdirSync, readFileSync, statSync } from "node:fs";
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

/** By the debugger's door, which the page's policy does not close. In another scheme only colours are others. */
async function serious(only?: "color-contrast"): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe);
  const options = JSON.stringify({ resultTypes: ["violations"], ...(only && { runOnly: [only] }) });
  const found = (await page.evaluate(`axe.run(document, ${options}).then(({ violations }) => violations)`)) as Finding[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

const screens: readonly (readonly [name: string, path: string, shown: string])[] = [
  ["sites, and what runs now", "/", "and 1 more · run 3"],
  ["the runs", "/crawls", "run 3"],
  ["a run at work: latest pages", "/crawls/{run}", "Minutes of"],
  ["a run at work: upcoming", "/crawls/{run}?tab=upcoming", "/minutes/"],
  ["a run at work: skipped", "/crawls/{run}?tab=skipped", "/sealed"],
  ["a run at work: errors", "/crawls/2?tab=errors", "/lost"],
  ["a run at work: links", "/crawls/1?tab=links", "budget"],
  ["a run at work: log", "/crawls/{run}?tab=log", "fetched"],
  ["links", "/links?siteId={site}", "Budget 2026"],
  ["changes", "/changes?siteId={site}&change=changed", "4.8"],
  ["pages", "/pages?siteId={site}", "Council tax"],
  ["a page", "/pages/1", "Sittaford"],
  ["a page's metadata", "/pages/1?tab=metadata", "description"],
  ["hosts", "/hosts", "Crawl-delay 10 s"],
  ["the playground", "/playground", "Address"],
  ["a new crawl", "/playground?mode=crawl&url=https://example.org&o.maxDepth=3", "--max-depth 3"],
  ["keys", "/settings", "No key yet"],
  ["exports", "/settings?tab=exports", "Write a file"],
  ["jobs", "/settings?tab=jobs", "Nothing took longer"],
  ["about", "/settings?tab=about", "Prometheus"],
  ["the page that asks for a key", "/login", "wants a key"],
  ["the structure", "/structure?siteId={site}", "budget"],
];

describe("every screen", () => {
  test.each(screens)("%s shows what is there, without complaint, to everybody", async (_, path, shown) => {
    await page.emulateMedia({ colorScheme: "light" });
    await open(path);
    await page.locator("main").getByText(shown).first().waitFor({ timeout: 10_000 });
    expect(await serious()).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await serious("color-contrast")).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

const rows = (label: string) => page.getByRole("region", { name: label }).locator("tbody tr");

describe("words that know no end", () => {
  test.each([1280, 400])("leave the page %i pixels wide", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const [long] = (await world.server.ask("GET", `/pages?siteId=${world.siteId}&contains=/long/`)).body.data;
    const wide: string[] = [];
    for (const [path, shown] of [
      ["/pages?siteId={site}&contains=/long/", "Rindfleisch"],
      ...["overview", "metadata", "markdown", "links", "versions", "decisions", "raw", "json"].map(
        (tab) => [`/pages/${long.id}?tab=${tab}`, "Rindfleisch"] as const,
      ),
      ["/structure?siteId={site}", "long/"],
      ["/structure?siteId={site}&tab=depth", "Depth"],
      ["/crawls/2", "Rindfleisch"],
      ["/crawls/1?tab=log", "xxxx"],
      ["/changes?siteId={site}&change=changed", "4.8"],
    ] as const) {
      await open(path);
      await page.locator("main").getByText(shown).first().waitFor({ timeout: 10_000 });
      if (shown === "long/") {
        await page.getByRole("button", { name: "long/" }).click();
        await page.getByText("yyyy").waitFor();
      }
      const reaches = (await page.evaluate("document.documentElement.scrollWidth")) as number;
      if (reaches > width) wide.push(`${path}: ${reaches}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(wide).toEqual([]);
  });
});

describe("on a telephone", () => {
  const phone = { width: 390, height: 844 };
  test("what a page says of itself has room to be read", async () => {
    await page.setViewportSize(phone);
    try {
      await open("/pages/1?tab=metadata");
      const value = page.getByRole("row", { name: "description" }).getByRole("cell").first();
      expect((await value.boundingBox())!.width).toBeGreaterThan(phone.width / 2);
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  test("a tap on a change shows it, and no column of a table is out of sight", async () => {
    await page.setViewportSize(phone);
    try {
      await open("/changes?siteId={site}&change=changed");
      const second = page.getByRole("list", { name: "Changed pages" }).getByRole("link").nth(1);
      const title = (await second.textContent())!.replace(/^.*changed /, "");
      await second.click();
      const shown = page.locator("#changed-page").getByRole("heading", { name: title.trim() });
      await expect.poll(async () => (await shown.boundingBox())!.y).toBeLessThan(phone.height / 2);
      for (const path of ["/", "/crawls", "/pages?siteId={site}", "/links?siteId={site}"]) {
        await open(path);
        const row = page.locator("tbody tr").first();
        await row.waitFor();
        const end = await page.evaluate(
          "Math.max(...[...document.querySelectorAll('tbody tr:first-child :is(td, td *)')].map((one) => one.getBoundingClientRect().right))",
        );
        expect([path, (end as number) <= phone.width]).toEqual([path, true]);
        expect([path, (await row.boundingBox())!.y < phone.height]).toEqual([path, true]);
        expect(await serious()).toEqual([]);
      }
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });
});

test("what these tests look for, they would see", async () => {
  await open("/");
  await page.evaluate(
    `document.querySelector("main").innerHTML = "<p style='color: #eee; background: #fff'>pale</p><input><img src=/x onerror='window.hurt=9'>"`,
  );
  await expect.poll(() => complaints.join()).toMatch(/Content Security Policy/);
  expect((await serious()).join()).toMatch(/label/);
  expect(await page.evaluate("window.hurt")).toBeUndefined();
});

describe("what people do", () => {
  test("an exclude takes as many queued URLs out as was foretold", async () => {
    await open("/crawls/{run}");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    const { ask } = world.server;
    const queued = async () =>
      (await ask("GET", `/crawls/${world.liveId}/frontier?count=true&limit=1000`)).body.data.map(({ url }: { url: string }) => url);
    // What is in flight when a run is paused comes back first.
    await expect.poll(async () => (await ask("GET", `/crawls/${world.liveId}`)).body.live.inFlight).toBe(0);
    const before = (await queued()) as string[];
    await page.getByRole("button", { name: "Edit scope" }).click();
    await page.getByLabel("Pages at most").fill("900");
    await page.getByLabel("Exclude").fill("/minutes/old/**");
    const said = await page.getByRole("dialog").getByText("queued URLs would be taken out").textContent();
    const foretold = Number(/^([\d,]+) of/.exec(said!)![1]);
    expect(foretold).toBe(before.filter((url) => url.includes("/minutes/old/")).length);
    expect(foretold).toBeGreaterThan(20);
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(async () => ((await queued()) as string[]).length).toBe(before.length - foretold);
    expect((await ask("GET", `/crawls/${world.liveId}`)).body.options.maxPages).toBe(900);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("a slider re-ranks the links at once", async () => {
    await open("/links?siteId={site}");
    await rows("Links").first().waitFor();
    const order = () => rows("Links").locator("td:nth-child(2) a").allTextContents();
    const before = await order();
    await page.getByRole("slider", { name: /budget/ }).fill("0");
    await expect.poll(order).not.toEqual(before);
    expect((await order())[0]).toBe("Minutes of the finance committee");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect.poll(order).toEqual(before);
  });

  test("rows are walked with j and k, opened with Enter, and / leads to the search", async () => {
    await open("/pages?siteId={site}");
    await rows("Pages").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await rows("Pages").nth(1).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("k");
    const wanted = await rows("Pages").first().locator("a").getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${wanted}`);
    await open("/pages?siteId={site}");
    await rows("Pages").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("million crowns");
    await page.keyboard.press("Enter");
    const found = page.getByRole("region", { name: "Pages" });
    await found.getByText("5 pages found").waitFor();
    expect(await found.getByRole("listitem").count()).toBe(5);
    expect((await found.locator("mark").allTextContents()).map((word) => word.toLowerCase())).toContain("million");
    expect(new URL(page.url()).searchParams.get("q")).toBe("million crowns");
  });

  /** What each of them shows of a page, if it works. */
  const tabs: readonly (readonly [name: string, shown: string])[] = [
    ["Overview", "How we got here"],
    ["Metadata", "meta:description"],
    ["Markdown", "tokens"],
    ["Links out", "Under"],
    ["Raw", "<!doctype"],
  ];

  test("what somebody planted in titles, addresses and links stays text", async () => {
    for (const path of [
      "/pages?siteId={site}&contains=odd",
      "/links?siteId={site}",
      "/crawls/2",
      "/crawls/1?tab=log",
      "/structure?siteId={site}&tab=graph",
    ]) {
      await open(path);
      await page.locator("main").getByText("onerror").first().waitFor({ state: "attached" });
      expect(await page.locator("main img, main script, main [onmouseover]").count()).toBe(0);
    }
    const { data } = (await world.server.ask("GET", `/pages?siteId=${world.siteId}&contains=odd`)).body;
    for (const { id } of data) {
      await open(`/pages/${id}`);
      for (const [tab, shown] of tabs) {
        await page.getByRole("navigation", { name: "What is known of it" }).getByText(tab).click();
        await page.locator("main").getByText(shown).first().waitFor();
        expect(await page.locator("main img, main script, main [onmouseover]").count()).toBe(0);
      }
    }
    expect(await page.evaluate("window.hurt")).toBeUndefined();
    expect(complaints).toEqual([]);
  });

  test("a page that is gone shows its last stored text, and a changed one the words that differ", async () => {
    const { pages } = (await world.server.ask("GET", `/diff?from=1&to=2&siteId=${world.siteId}&change=gone`)).body;
    expect(pages.length).toBeGreaterThan(0);
    await open("/changes?siteId={site}&change=gone");
    await page.locator(".struck article").getByText(pages[0].title).first().waitFor();
    await open("/changes?siteId={site}&change=changed&view=side");
    await page.locator(".diff-side ins strong").first().waitFor();
    expect(await page.locator(".diff-side del strong").count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  test("a finished run leads to its changes, and a page to how it was found", async () => {
    await open("/crawls/2");
    await page.locator("main").getByRole("link", { name: "Changes", exact: true }).click();
    await page.waitForURL(/\/changes\?siteId=\d+&to=2/);
    await open("/pages/1");
    await page.getByRole("heading", { name: "How we got here" }).waitFor();
    expect(complaints).toEqual([]);
  });

  test("a run whose pages were seen again since says so, and leads to them", async () => {
    await open("/crawls/1");
    await page.getByText("Later runs have seen its pages again").getByRole("link").click();
    await rows("Pages").first().waitFor();
    expect(new URL(page.url()).searchParams.get("siteId")).toBe(String(world.siteId));
  });

  test("the playground fetches a page, and foretells a crawl", async () => {
    const address = encodeURIComponent(world.sites.council.origin);
    await open(`/playground?url=${address}`);
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByRole("region", { name: "Result" }).getByText("Odd corner").waitFor();
    await open(`/playground?mode=crawl&url=${address}`);
    await page.getByLabel("exclude", { exact: true }).fill("/news/**");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("region", { name: "Left out" }).getByText("Disallow: /admin").waitFor();
    expect(await page.getByText(`nuthatch crawl ${world.sites.council.origin} --exclude`).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("what is selected in a diff is ignored, and heeded again", async () => {
    await open("/changes?siteId={site}&change=changed");
    const changed = page.getByRole("navigation", { name: "Kinds of change" }).getByText("changed");
    await changed.getByText("changed 5").waitFor();
    await page.locator(".diff ins strong").dblclick();
    await page.getByRole("group", { name: "Ignore this" }).getByText("on this site").click();
    await changed.getByText("changed 4").waitFor();
    await page.getByText("Ignored on this site: 1").click();
    await page.getByRole("button", { name: "Ignore…" }).first().click();
    expect(await serious()).toEqual([]);
    await page.getByRole("button", { name: /Heed again: .* comes to \* million/ }).click();
    await changed.getByText("changed 5").waitFor();
    expect(complaints).toEqual([]);
  });

  test("what is said of a site is kept, and its pages stay where they are", async () => {
    await open("/");
    await page.getByRole("button", { name: "Edit Sittaford council" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading").click();
    await dialog.getByLabel("Options of its crawls").fill('{ "maxDepth": 4 }');
    await dialog.getByRole("button", { name: "Remove…" }).click();
    await dialog.getByText(/2 runs, \d+ pages, .* would go/).waitFor();
    await dialog.getByRole("button", { name: "Keep" }).click();
    await expect.poll(async () => (await world.server.ask("GET", `/sites/${world.siteId}`)).body.config).toEqual({ maxDepth: 4 });
    expect(new URL(page.url()).pathname).toBe("/");
    expect(complaints).toEqual([]);
  });

  test("the first key is one of scope admin unless somebody says otherwise, and is told what comes of that", async () => {
    await open("/settings");
    await page.getByText("This server answers without a key").waitFor();
    const scope = page.getByLabel("Scope");
    await expect.poll(() => scope.inputValue()).toBe("admin");
    await scope.selectOption("read");
    await page.getByText("There is no key of scope admin yet").waitFor();
    expect(await serious()).toEqual([]);
  });

  test("a key is shown once, and revoked when somebody says so twice", async () => {
    await open("/settings");
    await page.getByLabel("Name").fill("a reader");
    await page.getByRole("button", { name: "Make a key" }).click();
    expect(await page.getByRole("status").getByText(/^nh_/).textContent()).toMatch(/^nh_[\w-]{20,}$/);
    await page.getByRole("button", { name: "Revoke the key a reader" }).click();
    await page.getByRole("button", { name: "Leave it" }).click();
    expect(await rows("Keys").count()).toBe(1);
    await page.getByRole("button", { name: "Revoke the key a reader" }).click();
    await page.getByRole("button", { name: "Revoke it" }).click();
    await page.getByText("No key yet").waitFor();
  });

  test("cancelling a run asks first", async () => {
    await open("/crawls/{run}");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Let it run" }).click();
    expect((await world.server.ask("GET", `/crawls/${world.liveId}`)).body.status).toBe("running");
  });

  test("a run that reached nobody has failed, wherever it is shown, and says why", async () => {
    const { id } = (await world.server.ask("POST", "/crawls", { url: "http://127.0.84.9:9/", rateLimit: "none" })).body;
    const status = async () => (await world.server.ask("GET", `/crawls/${id}`)).body.status;
    await expect.poll(status, { timeout: 30_000 }).toBe("failed");
    await open("/");
    await page.getByRole("region", { name: "Failed since yesterday" }).getByText(`run ${id}`).waitFor();
    await rows("Sites").getByTitle("no page could be fetched").getByText("failed").waitFor();
    await open("/crawls");
    await rows("Crawls").first().getByTitle("no page could be fetched").getByText("failed").waitFor();
    await open(`/crawls/${id}`);
    await page.getByText("No page could be fetched: no connection to 127.0.84.9").waitFor();
    expect(await serious()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("a host is paused, and goes on", async () => {
    const host = world.sites.library.origin.slice("http://".length);
    const paused = async () => (await world.server.ask("GET", `/hosts/${host}`)).body.pausedUntil as string | null;
    await open("/hosts");
    await page.getByRole("button", { name: `Pace of ${host}` }).click();
    expect(await serious()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "an hour" }).click();
    await rows("Hosts").getByText("somebody paused it").waitFor();
    expect(Date.parse((await paused())!)).toBeGreaterThan(Date.now() + 3_000_000);
    await page.getByRole("button", { name: `Let ${host} go on` }).click();
    await expect.poll(paused).toBeNull();
    expect(complaints).toEqual([]);
  });
});

test("all of it is less than 250 kB over the wire", () => {
  const folder = new URL("../../dist/bundle/dashboard/", import.meta.url);
  const sizes = readdirSync(folder).map((name) => statSync(new URL(name, folder)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
});
