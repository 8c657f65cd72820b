/** A dashboard that wants a key, and somebody who types one. */
import { expect, test } from "vitest";
import { startServer } from "../api-server.ts";
import { nuthatch, tempFolder } from "../cli.ts";
import { openBrowser } from "./browser.ts";

test("a key is typed, opens the dashboard, and is forgotten when somebody logs out", async () => {
  using folder = tempFolder();
  const db = folder.file("closed.db");
  const { key } = JSON.parse((await nuthatch(["keys", "create", "--scope", "read", "--db", db, "--json"])).stdout);
  const server = await startServer(["--port", "0", "--db", db]);
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ baseURL: server.url });
    await page.goto("/crawls?status=failed");
    expect(await page.evaluate("getComputedStyle(document.body).fontFamily")).toMatch(/sans/);
    await page.getByLabel("Key").fill(`nh_${"x".repeat(43)}`);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("This key is not known here").waitFor();
    await page.getByLabel("Key").fill(key);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("navigation").getByText("Crawls").waitFor();
    expect(page.url()).toBe(`${server.url}/crawls?status=failed`);
    // What the key may not do is not offered.
    await page.goto("/settings");
    await page.getByText("this needs the scope admin").waitFor();
    expect(await page.getByRole("button", { name: "Make a key" }).isVisible()).toBe(false);
    await page.goto("/");
    await page.getByText("No sites yet").or(page.getByText("No site yet")).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Crawl" }).isVisible()).toBe(false);
    await page.goto("/settings?tab=about");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByText("wants a key").waitFor();
    await page.goto("/");
    await page.getByText("wants a key").waitFor();
  } finally {
    await browser.close();
    await server.kill("SIGTERM");
  }
});

test.each([
  ["another server", "//evil.test/x"],
  ["another server behind a backslash", "/\\evil.test"],
  ["a whole address", "https://evil.test/"],
  ["the login itself", "/login"],
])("a login does not lead to %s", async (_, to) => {
  using folder = tempFolder();
  const db = folder.file("closed.db");
  const { key } = JSON.parse((await nuthatch(["keys", "create", "--scope", "read", "--db", db, "--json"])).stdout);
  const server = await startServer(["--port", "0", "--db", db]);
  try {
    const answer = await fetch(`${server.url}/login`, { method: "POST", body: new URLSearchParams({ key, to }), redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
  } finally {
    await server.kill("SIGTERM");
  }
});
