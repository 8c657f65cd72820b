/** What the server tells of its work, and what the command line does with a server that it was told of by name. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "./api-server.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const text = (word: string) =>
  `<title>The ${word} of the town</title><h1>The ${word}</h1><p>${`Whoever asks about the ${word} finds its times here. `.repeat(4)}</p>`;
let site: RunningSite;
const servers: RunningServer[] = [];

beforeAll(async () => {
  const links = '<a href="/ferry">ferry</a> <a href="/market">market</a>';
  site = await serveSite(
    { "/": `${text("harbour")}${links}`, "/ferry": text("ferry"), "/market": text("market") },
    { address: "127.0.84.1" },
  );
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill("SIGTERM");
});
afterAll(async () => {
  await site.close();
  folder[Symbol.dispose]();
});

async function serving(db: string, ...args: string[]): Promise<RunningServer> {
  const server = await startServer(["--port", "0", "--db", folder.file(db), ...args]);
  servers.push(server);
  return server;
}

const open = ["--allow-private", "127.0.0.0/8"];
const fast = { rateLimit: "100/s" };

async function crawled(server: RunningServer, more: object = {}): Promise<void> {
  const { body } = await server.ask("POST", "/crawls", { url: `${site.origin}/`, ...fast, ...more });
  await server.events(`/crawls/${body.id}/events`, (heard) => heard.some(({ type }) => type === "crawl.finished"));
}

const sourcesOf = (said: string, path: string) =>
  said.split("\n").filter((line) => line.startsWith(`[${site.origin}${path}] Extracted from: title:`));

describe("the server's log", () => {
  test("says of each page where its values stood, when it is crawled, filled in and looked at again", async () => {
    const server = await serving("log.db", "--log-file", folder.file("server.log"), ...open);
    await crawled(server, { enhance: false });
    expect(sourcesOf(server.said(), "/ferry")).toEqual([]);
    const filled = await server.ask("POST", "/api/enhance/metadata", {});
    expect(filled.body).toMatchObject({ processed: 3, enhanced: 3 });
    await expect.poll(() => sourcesOf(server.said(), "/ferry").length).toBe(1);
    await server.ask("POST", "/api/enhance/metadata", { contentIds: [filled.body.results[1].id], forceRescrape: true });
    await expect.poll(() => sourcesOf(server.said(), "/ferry").length).toBe(2);
    expect(sourcesOf(server.said(), "/ferry")[0]).toMatch(/title:h1, .*content:/);
    expect(
      readFileSync(folder.file("server.log"), "utf8")
        .split("\n")
        .filter((line) => line.startsWith("[")),
    ).toHaveLength(4);
  });

  test("says it while a crawl is under way; -v adds each visit, and --log-format json makes lines of JSON", async () => {
    const [plain, loud] = await Promise.all([serving("plain.db", ...open), serving("loud.db", "-v", "--log-format", "json", ...open)]);
    await Promise.all([plain, loud].map((server) => crawled(server)));
    await expect.poll(() => sourcesOf(plain.said(), "/market").length).toBe(1);
    expect(plain.said()).not.toMatch(/fetched +http/);
    const told = loud
      .said()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    const records = told.map((line) => JSON.parse(line) as { type: string; message?: string; url?: string });
    expect(records.filter(({ message }) => message?.startsWith(`[${site.origin}/market] Extracted from: `))).toHaveLength(1);
    expect(records.filter(({ type, url }) => type === "url.settled" && url === `${site.origin}/market`)).toHaveLength(1);
  });

  test("every page that failed has its reason, in the answer and in the log", async () => {
    const first = await serving("closed.db", ...open);
    await crawled(first);
    await first.kill("SIGTERM");
    servers.splice(0);
    const server = await serving("closed.db");
    const { body } = await server.ask("POST", "/api/enhance/metadata", { contentIds: ["1", "999"], forceRescrape: true });
    expect(body.results).toEqual([
      { id: "1", url: `${site.origin}/`, status: "failed", fieldsAdded: [], reason: expect.stringMatching(/127\.0\.84\.1|private/) },
      { id: "999", url: "", status: "failed", fieldsAdded: [], reason: "it is not stored" },
    ]);
    await expect
      .poll(() => server.said())
      .toMatch(new RegExp(`\\[${site.origin}/\\] No metadata: .+\\n\\[page 999\\] No metadata: it is not stored`));
  });
});

test("forceRescrape without ids asks for the pages whose metadata is the oldest, batch by batch", async () => {
  const server = await serving("force.db", ...open);
  await crawled(server);
  const asked = () => site.log.filter(({ path }) => path !== "/robots.txt").map(({ path }) => path);
  const before = asked().length;
  const batch = async () => (await server.ask("POST", "/api/enhance/metadata", { forceRescrape: true, batchSize: 1 })).body;
  const batches = [await batch(), await batch(), await batch()];
  expect(batches.map(({ processed }) => processed)).toEqual([1, 1, 1]);
  expect(asked().slice(before).sort()).toEqual(["/", "/ferry", "/market"]);
});

const ESCAPES = "\u001b]0;title\u0007\u001b[31m\u009b31m\u202e";
const eventOf = (said: string) => JSON.stringify({ crawlId: 1, data: { status: said, change: said, url: said } });

describe("CRAWLER_SERVICE_URL", () => {
  test("is enough in an empty folder, and the commands that are printed work there", async () => {
    const server = await serving("named.db", ...open);
    const cwd = folder.file("empty");
    mkdirSync(cwd);
    const elsewhere = { cwd, env: { CRAWLER_SERVICE_URL: server.url } };
    const handed = await nuthatch(["crawl", site.origin, "--rate-limit", "100/s", "--detach"], elsewhere);
    expect(handed).toMatchObject({ code: 0, stderr: "" });
    const [, watch, stop] = /watch +(.*)\n +stop +(.*)\n/.exec(handed.stdout)!;
    expect([watch, stop]).toEqual([
      `CRAWLER_SERVICE_URL=${server.url} nuthatch runs watch 1`,
      `CRAWLER_SERVICE_URL=${server.url} nuthatch runs stop 1`,
    ]);
    const typed = (command: string, ...more: string[]) => nuthatch([...command.replace(/^.*nuthatch /, "").split(" "), ...more], elsewhere);
    expect(await typed(watch!)).toMatchObject({ code: 0, stdout: expect.stringContaining("Run 1 has ended: finished, 3 pages") });
    expect(JSON.parse((await typed("nuthatch runs watch", "--json")).stdout)).toMatchObject({ run: { id: 1, stopReason: "finished" } });
    expect(await typed(stop!)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^nuthatch: the server refused: run 1 has ended: finished/),
    });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("a run that is at work is stopped by name", async () => {
    const server = await serving("stop.db", ...open);
    const cwd = folder.path;
    const env = { CRAWLER_SERVICE_URL: server.url };
    await nuthatch(["crawl", site.origin, "--rate-limit", "1/m", "--detach"], { cwd, env });
    const stopped = await nuthatch(["runs", "stop"], { cwd, env });
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Run 1 has ended: stopped, \d pages?\n$/) });
  });

  test.each([
    ["runs of other kinds", { id: ESCAPES, status: ESCAPES, stopReason: ESCAPES, counters: { pages: ESCAPES } }, "{}"],
    ["runs that look like runs", { id: 1, status: ESCAPES, stopReason: ESCAPES, counters: { pages: 1 } }, "{no JSON"],
    ["events that look like events", { id: 1, status: "a", stopReason: ESCAPES, counters: { pages: 1 } }, eventOf(ESCAPES)],
  ])("what answers with %s prints nothing raw, and is told from a server", async (_, run, event) => {
    const other = createServer((request, response) => {
      const isStream = request.url?.endsWith("/events");
      response.setHeader("content-type", isStream ? "text/event-stream" : "application/json");
      response.end(
        isStream ? `event: page.fetched\ndata: ${event}\n\n` : JSON.stringify(request.url?.includes("?") ? { data: [run] } : run),
      );
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.84.2", resolve));
    const elsewhere = { cwd: folder.path, env: { CRAWLER_SERVICE_URL: `http://127.0.84.2:${(other.address() as AddressInfo).port}` } };
    for (const command of [
      ["runs", "watch"],
      ["runs", "stop"],
      ["runs", "watch", "1"],
      ["crawl", site.origin, "--detach"],
    ]) {
      const { code, stdout, stderr } = await nuthatch(command, elsewhere);
      expect(stdout + stderr, command.join(" ")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect([code, stderr]).toEqual(code === 0 ? [0, expect.any(String)] : [2, expect.stringMatching(/is no server of nuthatch/)]);
    }
    other.close();
  });

  test.each([
    ["no URL", "nowhere", /CRAWLER_SERVICE_URL nowhere is not an http or https URL/],
    ["nobody there", "http://127.0.84.9:9", /the server at http:\/\/127\.0\.84\.9:9 does not answer/],
  ])("%s is refused", async (_, url, message) => {
    const { code, stderr } = await nuthatch(["runs", "watch", "1"], { cwd: folder.path, env: { CRAWLER_SERVICE_URL: url } });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test("a server of something else is told as such", async () => {
    const env = { CRAWLER_SERVICE_URL: site.origin };
    const { code, stderr } = await nuthatch(["runs", "watch", "1"], { cwd: folder.path, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`what answers at ${site.origin} is no server of nuthatch`)]);
  });
});
