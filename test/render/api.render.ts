/** What the server has a browser do, and what the dashboard says of it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../api-server.ts";
import { tempFolder } from "../cli.ts";
import { openBrowser } from "../dashboard/browser.ts";
import { type RunningSite, serveSite } from "../site/index.ts";
import { lackOf } from "./show-pages.ts";

const shell = `<!doctype html><title>App</title><div id=root></div><script>
  root.innerHTML = "<h1>Drawn</h1><p>" + "Said by a script. ".repeat(30) + '</p><a href="/next">next</a>'</script>`;

const lack = await lackOf("chromium");
describe.skipIf(lack !== "")(`a browser over the API${lack}`, () => {
  const folder = tempFolder();
  let site: RunningSite;
  let server: RunningServer;
  beforeAll(async () => {
    site = await serveSite({ "/": shell, "/next": shell, "/plain": "<title>Plain</title><p>As it came." }, { address: "127.0.61.30" });
    server = await startServer(["--port", "0", "--db", folder.file("api.db"), "--allow-private", "127.0.61.0/24"], {
      NUTHATCH_RATE_LIMIT: "none",
    });
  });
  afterAll(async () => {
    await server.kill("SIGTERM");
    await site.close();
    folder[Symbol.dispose]();
  });

  test.each([
    ["nothing said: as it came", "/", undefined, null],
    ["auto: what waits for its scripts is shown", "/", "auto", "chromium"],
    ["auto: what does not is left", "/plain", "auto", null],
    ["always", "/plain", "always", "chromium"],
  ])("a page, %s", async (_, path, render, renderedBy) => {
    const { status, body } = await server.ask("POST", "/scrape", { url: site.origin + path, ...(render && { render }) });
    expect([status, body.renderedBy]).toEqual([200, renderedBy]);
    expect(body.markdown.includes("Said by a script.")).toBe(path === "/" && renderedBy !== null);
  });

  test("many pages, more at once than there are browsers", async () => {
    const urls = ["/", "/next", "/?again", "/plain"].map((path) => site.origin + path);
    const { body } = await server.ask("POST", "/scrape/batch?wait=60s", { urls, render: "auto" });
    const by = body.result.results.map((page: { renderedBy: string | null }) => page.renderedBy);
    expect(by).toEqual(["chromium", "chromium", "chromium", null]);
  });

  test("what is no way to render is said before anything is asked", async () => {
    const before = site.log.length;
    const asked = { url: `${site.origin}/`, render: "sometimes" };
    expect(await server.ask("POST", "/scrape", asked)).toMatchObject({ status: 400, body: { errors: [{ pointer: "/body/render" }] } });
    expect(site.log.length).toBe(before);
  });

  test("the dashboard shows how many pages of a crawl were rendered, and tries one by hand", async () => {
    const { body } = await server.ask("POST", "/crawls", { url: `${site.origin}/`, config: { render: "auto" } });
    await expect.poll(async () => (await server.ask("GET", `/crawls/${body.id}`)).body.status, { timeout: 60_000 }).toBe("finished");
    await using browser = await openBrowser();
    const page = await browser.newPage();
    await page.goto(`${server.url}/crawls/${body.id}`);
    await page.getByTitle("chromium 2").waitFor();
    await page.goto(`${server.url}/playground?mode=fetch&url=${encodeURIComponent(`${site.origin}/`)}`);
    await page.getByLabel("render", { exact: true }).selectOption("auto");
    await page.getByText("--render auto").waitFor();
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("shown by").waitFor({ timeout: 60_000 });
    await page.getByText("Said by a script.").first().waitFor();
  });
});
