/** Options that are well said alone and have no effect, or no sense, with the others: they are refused before anything is asked or written. */
import { mkdirSync, readdirSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { serveSite } from "./site/index.ts";

const folder = tempFolder();
mkdirSync(folder.file("urls"));
afterAll(() => folder[Symbol.dispose]());
const here = (args: readonly string[], env: Record<string, string> = {}) => nuthatchHere(args, { cwd: folder.path, env });
const seed = "http://127.0.8.9/";

describe("is refused with what is wrong and what to do, and changes nothing on disk", () => {
  test.each<[string[], RegExp, RegExp]>([
    [["--llm-tokens", "5"], /--llm-tokens has no effect: no model is named/, /add --llm <model>/],
    [["--llm-url", "http://127.0.0.1:1/v1"], /--llm-url has no effect/, /--llm <model>/],
    [["--engines", "firefox"], /--engines has no effect/, /--render auto/],
    [["--browser", "chromium=/x"], /--browser has no effect/, /--render auto/],
    [["--visits-per-day", "3"], /--visits-per-day has no effect/, /--due/],
    [["--sitemap", "off", "--max-sitemaps", "3"], /--max-sitemaps has no effect/, /--sitemap auto/],
    [["--no-enhance", "--topics", "town"], /--topics has no effect/, /--enhance/],
    [["--no-robots", "--i-own-this-site", "--max-crawl-delay", "5s"], /--max-crawl-delay has no effect/, /--respect-robots/],
    [["--save", "none,raw"], /--save none cannot stand beside others/, /--save raw/],
    [["--dry-run", "--resume"], /--dry-run' cannot be used with option '--resume'/, /./],
    [["--dry-run", "--new"], /--dry-run' cannot be used with option '--new'/, /./],
    [["--dry-run", "--events"], /--dry-run' cannot be used with option '--events'/, /./],
    [["--dry-run", "--fail-on", "changes"], /--dry-run' cannot be used with option '--fail-on/, /./],
    [["--db", ""], /--db is empty/, /leave it out/],
    [["--auth", "a:b", "--auth", "c:d"], /the header Authorization is given twice/i, /keep one of them/],
    [["--header", "X-Town: 1", "--header", "x-town: 2"], /the header x-town is given twice/i, /keep one of them/],
    [["--seeds", "urls"], /urls is a folder/, /one URL a line/],
  ])("crawl %j", async (args, message, hint) => {
    const { code, stderr } = await here(["crawl", seed, ...args]);
    const [said, advice] = stderr.trim().split("\n  try: ");
    expect([code, said, advice]).toEqual([2, expect.stringMatching(message), expect.stringMatching(hint)]);
    expect(readdirSync(folder.path)).toEqual(["urls"]);
  });

  test.each([
    [["pages", "--db", "urls"], 5, /urls is a folder\n {2}try: name the data file in it with --db/],
    [["crawl", seed, "--db", "urls"], 5, /urls is a folder\n {2}try: name the data file in it with --db/],
    [["context", seed, "--max-tokens", "0"], 2, /--max-tokens: 0 is less than 1/],
  ])("%j", async (args, exit, told) => {
    const { code, stderr } = await here(args);
    expect([code, stderr]).toEqual([exit, expect.stringMatching(told)]);
    expect(readdirSync(folder.path)).toEqual(["urls"]);
  });

  test.each([["NUTHATCH_DB"], ["NUTHATCH_BODIES"]])("%s without a value", async (name) => {
    expect(await here(["pages"], { [name]: "" })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${name} is empty\n  try: unset ${name}`),
    });
  });

  test.each([
    ["", '"" is not a URL that can be crawled'],
    ["  ", '"" is not a URL that can be crawled'],
    ["http://a.test:99999/", "check the name of its host, and its port"],
    ["ftp://a.test/", "give an address that starts with http:// or https://"],
  ])("the seed %j", async (url, told) => {
    expect(await here(["crawl", url])).toMatchObject({ code: 2, stderr: expect.stringContaining(told) });
  });

  test.each([
    [["fetch", seed, "--max-depth", "3"]],
    [["fetch", seed, "--prune"]],
    [["robots", seed, "--max-pages=3"]],
    [[seed, "--save", "none"]],
    [["pages", "--max-depth", "3"]],
  ])("an option of crawl in %j", async (args) => {
    const { code, stderr } = await here(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/unknown option .*\n {2}try: it is an option of nuthatch crawl/)]);
  });
});

test("options that wait in a config file for their partner are no mistake", async () => {
  const { code, stdout } = await nuthatchHere(["config", "show", "--json"], { cwd: folder.path, env: { NUTHATCH_LLM_TOKENS: "5" } });
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.anything()]);
});

describe("--resume", () => {
  const site = serveSite(() => '<title>A</title><p>Words of a page.<a href="/b">b</a> <a href="/c">c</a>', { address: "127.0.66.81" });
  afterAll(async () => (await site).close());

  test("starts nothing new: not after a limit, not with other options", async () => {
    const { origin } = await site;
    const crawl = (...args: string[]) => here(["crawl", `${origin}/`, "--db", "r.db", "--rate-limit", "none", ...args]);
    expect((await crawl("--max-pages", "1", "-q")).code).toBe(0);
    const atLimit = await crawl("--resume");
    expect([atLimit.code, atLimit.stderr]).toEqual([
      2,
      expect.stringMatching(/run 1 .*limit\.pages.*\n {2}try: nuthatch resume 1 --max-pages \d+/),
    ]);
    await crawl("--new", "--max-time", "1ms", "-q");
    const other = await here(["runs", "--db", "r.db", "--json"]);
    expect(JSON.parse(other.stdout).total).toBe(2);
  });

  test("refuses a stopped run that was started with other options, and says how to carry on with it", async () => {
    const { origin } = await site;
    const crawl = (...args: string[]) => here(["crawl", `${origin}/`, "--db", "s.db", ...args]);
    expect((await crawl("--rate-limit", "none", "-q")).code).toBe(0);
    const { DatabaseSync } = await import("@photostructure/sqlite");
    const data = new DatabaseSync(folder.file("s.db"));
    data.exec("UPDATE run SET status = 'stopped', stop_reason = 'stopped'");
    data.close();
    const { code, stderr } = await crawl("--resume", "--max-depth", "3");
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/run 1 is unfinished, but was started with another maxDepth\n {2}try: nuthatch resume 1/),
    ]);
    expect(await crawl("--resume", "--rate-limit", "none", "-q")).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse((await here(["runs", "--db", "s.db", "--json"])).stdout).total).toBe(1);
  });
});

test("changes: a range of one run, and a score without keywords, are refused", async () => {
  const site = await serveSite(() => "<title>A</title><p>Words of a page.", { address: "127.0.66.82" });
  await here(["crawl", `${site.origin}/`, "--db", "c.db", "-q"]);
  await site.close();
  const changes = (...args: string[]) => here(["changes", "--db", "c.db", ...args]);
  expect(await changes("--between", "1", "1")).toMatchObject({ code: 2, stderr: expect.stringContaining("try: name two runs") });
  expect(await changes("--min-score", "0.5")).toMatchObject({ code: 2, stderr: expect.stringContaining("there are no keywords") });
  expect((await changes()).code).toBe(0);
});

test("what an option keeps out is no trouble of the network", async () => {
  const { code, stderr } = await here(["crawl", seed, "--exclude", "/**", "--db", "x.db", "-q"]);
  expect([code, stderr]).toEqual([3, expect.stringMatching(/--exclude \/\*\*\n.*\n {2}try: change that option, or name another URL/)]);
});
