/** A server whose crawling process hangs: it is noticed, ended, and what it had at work waits for a person. Whoever ends the server ends all of it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openApp } from "../dist/src/engine/app.js";
import { type Server, serve } from "../dist/src/interfaces/rest/index.js";
import { type RunningServer, startServer } from "./api-server.ts";
import { tempFolder } from "./cli.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const hangFile = folder.file("hang");
/** The main thread of a crawling process never comes back from here once the file is there. */
const hook = folder.file("hook.cjs");
writeFileSync(
  hook,
  // Not before its own watch has begun.
  `const { existsSync, writeFileSync } = require("node:fs");
  if (require("node:worker_threads").isMainThread && /(api-engine|engine-process)\\.js$/.test(process.argv[1] ?? ""))
    setTimeout(() => setInterval(() => {
      if (!existsSync(${JSON.stringify(hangFile)})) return;
      writeFileSync(${JSON.stringify(`${hangFile}.pid`)}, String(process.pid));
      for (;;);
    }, 20).unref(), 1500).unref();`,
);
const hooked = { NODE_OPTIONS: `--require ${hook}` };
let site: RunningSite;

beforeAll(async () => {
  const long = `/${"a".repeat(40)}`;
  const links = Array.from({ length: 40 }, (_, at) => `<a href="/p${at}">p</a>`).join("");
  const pages = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`/p${at}`, `<title>${at}</title>`]));
  site = await serveSite(
    { "/": `<title>Home</title><a href="${long}">long</a>${links}`, [long]: "<title>Long</title>", ...pages },
    {
      address: "127.0.84.1",
    },
  );
});
afterAll(async () => {
  await site.close();
  folder[Symbol.dispose]();
});

const isAlive = (pid: number): boolean => {
  try {
    // A process that has ended and was not waited for is still listed.
    return !/^State:\s+Z/m.test(readFileSync(join("/proc", String(pid), "status"), "utf8"));
  } catch {
    return false;
  }
};

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(50)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
  }
  throw new Error(`never: ${what}`);
}

async function hang(): Promise<number> {
  writeFileSync(hangFile, "");
  const pid = await until("an engine that hangs", () => existsSync(`${hangFile}.pid`) && Number(readFileSync(`${hangFile}.pid`, "utf8")));
  return pid as number;
}

function letTurn(): void {
  rmSync(hangFile, { force: true });
  rmSync(`${hangFile}.pid`, { force: true });
}

const begun: RunningServer[] = [];
async function hangable(name: string): Promise<RunningServer> {
  const server = await startServer(["--port", "0", "--db", folder.file(name), "--allow-private", "127.0.84.1"], hooked);
  begun.push(server);
  return server;
}

afterEach(() => {
  letTurn();
  for (const server of begun.splice(0)) server.child.kill("SIGKILL");
});

test("an expression that makes others go back for ever is matched at once, and what cannot be matched so is refused", async () => {
  const server = await hangable("expressions.db");
  const begin = (exclude: string) =>
    server.ask("POST", "/crawls", { url: site.origin, config: { exclude: [exclude], rateLimit: "100/s" } });
  const { body: run } = await begin("/(a+)+b/");
  const done = await until("the end", async () => {
    const { body } = await server.ask("GET", `/crawls/${run.id}`);
    return body.status === "running" ? undefined : body;
  });
  expect(done).toMatchObject({ status: "finished", counters: { pages: 42 } });
  for (const pattern of ["/(?=a)b/", "/(a)\\1/", "/(a/"]) {
    const refused = await begin(pattern);
    expect(refused.status, pattern).toBe(400);
    expect(refused.body.suggestion).toMatch(/RE2/);
  }
  expect(server.said()).not.toMatch(/ {4}at /);
  await server.kill("SIGTERM");
});

test("keywords without end are refused before a link is held against them", async () => {
  using folder = tempFolder();
  const server = await startServer(["--port", "0", "--db", folder.file("site.db")]);
  const keywords = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`word ${at}`, 1]));
  const { status, body } = await server.ask("POST", "/crawls", { url: "https://site.test/", config: { keywords } });
  expect([status, body.detail]).toEqual([400, "keywords: at most 1000 keywords (in the request)"]);
  await server.kill("SIGTERM");
});

test("a process that hangs is ended, its crawls wait for a person, and the next server does not take them up either", async () => {
  const db = folder.file("hung.db");
  await (await openApp({ db })).close();
  const said: string[] = [];
  const begin = (): Promise<Server> =>
    serve({
      ...{ db, host: "127.0.0.1", port: 0, hasKeys: false, noAuth: false, names: [], origins: [], withDashboard: false, patience: 8000 },
      engine: { options: { file: undefined, flags: { allowPrivate: ["127.0.84.1"] }, cwd: folder.path } },
      log: (line) => void said.push(line),
    });
  process.env.NODE_OPTIONS = hooked.NODE_OPTIONS;
  let server = await begin();
  const ask = async (path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await fetch(server.url + path, sent);
    // biome-ignore lint/suspicious/noExplicitAny: what a test expects of an answer is in its expectations
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const { body: run } = await ask("/api/v1/crawls", { url: site.origin, config: { rateLimit: "2/s" } });
  const pid = await hang();
  await until("that it is ended", () => !isAlive(pid));
  letTurn();
  const ready = await until("another", async () => {
    const { status, body } = await ask("/readyz");
    return status === 200 ? body : undefined;
  });
  expect(ready.lastHang).toMatchObject({ crawlIds: [run.id] });
  expect(said.join("\n")).toMatch(new RegExp(`hangs.*\n.*SIGKILL.*\n.*nuthatch resume ${run.id}`));
  const hung = { status: "failed", stopReason: "hung" };
  expect((await ask(`/api/v1/crawls/${run.id}`)).body).toMatchObject(hung);
  await server.close();
  server = await begin();
  expect((await ask("/readyz")).status).toBe(200);
  expect((await ask(`/api/v1/crawls/${run.id}`)).body).toMatchObject(hung);
  expect((await ask(`/api/v1/crawls/${run.id}/resume`, {})).body).toMatchObject({ status: "running" });
  await server.close();
  delete process.env.NODE_OPTIONS;
});

test.each(["SIGTERM", "SIGINT"] as const)("%s ends a server and its process, though that hangs", async (signal) => {
  const server = await hangable("ended.db");
  const pid = await hang();
  const since = Date.now();
  await server.kill(signal);
  expect(Date.now() - since).toBeLessThan(10_000);
  expect([server.child.exitCode, isAlive(pid)]).toEqual([0, false]);
});

test("a process that hangs ends by itself when its server was killed", async () => {
  const server = await hangable("killed.db");
  const pid = await hang();
  await server.kill("SIGKILL");
  expect(isAlive(pid)).toBe(true);
  await until("that it has ended", () => !isAlive(pid));
});
