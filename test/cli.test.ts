import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, type HowToRun, nuthatch, start, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { generatedSite, type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const commandNames = [
  "crawl",
  "tse",
  "pages",
  "show",
  "explain",
  "robots",
  "runs",
  "resume",
  "sites",
  "export",
  "prune",
  "db",
  "demo",
  "bench",
];
const ESCAPE = /\x1b|\x9b/;

/** A chain of five pages, so that the number of pages tells the depth limit that held. */
const chain = Object.fromEntries(
  [0, 1, 2, 3, 4].map((n) => [n === 0 ? "/" : `/${n}`, `<title>page ${n}</title><p>number ${n}</p><a href="/${n + 1}">on</a>`]),
);
let site: RunningSite;
beforeAll(async () => {
  site = await serveSite(({ path }) => chain[path], { address: "127.0.8.1" });
});
afterAll(() => site.close());

const fast = ["--rate-limit", "none"];
const crawl = (how: HowToRun, ...args: string[]): Promise<Ended> => nuthatch(["crawl", `${site.origin}/`, ...fast, ...args], how);
const crawlHere = (how: HowToRun, ...args: string[]) => nuthatchHere(["crawl", `${site.origin}/`, ...fast, ...args], how);
const pagesOf = ({ stdout }: Pick<Ended, "stdout">) => (JSON.parse(stdout) as { stats: { pages: number } }).stats.pages;

describe("what the program says about itself", () => {
  test.each(commandNames)("%s --help tells how to call it, on stdout", async (name) => {
    const { code, stdout, stderr } = await nuthatchHere([name, "--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Usage: /);
    expect(stdout).toContain("-h, --help");
  });

  test.concurrent("the version, for people and for bug reports", async () => {
    const [plain, json] = await Promise.all([nuthatch(["--version"]), nuthatch(["--version", "--json"])]);
    expect(plain.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse(json.stdout)).toMatchObject({
      nuthatch: plain.stdout.trim(),
      node: process.versions.node,
      sqlite: expect.stringMatching(/^3\./),
    });
  });
});

test.each([
  ["a command nobody knows", ["crwal"], /crawl\?/],
  ["a flag nobody knows", ["crawl", "http://127.0.8.9/", "--max-dept", "1"], /--max-depth/],
  ["a flag of another command", ["pages", "--limt", "1"], /--limit/],
  ["a number that is none", ["crawl", "http://127.0.8.9/", "--max-depth", "deep"], /--max-depth/],
  ["a delay, which is a rate here", ["crawl", "http://127.0.8.9/", "--delay", "2s"], /try: --rate-limit/],
  ["a wish --fail-on does not know", ["crawl", "http://127.0.8.9/", "--fail-on", "chnages"], /did you mean --fail-on changes/],
  ["more errors than pages", ["crawl", "http://127.0.8.9/", "--fail-on", "errors=500%"], /--fail-on cannot be errors=500%/],
  ["a user in a URL", ["crawl", "http://me:s3cret@127.0.8.9/"], /^(?!.*s3cret)[\s\S]*--auth user:password/],
  ["a user in the URL of a page", ["fetch", "http://me@127.0.8.9/"], /--auth user:password/],
  ["an empty port", ["serve", "--port", ""], /is not a port/],
  ["a share of limits", ["crawl", "http://127.0.8.9/", "--fail-on", "limit=5%"], /--fail-on limit, errors, errors=5%, changes/],
  ["a negative number", ["crawl", "http://127.0.8.9/", "--max-pages", "-5"], /--max-pages/],
  ["a choice that is none", ["crawl", "http://127.0.8.9/", "--scope", "planet"], /--scope.*(page|host)/],
  ["a rate that never asks", ["crawl", "http://127.0.8.9/", "--rate-limit", "0"], /--rate-limit: must be from 1 a week/],
  ["a rate that is none", ["crawl", "http://127.0.8.9/", "--rate-limit", "fast"], /--rate-limit.*1\/s/],
  ["a pattern that is none", ["crawl", "http://127.0.8.9/", "--exclude", "/(/"], /\/\(\//],
  ["no seed", ["crawl"], /seed/],
  ["what is no host", ["crawl", "not a.url"], /not a\.url is not a URL/],
  ["a scheme that cannot be crawled", ["crawl", "ftp://example.org/"], /http/],
  ["--new and --resume at once", ["crawl", "http://127.0.8.9/", "--new", "--resume"], /--new.*--resume/],
  ["a seed file that is not there", ["crawl", "--seeds", "missing.txt"], /missing\.txt/],
  ["a config file that is not there", ["crawl", "http://127.0.8.9/", "--config", "missing.json"], /missing\.json/],
  ["robots ignored without the owner's word", ["crawl", "http://127.0.8.9/", "--no-robots"], /--i-own-this-site/],
  ["an output whose format cannot be told", ["crawl", "http://127.0.8.9/", "-o", "pages.txt"], /\.jsonl/],
  ["an output in a folder that is not there", ["crawl", "http://127.0.8.9/", "-o", "none/pages.jsonl"], /none\/pages\.jsonl/],
  ["an export format nobody knows", ["export", "xls"], /jsonl/],
  ["records nobody knows", ["export", "csv", "--what", "words"], /changes/],
  ["a verb nobody knows", ["runs", "walk"], /show/],
  ["a sort order nobody knows", ["pages", "--sort", "beauty"], /url/],
  ["a limit that is none", ["pages", "--limit", "all"], /--limit/],
  ["a limit that nothing reaches", ["pages", "--limit", "99999999999999999999"], /--limit: 99999999999999999999 is not a whole number/],
  ["a run that nothing reaches", ["pages", "--run", "9007199254740992"], /--run: 9007199254740992 is too large/],
  ["nothing stored yet", ["pages"], /no data file/],
  ["no run to resume", ["resume"], /no data file|no unfinished run/],
] as [string, string[], RegExp][])("%s is refused with a way out", async (_, args, message) => {
  using folder = tempFolder();
  const { code, stdout, stderr } = await nuthatchHere(args, { cwd: folder.path });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
  expect(readdirSync(folder.path)).toEqual([]);
});

describe("streams", () => {
  test.concurrent("--json is one document on stdout and nothing else", async () => {
    using folder = tempFolder();
    const ended = await crawl({ cwd: folder.path }, "--json");
    expect(JSON.parse(ended.stdout)).toMatchObject({
      schemaVersion: 1,
      run: 1,
      stopReason: "finished",
      isComplete: true,
      stats: { pages: 5 },
    });
    expect(ended.code).toBe(0);
    for (const args of [["pages"], ["runs"], ["runs", "show"], ["show", "1"], ["explain", site.origin], ["robots", site.origin]]) {
      const { code, stdout, stderr } = await nuthatchHere([...args, "--json"], { cwd: folder.path });
      expect([args, code, stderr, (JSON.parse(stdout) as { schemaVersion: number }).schemaVersion]).toEqual([args, 0, "", 1]);
    }
    const failed = await nuthatchHere(["show", "999", "--json"], { cwd: folder.path });
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([
      2,
      { error: { exitCode: 2, message: expect.stringContaining("999"), hint: expect.stringContaining("nuthatch pages") } },
    ]);
    const ofNoRun = await nuthatchHere(["pages", "--run", "77"], { cwd: folder.path });
    expect(ofNoRun).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("there is no run 77") });
  });

  test("--events are JSON lines on stdout and nothing else", async () => {
    using folder = tempFolder();
    const { stdout } = await crawlHere({ cwd: folder.path }, "--events");
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; at: string });
    expect(events.at(0)).toMatchObject({ type: "crawl.started", at: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(events.at(-1)).toMatchObject({ type: "crawl.finished", result: { stats: { pages: 5 } } });
    expect(events.filter(({ type }) => type === "page.fetched")).toHaveLength(5);
  });

  test.concurrent("--quiet says nothing when all is well", async () => {
    using folder = tempFolder();
    expect(await crawl({ cwd: folder.path }, "--quiet")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  test.each([
    ["no colour where nobody looks", {}, [], false],
    ["FORCE_COLOR asks for it", { FORCE_COLOR: "1" }, [], true],
    ["FORCE_COLOR=0 does not", { FORCE_COLOR: "0" }, [], false],
    ["--color always asks for it", {}, ["--color", "always"], true],
    ["NO_COLOR refuses", { NO_COLOR: "1", FORCE_COLOR: "1" }, [], false],
    ["a flag beats the environment", { NO_COLOR: "1" }, ["--color", "always"], true],
    ["and the other way round", { FORCE_COLOR: "1" }, ["--color", "never"], false],
  ] as [string, Record<string, string>, string[], boolean][])("%s", async (_, env, args, isColoured) => {
    using folder = tempFolder();
    const { stdout, stderr } = await crawlHere({ cwd: folder.path, env }, "--max-depth", "0", ...args);
    expect([stdout, ESCAPE.test(stderr)]).toEqual(["", isColoured]);
  });
});

describe("options come from the flag, else the environment, else the nearest config file", () => {
  test.each([
    ["the built-in default", {}, {}, [], 5],
    ["the file", { maxDepth: 0 }, {}, [], 1],
    ["the file, under defaults", { defaults: { maxDepth: 0 } }, {}, [], 1],
    ["the file, for this site", { defaults: { maxDepth: 0 }, sites: [{ url: "SITE", maxDepth: 3 }] }, {}, [], 4],
    ["the environment over the file", { maxDepth: 0 }, { NUTHATCH_MAX_DEPTH: "1" }, [], 2],
    ["the flag over both", { maxDepth: 0 }, { NUTHATCH_MAX_DEPTH: "1" }, ["--max-depth", "2"], 3],
  ] as [string, object, Record<string, string>, string[], number][])("%s", async (_, file, env, args, pages) => {
    using folder = tempFolder();
    mkdirSync(folder.file("a/b"), { recursive: true });
    writeFileSync(folder.file("nuthatch.config.json"), JSON.stringify(file).replace("SITE", `${site.origin}/`));
    expect(pagesOf(await crawlHere({ cwd: folder.file("a/b"), env }, "--json", ...args))).toBe(pages);
  });

  test("sites of the config file are crawled when no URL is given", async () => {
    using folder = tempFolder();
    writeFileSync(
      folder.file("nuthatch.config.json"),
      JSON.stringify({ rateLimit: "none", sites: [{ url: `${site.origin}/`, maxDepth: 1 }] }),
    );
    expect(pagesOf(await nuthatchHere(["crawl", "--json"], { cwd: folder.path }))).toBe(2);
  });

  test.each([
    ["a key nobody knows", '{"maxDept": 3}', {}, /maxDept.*nuthatch\.config\.json[\s\S]*maxDepth/],
    ["a value that is none", '{"maxDepth": "deep"}', {}, /maxDepth.*nuthatch\.config\.json/],
    ["a file that is not JSON", "{maxDepth: 3}", {}, /nuthatch\.config\.json is not JSON/],
    ["a variable that is none", "{}", { NUTHATCH_MAX_DEPTH: "deep" }, /NUTHATCH_MAX_DEPTH/],
    ["robots ignored by a file", '{"respectRobots": false}', {}, /--i-own-this-site/],
  ] as [string, string, Record<string, string>, RegExp][])("%s is refused", async (_, text, env, message) => {
    using folder = tempFolder();
    writeFileSync(folder.file("nuthatch.config.json"), text);
    const { code, stderr } = await crawlHere({ cwd: folder.path, env });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe("seeds from elsewhere", () => {
  // A list opens no private address.
  const open = ["--allow-private", "127.0.0.0/8"];
  const list = () => `# two pages\n${site.origin}/3\r\n\n  ${site.origin}/4  \n`;
  test.concurrent("- reads them from standard input", async () => {
    using folder = tempFolder();
    expect(
      pagesOf(await nuthatch(["crawl", "-", ...fast, ...open, "--json", "--max-depth", "0"], { cwd: folder.path, input: list() })),
    ).toBe(2);
  });
  test("--seeds reads them from a file, on top of those typed", async () => {
    using folder = tempFolder();
    writeFileSync(folder.file("seeds.txt"), list());
    expect(pagesOf(await crawlHere({ cwd: folder.path }, "--seeds", "seeds.txt", "--json", "--max-depth", "0"))).toBe(3);
  });
});

describe("exit codes", () => {
  const text = (body: string): PageSpec => ({ body, headers: { "Content-Type": "text/plain" } });
  test.each([
    [
      "0 when single pages fail",
      "127.0.8.11",
      { "/": '<a href="/none">gone</a><a href="/bad">bad</a>', "/bad": { status: 400 } },
      0,
      /4xx 2/,
    ],
    ["0 at a limit", "127.0.8.12", { "/": '<a href="/a">a</a>', "/a": '<a href="/b">b</a>', "/b": "b" }, 0, /--max-pages 2/],
    [
      "0 with a robots.txt that names nonsense",
      "127.0.8.22",
      { "/robots.txt": text("Sitemap: http://[\nCrawl-delay: x"), "/": "yes" },
      0,
      /Finished/,
    ],
    ["3 when the seed is not there", "127.0.8.13", {}, 3, /404[\s\S]*why:[\s\S]*try:/],
    ["3 when nobody answers", "127.0.8.14", undefined, 3, /ECONNREFUSED[\s\S]*why:[\s\S]*try:/],
    [
      "4 when robots.txt closes the seed",
      "127.0.8.15",
      { "/robots.txt": text("User-agent: *\nDisallow: /"), "/": "no" },
      4,
      /Disallow: \/[\s\S]*why: .*robots\.txt[\s\S]*try:/,
    ],
    ["4 when the seed answers 401", "127.0.8.16", { "/": { status: 401 } }, 4, /401[\s\S]*why:[\s\S]*try:/],
    ["4 when the seed answers 403", "127.0.8.17", { "/": { status: 403 } }, 4, /403[\s\S]*why:[\s\S]*try:/],
    [
      "4 when robots.txt cannot be had",
      "127.0.8.18",
      { "/robots.txt": { status: 503 }, "/": "no" },
      4,
      /robots\.txt answered 503\n {2}why: .*RFC 9309.*\n {2}try: later, .*--robots-unreachable allow/,
    ],
  ] as [string, string, Record<string, PageSpec> | undefined, number, RegExp][])("%s", async (_, address, pages, code, message) => {
    using folder = tempFolder();
    const own = pages && (await serveSite(pages, { address }));
    const args = ["crawl", own?.origin ?? `http://${address}:9/`, ...fast, "--retries", "0", "--max-pages", "2"];
    const ended = await nuthatchHere(args, { cwd: folder.path });
    await own?.close();
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr).toMatch(message);
  });

  test("10, 11 and 12 when --fail-on asks for limits, errors or changes, and 0 when they do not happen", async () => {
    using folder = tempFolder();
    let week = 1;
    const home = () => `<a href="/a">a</a><a href="/b">b</a><a href="/none">gone</a>${week === 1 ? "" : '<a href="/new">new</a>'}`;
    const own = await serveSite({ "/": home, "/a": "a", "/b": "b", "/new": "new" }, { address: "127.0.8.24" });
    const ended = async (...args: string[]) => {
      const { code } = await nuthatchHere(["crawl", own.origin, ...fast, "--full", "-q", "--fail-on", ...args], { cwd: folder.path });
      return code;
    };
    const codes = [
      await ended("changes"),
      await ended("changes"),
      await ended("limit,changes"),
      await ended("errors"),
      await ended("errors=25%"),
    ];
    codes.push(await ended("errors=24%"), await ended("limit,errors", "--max-pages", "2"), await ended("errors=50%", "--new"));
    week = 2;
    codes.push(await ended("limit,changes"), await ended("changes"));
    await own.close();
    expect(codes).toEqual([0, 0, 0, 11, 0, 11, 10, 0, 12, 0]);
  });

  test("0 when the time is over, even before the first page", async () => {
    using folder = tempFolder();
    const own = await serveSite({ "/": { body: "late", delay: 1500 } }, { address: "127.0.8.23" });
    const ended = await nuthatchHere(["crawl", own.origin, ...fast, "--max-time", "300ms", "--json"], { cwd: folder.path });
    await own.close();
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([0, { stopReason: "limit.time" }]);
  });

  test.concurrent("a run that stopped at a limit goes on when the limit is lifted", async () => {
    using folder = tempFolder();
    expect(pagesOf(await crawlHere({ cwd: folder.path }, "--max-pages", "2", "--json"))).toBe(2);
    const resumed = await nuthatch(["resume", "--max-pages", "none", ...fast, "--json"], { cwd: folder.path });
    expect([resumed.code, JSON.parse(resumed.stdout)]).toMatchObject([0, { run: 1, stopReason: "finished", stats: { pages: 5 } }]);
  });

  test.concurrent("5 for a data file that cannot be made, and NUTHATCH_DB names another", async () => {
    using folder = tempFolder();
    const { code, stderr } = await crawlHere({ cwd: folder.path }, "--db", "none/here.db");
    expect([code, stderr]).toEqual([5, expect.stringContaining("none/here.db")]);
    expect((await crawl({ cwd: folder.path, env: { NUTHATCH_DB: "other.db" } }, "-q")).code).toBe(0);
    expect(readdirSync(folder.path)).toEqual(["other.db"]);
  });

  test("5 for a file that is no database, and the file stays as it was", async () => {
    using folder = tempFolder();
    writeFileSync(folder.file("nuthatch.db"), "these are the notes of somebody else\n".repeat(100));
    for (const args of [["pages"], ["crawl", site.origin]]) {
      const { code, stderr } = await nuthatchHere(args, { cwd: folder.path });
      expect(code).toBe(5);
      expect(stderr).toMatch(/nuthatch\.db[\s\S]*try:/);
    }
  });

  test.concurrent("5 for a database of a later version", async () => {
    using folder = tempFolder();
    const made = await crawlHere({ cwd: folder.path }, "--max-depth", "0", "-q");
    expect(made.code).toBe(0);
    const db = new DatabaseSync(folder.file("nuthatch.db"));
    db.exec("PRAGMA user_version = 9999");
    db.close();
    const { code, stderr } = await nuthatch(["pages"], { cwd: folder.path });
    expect(code).toBe(5);
    expect(stderr).toMatch(/newer|later/);
  });

  test.concurrent("5 for a second crawl of a site while the first is alive, which it names", async () => {
    using folder = tempFolder();
    const own = await serveSite(generatedSite({ pages: 50, links: 3, seed: 1 }).pages, { address: "127.0.8.19" });
    const first = start(["crawl", own.origin], { cwd: folder.path });
    while (own.log.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    const { code, stderr } = await nuthatch(["crawl", own.origin, "--max-depth", "1"], { cwd: folder.path });
    expect(code).toBe(5);
    expect(stderr).toMatch(new RegExp(`run 1 .*${first.pid}`));
    first.kill("SIGINT");
    await first.ended;
    await own.close();
  });

  test.concurrent.each([
    ["SIGINT", 130, "127.0.8.20"],
    ["SIGTERM", 143, "127.0.8.21"],
  ] as ["SIGINT" | "SIGTERM", number, string][])(
    "%s ends with %d, keeps everything, and names the command that goes on",
    async (signal, code, address) => {
      using folder = tempFolder();
      const own = await serveSite(generatedSite({ pages: 60, links: 4, seed: 2 }).pages, { address });
      const running = start(["crawl", own.origin, "--rate-limit", "20/s", "--json"], { cwd: folder.path });
      while (own.log.length < 10) await new Promise((resolve) => setTimeout(resolve, 20));
      running.kill(signal);
      const ended = await running.ended;
      expect(ended.code).toBe(code);
      expect(JSON.parse(ended.stdout)).toMatchObject({ stopReason: "stopped", isComplete: false, resumeCommand: "nuthatch resume 1" });
      expect(ended.stderr).toContain("nuthatch resume 1");
      expect((await nuthatchHere(["runs"], { cwd: folder.path })).stdout).toMatch(/stopped/);
      const resumed = await nuthatchHere(["resume", "1", ...fast, "--json"], { cwd: folder.path });
      await own.close();
      expect([resumed.code, pagesOf(resumed)]).toEqual([0, 60]);
      const asked = own.log.map(({ path }) => path);
      expect(asked.length - new Set(asked).size).toBe(0);
      const again = await nuthatchHere(["resume", "1"], { cwd: folder.path });
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("finished")]);
    },
  );
});
