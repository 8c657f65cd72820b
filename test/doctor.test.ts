import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApp } from "../src/engine/app.ts";
import { type Check, nodeCheck } from "../src/features/doctor/doctor.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const fast = ["--rate-limit", "none"];
interface Doctored {
  readonly isWell: boolean;
  readonly checks: Check[];
  readonly suggested: string[];
}

describe("doctor on this machine", () => {
  const well = { NODE_EXTRA_CA_CERTS: "", HTTPS_PROXY: "", HTTP_PROXY: "", ALL_PROXY: "", https_proxy: "", http_proxy: "", all_proxy: "" };
  const look = async (cwd: string, args: string[] = [], env: Record<string, string> = {}) => {
    const { code, stdout } = await nuthatchHere(["doctor", "--json", ...args], { cwd, env: { ...well, ...env } });
    const document = JSON.parse(stdout) as Doctored;
    return { code, ...document, of: (name: string) => document.checks.find((check) => check.name === name) };
  };

  test("all is well in an empty folder, and stays empty; without a contact there is a word about it", async () => {
    using folder = tempFolder();
    const { code, isWell, checks, of } = await look(folder.path);
    expect([code, isWell]).toEqual([0, true]);
    expect(checks.map(({ name }) => name)).toEqual(["node", "config", "data file", "disk", "clock", "dns", "tls", "proxy", "contact"]);
    expect(of("data file")).toMatchObject({ state: "ok", said: expect.stringContaining("none yet") });
    expect(of("contact")).toMatchObject({ state: "warn", fix: expect.stringContaining("NUTHATCH_CONTACT") });
    expect((await look(folder.path, ["--contact", "mailto:a@b.test"])).of("contact")).toMatchObject({ state: "ok", fix: null });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test("people get a mark, a sentence and the way out", async () => {
    using folder = tempFolder();
    const { code, stdout } = await nuthatch(["doctor", "--db", "none/x.db"], { cwd: folder.path, env: well });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✓ node +\d+\./);
    expect(stdout).toMatch(/\n✗ data file .*\n +→ .*--db/);
    expect(stdout).toMatch(/\n! contact .*\n +→ nuthatch init/);
  });

  test("a data file is looked at and not changed", async () => {
    using folder = tempFolder();
    const site = await serveSite({ "/": "<p>x" }, { address: "127.0.33.41" });
    await nuthatchHere(["crawl", site.origin, ...fast, "-q"], { cwd: folder.path });
    await site.close();
    expect((await look(folder.path)).of("data file")).toMatchObject({ state: "ok", said: expect.stringMatching(/schema \d+, WAL/) });
    const tamper = (sql: string) => {
      const db = new DatabaseSync(folder.file("nuthatch.db"));
      db.exec(sql);
      db.close();
    };
    tamper(`UPDATE run SET started_at = ${Date.now() + 3_600_000}`);
    expect((await look(folder.path)).of("clock")).toMatchObject({ state: "warn", said: expect.stringContaining("future") });
    tamper("PRAGMA user_version = 9999");
    expect(await look(folder.path)).toMatchObject({ code: 1 });
    expect((await look(folder.path)).of("data file")).toMatchObject({
      state: "bad",
      said: expect.stringContaining("newer"),
      fix: "update nuthatch",
    });
  });

  test.skipIf(process.platform === "win32")(
    "a data file, its log and its copies are their owner's alone, and one that all can read is told",
    async () => {
      using folder = tempFolder();
      const app = await openApp({ db: folder.file("nuthatch.db") });
      const modes = () => readdirSync(folder.path).map((name) => [name, statSync(folder.file(name)).mode & 0o777]);
      expect(modes()).toEqual([
        ["nuthatch.db", 0o600],
        ["nuthatch.db-shm", 0o600],
        ["nuthatch.db-wal", 0o600],
      ]);
      await app.close();
      await nuthatchHere(["db", "backup", "copy.db", "--log-file", "log"], { cwd: folder.path });
      await nuthatchHere(["export", "whole.sqlite", "--format", "sqlite"], { cwd: folder.path });
      expect(Object.fromEntries(modes())).toMatchObject({ "copy.db": 0o600 });
      expect(modes().filter(([, mode]) => mode !== 0o600)).toEqual([]);
      chmodSync(folder.file("nuthatch.db"), 0o644);
      await (await openApp({ db: folder.file("nuthatch.db") })).close();
      expect(statSync(folder.file("nuthatch.db")).mode & 0o777).toBe(0o644);
      expect((await look(folder.path)).of("data file")).toMatchObject({ state: "warn", fix: expect.stringMatching(/^chmod 600 /) });
    },
  );

  const files: [string, (path: string) => void, RegExp][] = [
    ["a file that is no database", (path) => writeFileSync(path, "hello, hello, hello, this is no database"), /not a database/],
    ["a folder", (path) => mkdirSync(path), /is a folder/],
    [
      "the database of another program",
      (path) => {
        const db = new DatabaseSync(path);
        db.exec("CREATE TABLE theirs (x)");
        db.close();
      },
      /another program/,
    ],
  ];
  test.each(files)("%s is told", async (_, make, said) => {
    using folder = tempFolder();
    make(folder.file("x.db"));
    const { code, of } = await look(folder.path, ["--db", "x.db"]);
    expect(code).toBe(1);
    expect(of("data file")).toMatchObject({ state: "bad", said: expect.stringMatching(said), fix: expect.any(String) });
  });

  test.skipIf(process.getuid?.() === 0)("a folder that cannot be written is told", async () => {
    using folder = tempFolder();
    mkdirSync(folder.file("closed"));
    chmodSync(folder.file("closed"), 0o500);
    expect((await look(folder.path, ["--db", "closed/x.db"])).of("data file")).toMatchObject({
      state: "bad",
      fix: expect.stringContaining("chmod"),
    });
  });

  const surroundings: [string, Record<string, string>, string, object][] = [
    ["certificates unchecked", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }, "tls", { state: "bad", fix: "unset NODE_TLS_REJECT_UNAUTHORIZED" }],
    ["certificates that are not there", { NODE_EXTRA_CA_CERTS: "/nowhere.pem" }, "tls", { state: "bad" }],
    [
      "a proxy",
      { HTTPS_PROXY: "http://me:secret@proxy.test:3128" },
      "proxy",
      { state: "warn", said: expect.stringContaining("proxy.test:3128") },
    ],
    ["a proxy that is none", { ALL_PROXY: "socks5://proxy.test" }, "proxy", { state: "bad" }],
    [
      "an option in the environment that cannot be",
      { NUTHATCH_MAX_DEPTH: "far" },
      "config",
      { state: "bad", said: expect.stringContaining("NUTHATCH_MAX_DEPTH") },
    ],
  ];
  test.each(surroundings)("%s: found in the environment", async (_, env, name, found) => {
    using folder = tempFolder();
    const result = await look(folder.path, [], env);
    expect(result.of(name)).toMatchObject(found);
    expect(JSON.stringify(result)).not.toContain("secret");
  });

  test("a config file that cannot be read is a finding, a wrong flag a mistake", async () => {
    using folder = tempFolder();
    writeFileSync(folder.file("nuthatch.config.json"), '{ "maxDeth": 3 }');
    const { code, of } = await look(folder.path);
    expect([code, of("config")]).toEqual([1, expect.objectContaining({ state: "bad", fix: expect.stringContaining("maxDepth") })]);
    expect((await nuthatchHere(["doctor", "--max-depth", "far"], { cwd: folder.path })).code).toBe(2);
  });

  test.each([
    ["20.19.0", "ok"],
    ["22.1.0", "ok"],
    ["20.18.9", "bad"],
    ["18.20.0", "bad"],
  ])("Node %s is %s", (version, state) => {
    expect(nodeCheck(version).state).toBe(state);
  });
});

describe("doctor with a URL", () => {
  const folder = tempFolder();
  let site: RunningSite;
  beforeAll(async () => {
    site = await serveSite(
      {
        "/robots.txt": {
          body: "User-agent: *\nDisallow: /closed\nCrawl-delay: 90\nSitemap: /map.xml\n",
          headers: { "Content-Type": "text/plain" },
        },
        "/": "<p>hello</p>",
      },
      { address: "127.0.33.42" },
    );
  });
  afterAll(async () => {
    await site.close();
    folder[Symbol.dispose]();
  });
  const look = async (url: string, ...args: string[]) => {
    const { code, stdout } = await nuthatchHere(["doctor", url, "--json", ...fast, ...args], { cwd: folder.path });
    const document = JSON.parse(stdout) as Doctored;
    return { code, ...document, of: (name: string) => document.checks.find((check) => check.name === name) };
  };

  test("a site that answers: status, redirect, robots.txt, sitemaps, content, and lines for the config", async () => {
    const town = await serveSite(
      {
        "/robots.txt": { body: "Sitemap: /map.xml\nSitemap: /gone.xml\n", headers: { "Content-Type": "text/plain" } },
        "/map.xml": { body: "<urlset><url><loc>/a</loc></url></urlset>", headers: { "Content-Type": "application/xml" } },
        "/old": { status: 301, headers: { Location: "/" } },
        "/": { body: "<div id=app></div><script>run()</script>", headers: { Date: "Sat, 01 Jan 2022 00:00:00 GMT" } },
      },
      { address: "127.0.33.43" },
    );
    const { code, of, suggested } = await look(`${town.origin}/old`);
    await town.close();
    expect(code).toBe(0);
    expect(of("answer")).toMatchObject({ state: "ok", said: "200 text/html; charset=utf-8" });
    expect(of("redirect")).toMatchObject({ state: "warn", fix: `nuthatch crawl ${town.origin}/` });
    expect(of("robots.txt")).toMatchObject({ state: "ok", said: "allows it" });
    expect(of("sitemaps")).toMatchObject({ state: "warn", said: expect.stringContaining("/gone.xml answered 404") });
    expect(of("content")).toMatchObject({ state: "warn", said: expect.stringContaining("script-rendered") });
    expect(of("clock there")).toMatchObject({ state: "warn", said: expect.stringContaining("ahead of") });
    expect(suggested).toEqual(["contact: mailto:you@example.org", "sites:", `  - url: ${town.origin}/`]);
  });

  test("a site that asks for more time than we give it", async () => {
    const { code, of } = await look(site.origin);
    expect(code).toBe(1);
    expect(of("crawl delay")).toMatchObject({ state: "bad", fix: "--max-crawl-delay 90s" });
  });

  test("a site that says no, and one that says nothing", async () => {
    const closed = await look(`${site.origin}/closed`);
    expect([closed.code, closed.of("robots.txt")]).toEqual([
      1,
      expect.objectContaining({ state: "bad", said: expect.stringContaining("Disallow: /closed (line 2)") }),
    ]);
    const nobody = await look("http://127.0.33.49:9/", "--retries", "0");
    expect([nobody.code, nobody.of("answer")]).toEqual([
      1,
      expect.objectContaining({ state: "bad", said: expect.stringContaining("ECONNREFUSED") }),
    ]);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
