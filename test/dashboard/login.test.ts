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
    await page.goto("/crawls");
    await page.getByLabel("Key").fill(`nh_${"x".repeat(43)}`);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("This key is not known here").waitFor();
    await page.getByLabel("Key").fill(key);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("navigation").getByText("Crawls").waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
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
