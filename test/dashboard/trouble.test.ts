/** The dashboard where something is missing: no data, no such site, no such screen, no server. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../api-server.ts";
import { tempFolder } from "../cli.ts";
import { openBrowser } from "./browser.ts";

let folder: ReturnType<typeof tempFolder>;
let server: RunningServer;
let browser: Browser;
let page: Page;

const start = (port: string) => startServer(["--port", port, "--db", folder.file("empty.db")]);

beforeAll(async () => {
  folder = tempFolder();
  [server, browser] = await Promise.all([start("0"), openBrowser()]);
  page = await browser.newPage({ baseURL: server.url });
});
afterAll(async () => {
  await browser?.close();
  await server?.kill("SIGTERM");
  folder?.[Symbol.dispose]();
});
// The tests share a data file, and what one leaves behind when it fails is not to fail the next.
afterEach(async () => {
  for (const { id } of (await server.ask("GET", "/sites")).body.data) await server.ask("DELETE", `/sites/${id}`);
});

const siteScreens = ["/links", "/changes", "/pages", "/structure"];

test.each(siteScreens)("%s of an empty data file says that there are no sites", async (path) => {
  await page.goto(path);
  await page.getByText("No sites yet").waitFor();
  expect(await page.getByText("loading…").count()).toBe(0);
});

test.each(siteScreens)("%s of a site that is not there says so, and offers those that are", async (path) => {
  const { id } = (await server.ask("POST", "/sites", { url: "http://127.0.84.77/" })).body;
  await page.goto(`${path}?siteId=99`);
  await page.getByText("There is no site 99").waitFor();
  await page.getByRole("link", { name: "127.0.84.77" }).click();
  await page.getByRole("combobox", { name: "Site" }).waitFor();
  expect(new URL(page.url()).searchParams.get("siteId")).toBe(String(id));
});

test("a path that nobody knows is a screen for people and a problem for programs", async () => {
  const answer = await page.goto("/nowhere");
  expect(answer!.status()).toBe(404);
  await page.getByRole("heading", { name: "Not found" }).waitFor();
  expect(await page.title()).toBe("Not found · Nuthatch");
  expect((await server.ask("GET", "/api/v1/nowhere")).body.type).toBe("urn:nuthatch:problem:not-found");
  const program = await fetch(`${server.url}/nowhere`);
  expect(program.headers.get("content-type")).toMatch(/problem\+json/);
});

test("every screen names its tab", async () => {
  await page.goto("/crawls");
  await expect.poll(() => page.title()).toBe("Crawls · Nuthatch");
  await page.getByRole("link", { name: "Hosts" }).click();
  await expect.poll(() => page.title()).toBe("Hosts · Nuthatch");
});

test("? shows the shortcuts, and / leads to the search of the pages from anywhere", async () => {
  await server.ask("POST", "/sites", { url: "http://127.0.84.77/" });
  await page.goto("/settings?tab=about");
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  // The list is still open: Escape would close it a moment later than the next key comes.
  await page.keyboard.press("/");
  await expect.poll(() => page.evaluate("document.activeElement.closest('label')?.innerText.trim()")).toBe("Words");
  await page.keyboard.type("harbour");
  const before = (await page.evaluate("history.length")) as number;
  await page.keyboard.press("Enter");
  await page.getByText("No pages hold these words").waitFor();
  await page.keyboard.press("Tab");
  expect(await page.evaluate("history.length")).toBe(before + 1);
});

test("an address without a scheme is taken as a browser takes it, and the API says what was meant", async () => {
  const refused = await server.ask("POST", "/crawls", { url: "www.northfield.test" });
  expect([refused.status, refused.body.suggestion]).toEqual([400, "https://www.northfield.test"]);
  await page.goto("/");
  await page.getByLabel("Address").fill("127.0.84.78:9");
  await page.getByRole("button", { name: "Crawl", exact: true }).click();
  await page.getByText("Private addresses are closed").waitFor();
});

test("what is no answer of the server's is not called one", async () => {
  await server.ask("POST", "/sites", { url: "http://127.0.84.77/", name: "A site" });
  await page.goto("/");
  await page.getByRole("button", { name: "Edit A site" }).click();
  await page.getByLabel("Options of its crawls").fill("{maxDepth:3}");
  await page.getByRole("button", { name: "Keep" }).click();
  await page.getByRole("alert").getByText("The options are not JSON").waitFor();
});

test("a server that ends is told, and what was asked meanwhile is there when it is back", async () => {
  const { port } = new URL(server.url);
  await page.goto("/crawls");
  await page.getByRole("status").getByText("live").waitFor();
  await server.kill("SIGTERM");
  await page.getByRole("status").getByText("reconnecting").waitFor();
  // One screen is asked for data, another has not been loaded yet.
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("alert").getByText("The server does not answer").waitFor();
  await page.getByRole("link", { name: "Crawls" }).click();
  await page.getByRole("alert").getByText("The server does not answer").waitFor();
  expect(await page.getByText("0 rows").count()).toBe(0);
  server = await start(port);
  await page.getByText("No run yet").waitFor({ timeout: 30_000 });
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByText("No key yet").waitFor();
});
