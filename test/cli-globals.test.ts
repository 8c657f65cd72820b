import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../dist/src/interfaces/cli/commands.js";
import { globalFlags, takesValue } from "../dist/src/interfaces/cli/globals.js";
import { type HowToRun, hasTerminal, nuthatch, nuthatchBin, startOnTerminal, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const fast = ["--rate-limit", "none"];
let site: RunningSite;
beforeAll(async () => {
  const pages = {
    "/robots.txt": { body: "User-agent: *\nDisallow: /closed", headers: { "Content-Type": "text/plain" } },
    "/": '<title>Home</title><a href="/a">a</a><a href="/closed">c</a>',
    "/a": '<title>A</title><p>a</p><a href="/b">b</a>',
    "/b": "<title>B</title><p>b</p>",
  };
  site = await serveSite(pages, { address: "127.0.13.1" });
});
afterAll(() => site.close());
const crawl = (how: HowToRun, ...args: string[]) => nuthatchHere(["crawl", site.origin, ...fast, ...args], how);

describe("every command has every global flag", () => {
  test.each(commands.map(({ name }) => name).filter((name) => name !== "tse"))(
    "%s names each once, in a group that comes last",
    async (name) => {
      const { stdout } = await nuthatchHere([name, "-hh"]);
      const [own = "", globals = ""] = stdout.split("\nGlobal:\n");
      for (const flag of [...globalFlags.map(({ flags }) => flags), "-h, --help"]) {
        expect(globals.split("\n").filter((line) => line.startsWith(`  ${flag} `))).toHaveLength(1);
        expect(own).not.toContain(`  ${flag} `);
      }
      expect(globals).not.toMatch(/^[A-Z]\w+:$(?<!Examples:|Formats:|Templates:)/m);
      // `config` is a topic too, and its help tells both.
      expect((await nuthatchHere(["help", name, "--all"])).stdout).toContain(stdout.trim());
    },
  );

  test.each([...takesValue].filter(([, isValued]) => isValued).map(([flag]) => flag))(
    "%s before the command keeps its value to itself",
    async (flag) => {
      const { code, stderr } = await nuthatchHere([flag, ".", "pagse"]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("no command pagse")]);
    },
  );

  test.each([
    ["--log-format", "xml", /pretty, or json/],
    ["--progress", "live", /plain/],
    ["--color", "blue", /auto, or always, or never/],
  ])("%s %s is refused with what it may be", async (flag, value, message) => {
    const { code, stderr } = await nuthatchHere(["pages", flag, value]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test("flags and topics nobody knows are refused without a command, too", async () => {
    expect(await nuthatchHere(["--jsno"])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--json") });
    expect(await nuthatchHere(["help", "crwal"])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("crawl") });
  });
});

describe("where things are", () => {
  test.concurrent.each([
    ["--cwd folder", ["--cwd", "a/b"]],
    ["--cwd=folder", ["--cwd=a/b"]],
  ])("%s works as if called from there", async (_, flag) => {
    using folder = tempFolder();
    mkdirSync(folder.file("a/b"), { recursive: true });
    expect((await nuthatch(["crawl", site.origin, ...fast, ...flag, "-o", "pages.jsonl"], { cwd: folder.path })).code).toBe(0);
    expect(readdirSync(folder.file("a/b")).sort()).toEqual(["nuthatch.db", "pages.jsonl"]);
    expect((await nuthatchHere([...flag, "pages"], { cwd: folder.path })).stdout).toContain(site.origin);
    expect(await nuthatchHere(["pages", "--cwd", "none"], { cwd: folder.path })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("none"),
    });
  });

  test.each([
    ["the flag over all", ["--db", "flag.db"], { NUTHATCH_DB: "env.db" }, true, "b/flag.db"],
    ["the environment over the config file", [], { NUTHATCH_DB: "env.db" }, true, "b/env.db"],
    ["the config file, beside which it lies", [], {}, true, "config.db"],
    ["or ./nuthatch.db", [], {}, false, "b/nuthatch.db"],
  ] as [string, string[], Record<string, string>, boolean, string][])("the data file: %s", async (_, args, env, hasFile, db) => {
    using folder = tempFolder();
    mkdirSync(folder.file("b"));
    if (hasFile) writeFileSync(folder.file("nuthatch.config.json"), '{"db": "config.db"}');
    const how = { cwd: folder.file("b"), env };
    expect((await crawl(how, "--max-depth", "0", "-q", ...args)).code).toBe(0);
    expect(readdirSync(folder.path, { recursive: true }).filter((name) => String(name).endsWith(".db"))).toEqual([db]);
    for (const look of [["pages"], ["runs"], ["show", "1"], ["explain", site.origin], ["export", "csv"]])
      expect([look, (await nuthatchHere([...look, ...args], how)).stdout]).toEqual([look, expect.stringContaining(site.origin)]);
    expect((await nuthatchHere(["robots", site.origin, ...args], how)).stdout).toContain("(stored ");
    expect((await nuthatchHere(["resume", ...args], how)).stderr).toContain("no unfinished run");
  });

  test("-c names the config file, - reads it from standard input", async () => {
    using folder = tempFolder();
    writeFileSync(folder.file("other.json"), '{"db": "other.db", "maxDepth": 1}');
    const pages = async (args: string[], input = "") =>
      JSON.parse((await crawl({ cwd: folder.path, input }, "--json", ...args)).stdout) as { db: string; stats: { pages: number } };
    expect(await pages(["-c", "other.json"])).toMatchObject({ db: "other.db", stats: { pages: 2 } });
    expect(await pages(["--config", "-"], '{"db": "third.db", "maxDepth": 0}')).toMatchObject({ db: "third.db", stats: { pages: 1 } });
    const looked = await nuthatchHere(["-c", "-", "pages"], { cwd: folder.path, input: '{"db": "third.db"}' });
    expect([looked.code, looked.stdout.trimEnd().split("\n").length]).toEqual([0, 2]);
  });

  test.each([
    ["standard input twice", ["crawl", "-", "-c", "-"], "{}", /both/],
    ["what is neither YAML nor JSON", ["pages", "-c", "-"], "{db: x", /standard input is not YAML: line 1/],
    ["what is no object", ["pages", "-c", "-"], "[]", /standard input does not hold an object/],
    ["a data file that is no name", ["pages", "-c", "-"], '{"db": 3}', /db: must be the name of a file, got 3 \(in standard input/],
    ["a data file for one site", ["crawl", "http://127.0.13.9/", "-c", "-"], '{"defaults": {"db": "x"}}', /db/],
    ["a log in a folder that is not there", ["crawl", "http://127.0.13.9/", "--log-file", "none/x.log"], "", /none\/x\.log/],
  ] as [string, string[], string, RegExp][])("%s is refused", async (_, args, input, message) => {
    using folder = tempFolder();
    const { code, stdout, stderr } = await nuthatchHere(args, { cwd: folder.path, input });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe("the log", () => {
  const PRETTY = /^\d\d:\d\d:\d\d fetched {6}http.*\/a$/m;
  const settledIn = (text: string) =>
    text
      .split("\n")
      .filter((line) => line.startsWith('{"at":'))
      .map((line) => JSON.parse(line) as { type: string; url: string; verdict: string });

  test.each([
    ["nothing without -v", [], 0, false],
    ["JSON lines with -v where no terminal is", ["-v"], 3, false],
    ["also without progress", ["-v", "--no-progress"], 3, false],
    ["pretty if asked for", ["-v", "--log-format", "pretty"], 0, true],
    ["nothing when quiet", ["-v", "-q"], 0, false],
  ] as [string, string[], number, boolean][])("on stderr: %s", async (_, args, lines, isPretty) => {
    using folder = tempFolder();
    const { stdout, stderr } = await crawl({ cwd: folder.path }, ...args);
    const settled = settledIn(stderr).filter(({ type }) => type === "url.settled");
    expect([stdout, settled.length, PRETTY.test(stderr)]).toEqual(["", lines, isPretty]);
    expect(stderr.includes("Extracted from: ")).toBe(lines > 0 || isPretty);
    if (!args.includes("-q")) expect(stderr).toContain("Finished: nothing left in scope");
  });

  test.each([
    ["JSON lines", [], 3, false],
    ["pretty if asked for", ["--log-format", "pretty"], 0, true],
    ["also when quiet", ["-q"], 3, false],
  ] as [string, string[], number, boolean][])("in a file: %s", async (_, args, lines, isPretty) => {
    using folder = tempFolder();
    await crawl({ cwd: folder.path }, "--log-file", "crawl.log", ...args);
    const text = readFileSync(folder.file("crawl.log"), "utf8");
    expect([settledIn(text).length, PRETTY.test(text), text.trimEnd().split("\n").length]).toEqual([lines, isPretty, 3]);
    if (lines > 0) expect(settledIn(text)[2]).toMatchObject({ type: "url.settled", url: `${site.origin}/b`, verdict: "fetched" });
  });

  test("-vv tells of each link, too", async () => {
    using folder = tempFolder();
    const { stderr } = await crawl({ cwd: folder.path }, "-vv", "--log-file", "crawl.log");
    for (const text of [stderr, readFileSync(folder.file("crawl.log"), "utf8")]) {
      const links = settledIn(text).filter(({ type }) => type === "link.heard");
      expect(links).toContainEqual(expect.objectContaining({ from: `${site.origin}/a`, url: `${site.origin}/b`, fate: "added" }));
    }
  });

  test.skipIf(!hasTerminal).concurrent("is pretty on a terminal unless JSON is asked for; its file is not", async () => {
    using folder = tempFolder();
    const on = (...args: string[]) =>
      startOnTerminal(["crawl", site.origin, ...fast, "-v", "--no-progress", ...args], { cwd: folder.path }).ended;
    expect((await on("--log-file", "a.log")).screen).toMatch(PRETTY);
    expect(settledIn(readFileSync(folder.file("a.log"), "utf8"))).toHaveLength(3);
    expect(settledIn((await on("--log-format", "json")).screen)).toHaveLength(3);
  });
});

describe("progress", () => {
  const HIDE_CURSOR = "\x1b[?25l";
  // A timer counts from when its turn of the loop began, which on a busy machine is a little before it was set.
  const LINE = /^00:00:(?:09|1\d) .* queued/m;

  const views: [string, string, boolean, string[], [boolean, boolean]][] = [
    ["is a line every ten seconds where no terminal is", "127.0.13.2", false, [], [true, false]],
    ["is not there with --no-progress", "127.0.13.3", false, ["--no-progress"], [false, false]],
    ["is live on a terminal", "127.0.13.4", true, [], [false, true]],
    ["is plain on a terminal if asked for", "127.0.13.5", true, ["--progress", "plain"], [true, false]],
    ["is not there on a terminal with --no-progress", "127.0.13.6", true, ["--no-progress"], [false, false]],
  ];
  test.concurrent.each(views.filter(([, , isTerminal]) => hasTerminal || !isTerminal))(
    "%s",
    async (_, address, isTerminal, args, expected) => {
      using folder = tempFolder();
      const own = await serveSite({ "/": { body: "late", delay: 22_000 } }, { address });
      const all = ["crawl", own.origin, "--timeout", "40s", "--max-time", "20s", ...args];
      const ended = isTerminal
        ? (await startOnTerminal(all, { cwd: folder.path }).ended).screen
        : (await nuthatch(all, { cwd: folder.path })).stderr;
      await own.close();
      expect([LINE.test(ended), ended.includes(HIDE_CURSOR)], ended).toEqual(expected);
      expect(ended).toContain("--max-time 20 s");
    },
  );
});

describe("exit code 1 is for what nobody foresaw", () => {
  test.concurrent("in two lines, and with -v where it happened", async () => {
    using folder = tempFolder();
    writeFileSync(folder.file("harm.mjs"), 'Date.now = () => { throw new Error("the clock fell off the wall"); };');
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(folder.file("harm.mjs")).href}` };
    const broken = (...args: string[]) => nuthatch(["crawl", site.origin, ...args], { cwd: folder.path, env });
    const { code, stdout, stderr } = await broken();
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      "nuthatch: the clock fell off the wall\n  try: run again with -v to see where it happened\n",
    ]);
    expect((await broken("-vv")).stderr).toMatch(/\n {4}at .*\.js/);
  });

  test.skipIf(!existsSync("/dev/full")).each([
    ["export", "jsonl"],
    ["export", "csv"],
    ["export", "sitemap"],
    ["pages", "--json"],
  ])("a disk without space is told as such: %s %s", async (...command) => {
    using folder = tempFolder();
    const db = folder.file("crawl.db");
    expect((await nuthatch(["crawl", site.origin, "--db", db, "--rate-limit", "100/s", "-q"])).code).toBe(0);
    // The name says the format where a command has several.
    symlinkSync("/dev/full", folder.file("out.json"));
    const { code, stderr } = await nuthatch([...command, "--db", db, "-O", folder.file("out.json")]);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/out\.json could not be written whole: no space is left on its disk\n(.*\n)*? {2}try: free some disk space/),
    ]);
  });

  test.skipIf(!existsSync("/dev/full"))("also when nobody can take what we print", async () => {
    const { status, stderr } = spawnSync(process.execPath, [nuthatchBin, "--help"], {
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/standard output[\s\S]*why: ENOSPC[\s\S]*try:/)]);
  });
});
