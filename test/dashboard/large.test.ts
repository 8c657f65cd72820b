/** The dashboard with a folder that holds more than is shown at once: nothing is cut without a word. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../api-server.ts";
import { tempFolder } from "../cli.ts";
import { type RunningSite, serveSite } from "../site/index.ts";
import { openBrowser } from "./browser.ts";

const COUNT = 230;
const entries = Array.from({ length: COUNT }, (_, number) => `/register/${number}`);

let folder: ReturnType<typeof tempFolder>;
let site: RunningSite;
let server: RunningServer;
let browser: Browser;
let page: Page;
let siteId: number;

beforeAll(async () => {
  folder = tempFolder();
  const links = entries.map((path) => `<a href="${path}">Entry ${path.slice(10)}</a>`).join(" ");
  site = await serveSite(
    ({ path }) => {
      if (path === "/") return `<title>Register</title><p>All entries. ${links}`;
      return entries.includes(path) ? `<title>Entry ${path}</title><p>What ${path} says.` : undefined;
    },
    { address: "127.0.84.8" },
  );
  [server, browser] = await Promise.all([
    startServer(["--port", "0", "--db", folder.file("large.db"), "--allow-private", "127.0.84.8"]),
    openBrowser(),
  ]);
  const { id, sites } = (await server.ask("POST", "/crawls", { url: site.origin, rateLimit: "none" })).body;
  siteId = sites[0].id;
  while ((await server.ask("GET", `/crawls/${id}`)).body.endedAt === null) await sleep(100);
  page = await browser.newPage({ baseURL: server.url });
});
afterAll(async () => {
  await browser?.close();
  await server?.kill("SIGTERM");
  await site?.close();
  folder?.[Symbol.dispose]();
});

test("a folder shows its first 200 entries, says so, and shows the others when asked", async () => {
  await page.goto(`/structure?siteId=${siteId}`);
  await page.getByRole("button", { name: "register/" }).click();
  await page.getByText(`The first 200 of ${COUNT}`).waitFor();
  const entriesShown = page.locator(".tree .tree .tree > li:has(.twig)");
  expect(await entriesShown.count()).toBe(200);
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => entriesShown.count()).toBe(COUNT);
  expect(await page.getByText("The first").count()).toBe(0);
});

test("the graph as a list says how many pages it leaves out", async () => {
  await page.goto(`/structure?siteId=${siteId}&tab=graph`);
  await page.getByText("The same as a list").click();
  await page.getByText(`The first 200 of ${COUNT + 1}`).waitFor();
});

test("an entry of a folder leads to its page, not to all pages that begin like it", async () => {
  await page.goto(`/structure?siteId=${siteId}`);
  await page.getByRole("button", { name: "register/" }).click();
  await page.getByRole("link", { name: "1", exact: true }).click();
  await page.getByRole("heading", { name: "Entry /register/1", exact: true }).waitFor();
});
