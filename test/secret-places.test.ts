/** A secret of the environment goes where the environment or the person who typed says, never where a file or stored data say alone. */
import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSqlite } from "../dist/src/store/index.js";
import { nuthatch, start, tempFolder } from "./cli.ts";
import { type ModelStub, serveModel } from "./model-stub.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const KEY = "canary-key-2";

describe("the key of a model", () => {
  let stub: ModelStub;
  let site: RunningSite;
  beforeAll(async () => {
    stub = await serveModel("127.0.64.21");
    site = await serveSite({ "/": '<a href="/budget">The budget</a>', "/budget": "<p>Figures</p>" }, { address: "127.0.64.22" });
  });
  beforeEach(() => {
    stub.calls.length = 0;
  });
  afterAll(() => Promise.all([stub.close(), site.close()]));

  const keysSeen = () => [...new Set(stub.calls.map(({ headers }) => headers.authorization))];
  const evaluate = ["llm", "eval", "--llm", "stub-1"];
  const refusal = () => expect.stringMatching(/NUTHATCH_LLM_KEY is not sent to 127\.0\.64\.21:\d+, [\s\S]*export NUTHATCH_LLM_URL=/);

  test.each([
    ["found", []],
    ["named", ["-c", "nuthatch.config.yaml"]],
  ])("does not go to the endpoint of a config file that is %s", async (_, flags) => {
    using folder = tempFolder();
    writeFileSync(folder.file("nuthatch.config.yaml"), `llmUrl: ${stub.url}\n`);
    const how = { cwd: folder.path, env: { NUTHATCH_LLM_KEY: KEY } };
    expect(await nuthatch([...evaluate, ...flags], how)).toMatchObject({ code: 2, stdout: "", stderr: refusal() });
    expect(stub.calls).toEqual([]);
    expect((await nuthatch([...evaluate, ...flags], { cwd: folder.path })).code).toBe(0);
    expect(keysSeen()).toEqual([undefined]);
  });

  test.each<[string, string[], Record<string, string>]>([
    ["beside the key", [], { NUTHATCH_LLM_URL: "" }],
    ["on the command line", ["--llm-url", ""], {}],
  ])("goes to the endpoint that is named %s", async (_, flags, env) => {
    using folder = tempFolder();
    writeFileSync(folder.file("nuthatch.config.yaml"), "llmUrl: https://elsewhere.test/v1\n");
    const named = Object.fromEntries(Object.keys(env).map((name) => [name, stub.url]));
    const how = { cwd: folder.path, env: { NUTHATCH_LLM_KEY: KEY, ...named } };
    expect((await nuthatch([...evaluate, ...flags.map((flag) => flag || stub.url)], how)).code).toBe(0);
    expect(keysSeen()).toEqual([`Bearer ${KEY}`]);
  });

  test("does not go to the endpoint of a stored run, until that is named again", async () => {
    using folder = tempFolder();
    const db = ["--db", folder.file("site.db")];
    const options = ["--llm", "stub-1", "--llm-url", stub.url, "-k", "budget", "--rate-limit", "none", "--max-pages", "1"];
    expect((await nuthatch(["crawl", `${site.origin}/`, ...options, ...db])).code).toBe(0);
    expect(keysSeen()).toEqual([undefined]);
    stub.calls.length = 0;
    const how = { env: { NUTHATCH_LLM_KEY: KEY } };
    const resume = ["resume", "1", "--max-pages", "5", ...db];
    expect(await nuthatch(resume, how)).toMatchObject({ code: 2, stderr: refusal() });
    expect(stub.calls).toEqual([]);
    expect((await nuthatch([...resume, "--llm-url", stub.url], how)).code).toBe(0);
    expect(keysSeen()).not.toContain(undefined);
  });
});

test("the password of a database does not go to one that a config file alone names", async () => {
  let connections = 0;
  const server = createSocketServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.64.23", ready));
  const url = `postgres://me@127.0.64.23:${(server.address() as AddressInfo).port}/town`;
  using folder = tempFolder();
  writeFileSync(folder.file("nuthatch.config.yaml"), `db: ${url}\n`);
  const pages = (flags: string[], env: Record<string, string>) => nuthatch(["pages", ...flags], { cwd: folder.path, env });
  const refused = await pages([], { PGPASSWORD: KEY });
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/PGPASSWORD is not sent to [\s\S]*export NUTHATCH_DB=postgres:/),
  });
  expect(connections).toBe(0);
  for (const [flags, env] of [
    [["--db", url], { PGPASSWORD: KEY }],
    [[], { PGPASSWORD: KEY, NUTHATCH_DB: url }],
    [[], {}],
  ] as [string[], Record<string, string>][]) {
    connections = 0;
    expect([(await pages(flags, env)).code, connections > 0]).toEqual([5, true]);
  }
  server.close();
});

describe("the key of a server", () => {
  /** A data file that says where its server is. */
  async function withServer(url: string) {
    const folder = tempFolder();
    const db = folder.file("site.db");
    const store = openSqlite(db);
    await store.service.setServerUrl(url, process.pid);
    await store.close();
    return { ...folder, db };
  }
  const handOver = (db: string, env: Record<string, string> = {}) =>
    nuthatch(["crawl", "http://127.0.31.9/", "--detach", "--db", db], { env: { NUTHATCH_API_KEY: KEY, ...env } });

  test("goes to one on this machine, unless others may write the data that name it", async () => {
    const heard: IncomingHttpHeaders[] = [];
    const server = createServer(({ headers }, response) => {
      heard.push(headers);
      response.setHeader("content-type", "application/json").end("{}");
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.64.24", ready));
    const url = `http://127.0.64.24:${(server.address() as AddressInfo).port}`;
    using place = await withServer(url);
    await handOver(place.db);
    expect(heard.map(({ authorization }) => authorization)).toEqual([`Bearer ${KEY}`]);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(place.db, 65_534, 65_534);
    else chmodSync(place.db, 0o666);
    heard.length = 0;
    expect(await handOver(place.db)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/NUTHATCH_API_KEY is not sent[\s\S]*CRAWLER_SERVICE_URL=/),
    });
    expect(heard).toEqual([]);
    await handOver(place.db, { CRAWLER_SERVICE_URL: url });
    expect(heard).toHaveLength(1);
    server.close();
  });

  test("does not go to another machine because the data say so", async () => {
    using place = await withServer("http://server.test:8000");
    expect(await handOver(place.db)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/it is on another machine[\s\S]*CRAWLER_SERVICE_URL=/),
    });
  });
});

test("a run is not carried on, with credentials and all, where others could have written the data file", async () => {
  using folder = tempFolder();
  const db = folder.file("site.db");
  const asked: (string | undefined)[] = [];
  let answers = false;
  const site = createServer(({ url, headers }, response) => {
    asked.push(headers.authorization);
    if (url === "/robots.txt") response.writeHead(404).end();
    else if (answers) response.end("<p>Inside");
  });
  await new Promise<void>((ready) => site.listen(0, "127.0.64.27", ready));
  const url = `http://127.0.64.27:${(site.address() as AddressInfo).port}/`;
  const env = { NUTHATCH_AUTH: "alice:canary", NUTHATCH_RATE_LIMIT: "none" };
  const begun = start(["crawl", url, "--db", db], { env });
  while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  begun.kill("SIGKILL");
  await begun.ended;
  answers = true;
  asked.length = 0;
  chmodSync(db, 0o666);
  const refused = await nuthatch(["resume", "--db", db], { env });
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/run 1 is not carried on: its data file can be written by everybody/),
  });
  chmodSync(db, 0o600);
  writeFileSync(`${db}-wal`, "");
  chmodSync(`${db}-wal`, 0o666);
  expect((await nuthatch(["resume", "--db", db], { env })).code).toBe(2);
  expect(asked).toEqual([]);
  chmodSync(db, 0o666);
  // What is typed now needs no data file to say so.
  const anew = await nuthatch(["crawl", url, "--db", db], { env });
  expect(anew).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/run 1 is unfinished, but its data file can be written by everybody; starting a new run/),
  });
  expect(asked).toContain(`Basic ${btoa("alice:canary")}`);
  site.closeAllConnections();
  site.close();
});
