/** What a search or an export leaves out is counted and said, and what a request says twice is told as that. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "./api-server.ts";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { serveSite } from "./site/index.ts";

const folder = tempFolder();
const here = (...args: string[]) => nuthatchHere([...args, "--db", folder.file("a.db")], { cwd: folder.path });
const text = (title: string, body: string, head = "") =>
  `<!doctype html><html lang=en><title>${title}</title>${head}<h1>${title}</h1><p>${body}</p>`;
let server: RunningServer;

beforeAll(async () => {
  const pages: Record<string, string> = {
    "/": text("Home", 'Where the ferry leaves. <a href="/ferry">a</a> <a href="/copy">b</a> <a href="/other">c</a> <a href="/quiet">d</a>'),
    "/ferry": text("Ferry", "The ferry leaves at nine from the old harbour wall."),
    "/copy": text("Ferry", "The ferry leaves at nine from the old harbour wall."),
    "/other": text("Other", "Another text about boats and the ferry of the town.", "<link rel=canonical href=/ferry>"),
    "/quiet": text("Quiet", "The ferry does not want to be found here.", "<meta name=robots content=noindex>"),
  };
  const site = await serveSite(({ path }) => pages[path], { address: "127.0.66.83" });
  expect((await here("crawl", `${site.origin}/`, "--rate-limit", "none", "-q")).code).toBe(0);
  await site.close();
  server = await startServer(["--db", folder.file("a.db"), "--port", "0"]);
}, 60_000);
afterAll(async () => {
  await server.kill("SIGTERM");
  folder[Symbol.dispose]();
});

test("search says how many matches it left out, and how to get them", async () => {
  const { stdout, stderr } = await here("search", "ferry", "--json");
  const found = JSON.parse(stdout);
  expect([found.total + found.leftOut, found.leftOut > 0, stderr]).toEqual([5, true, ""]);
  expect((await here("search", "ferry")).stderr).toBe(
    `${found.total} pages; left out: ${found.leftOut} (copies, walls, errors, noindex): --all takes them too\n`,
  );
  expect(JSON.parse((await here("search", "ferry", "--all", "--json")).stdout)).toMatchObject({ total: 5, leftOut: 0 });
  expect((await here("search", "ferry", "--all")).stderr).toBe("5 pages\n");
  const { total, leftOut } = found;
  expect((await server.ask("GET", "/search?q=ferry")).body).toMatchObject({ total, leftOut });
});

test("a sitemap says which pages it leaves out because they name another address as theirs", async () => {
  const { stdout, stderr } = await here("export", "sitemap");
  expect(stdout).not.toContain("/other");
  expect(stderr).toContain("left out: 1 stored under the address that the page calls its own\n");
  expect(stderr).toContain("left out: noindex 1; --include-noindex takes them too\n");
});

test.each([
  ["fewer than there are", ["--limit", "2"], "only the latest 2 changes: --limit takes more\n"],
  ["as many as there are", ["--limit", "4"], ""],
])("a feed says when its limit left changes out: %s", async (_, args, told) => {
  const { stdout, stderr } = await here("export", "feed", ...args);
  expect(stdout.match(/<entry>/g)).toHaveLength(Number(args[1]));
  expect(stderr).toBe(`${told}left out: noindex 1; --include-noindex takes them too\n`);
});

test.each(["/pages?limit=1&limit=2", "/search?q=a&q=b", "/crawls?siteId=1&siteId=1"])(
  "%s is told that it says something twice",
  async (path) => {
    const { status, body } = await server.ask("GET", path);
    expect([status, body.detail]).toEqual([400, expect.stringMatching(/^\/query\/\w+: this is given more than once$/)]);
  },
);
