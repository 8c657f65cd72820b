import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { defineConfig } from "nuthatch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fields, presets } from "../dist/src/engine/config/index.js";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

interface Shown {
  readonly file: string | null;
  readonly db: string;
  readonly options: Record<string, unknown>;
  readonly origins: Record<string, string>;
}

/** A folder with these files. */
function folderWith(files: Record<string, string>) {
  const folder = tempFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(folder.file(name)), { recursive: true });
    writeFileSync(folder.file(name), text);
  }
  return folder;
}

type How = { env?: Record<string, string>; input?: string };

async function show(cwd: string, args: string[] = [], how: How = {}, run: typeof nuthatchHere = nuthatchHere): Promise<Shown> {
  const { stdout, stderr } = await run(["config", "show", "--origin", "--json", ...args], { cwd, ...how });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Shown;
}

const plainText = "maxDepth: 3\nexclude: ['/calendar/**', '/[?&]print=/']\nsites:\n  - url: https://a.test\n    timeout: 5s\n";
const json = JSON.stringify({ maxDepth: 3, exclude: ["/calendar/**", "/[?&]print=/"], sites: [{ url: "https://a.test", timeout: "5s" }] });
const typed = `import { defineConfig } from "nuthatch";
const depth: number = 3;
export default defineConfig({ maxDepth: depth, exclude: ["/calendar/**", /[?&]print=/], sites: [{ url: "https://a.test", timeout: "5s" }] });`;
const untyped = typed.replace(": number", "");

describe("a config file is found and says the same in every form", () => {
  test.each([
    ["ts", typed],
    ["mts", typed],
    ["js", untyped],
    ["mjs", untyped],
    ["json", json],
    ["yaml", plainText],
    ["yml", plainText],
  ])("nuthatch.config.%s, from a folder below, without nuthatch being installed there", async (ending, text) => {
    using folder = folderWith({ [`nuthatch.config.${ending}`]: text, "a/b/x": "" });
    const { file, options } = await show(folder.file("a/b"), ["https://a.test/"], {}, nuthatch);
    expect([file, options]).toMatchObject([
      `../../nuthatch.config.${ending}`,
      { maxDepth: 3, exclude: ["/calendar/**", "/[?&]print=/"], timeout: "5s" },
    ]);
    expect(readdirSync(folder.path).sort()).toEqual(["a", `nuthatch.config.${ending}`]);
  });

  test.each([
    ["YAML", plainText],
    ["JSON", json],
    ["YAML that begins as JSON does", "{ maxDepth: 3 }"],
  ])("-c - reads %s", async (_, input) => {
    using folder = tempFolder();
    expect((await show(folder.path, ["-c", "-"], { input })).options.maxDepth).toBe(3);
  });

  test("-c /dev/null is a config file that says nothing", async () => {
    using folder = folderWith({ "nuthatch.config.yaml": "maxDepth: 3" });
    expect((await show(folder.path, ["-c", "/dev/null"])).options.maxDepth).toBe(10);
  });

  test("an expression stays one, even if it could be read as a glob", async () => {
    using folder = folderWith({ "nuthatch.config.mjs": "export default { exclude: [/colou?r/i, /a/] }" });
    expect((await show(folder.path)).options.exclude).toEqual(["/(?:colou?r)/i", "/(?:a)/"]);
  });

  test.each([
    ["YAML", "bad.yaml", "maxDepth: 3\n  timeout: 5s", /bad\.yaml is not YAML: line [12], column/],
    ["JSON", "bad.json", '{\n  "maxDepth": deep }', /bad\.json is not JSON: line 2, column 15/],
    ["TypeScript", "bad.ts", "export default {\n  maxDepth: 3\n  timeout: 5 }", /cannot load bad\.ts: line 3, column 3: /],
    ["JavaScript", "bad.mjs", "export default {\n  maxDepth: 3\n  timeout: 5 }", /cannot load bad\.mjs: line 3, column 3: /],
    ["a module that throws", "bad.mjs", 'throw new Error("no luck")', /cannot load bad\.mjs: no luck/],
    ["a module without a default", "bad.mjs", "export const a = 1", /bad\.mjs does not hold an object/],
    [
      "a module that imports what is not there",
      "bad.ts",
      'import "no-such-thing"; export default {}',
      /cannot load bad\.ts: .*no-such-thing/,
    ],
    ["an ending nobody knows", "bad.toml", "", /bad\.toml is no config file[\s\S]*\.yaml/],
    ["an unknown option", "bad.ts", "export default { maxDept: 3 }", /maxDept \(in bad\.ts\)[\s\S]*maxDepth\?/],
    ["a glob that was meant as an expression", "bad.mjs", "export default { exclude: [/\\**/] }", /holds \*\*/],
    ["one of several", "bad.yaml", "a: 1\nb: 2", /option a \(in bad\.yaml, line 1\)[\s\S]*1 more/],
  ] as [string, string, string, RegExp][])("a mistake is told with its place: %s", async (_, name, text, message) => {
    using folder = folderWith({ [name]: text });
    const { code, stdout, stderr } = await nuthatchHere(["crawl", "http://127.0.31.9/", "-c", name], { cwd: folder.path });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
    expect(readdirSync(folder.path)).toEqual([name]);
  });

  test("two in one folder are one too many", async () => {
    using folder = folderWith({ "nuthatch.config.json": "{}", "nuthatch.config.yaml": "" });
    const { code, stderr } = await nuthatchHere(["config"], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/two config files[\s\S]*nuthatch\.config\.json, or nuthatch\.config\.yaml/)]);
  });
});

describe("config show", () => {
  test("names who said each value: flag, environment, site, defaults, top, preset, built in", async () => {
    using folder = folderWith({
      "nuthatch.config.yaml":
        "preset: context\ncontact: a@b.test\nmaxPages: 9\ndefaults: { retries: 1, maxPages: 8 }\nsites: [{ url: https://a.test, order: depth, retries: 0 }]\n",
      ".nuthatchignore": "# nothing here\n\n/calendar/**\r\n",
    });
    const env = { NUTHATCH_TIMEOUT: "3s", NUTHATCH_SEED: "7", NUTHATCH_DB: "env.db" };
    const { options, origins, db } = await show(folder.path, ["a.test", "--seed", "8", "--exclude", "/x"], { env });
    expect({ ...options, db }).toMatchObject({
      db: "env.db",
      seed: 8,
      timeout: "3s",
      order: "depth",
      retries: 0,
      maxPages: 8,
      contact: "a@b.test",
      maxDepth: 1,
      scope: "host",
      exclude: ["/x", "/calendar/**"],
    });
    expect(origins).toMatchObject({
      seed: "--seed",
      timeout: "NUTHATCH_TIMEOUT",
      order: "nuthatch.config.yaml, sites[0]",
      retries: "nuthatch.config.yaml, sites[0]",
      maxPages: "nuthatch.config.yaml, defaults",
      contact: "nuthatch.config.yaml",
      maxDepth: "preset context",
      scope: "built in",
      exclude: "--exclude, .nuthatchignore",
    });
    expect(Object.keys(options)).toEqual(fields.map(({ key }) => key));
  });

  test.each([
    ["NUTHATCH_PRESET over the file", { NUTHATCH_PRESET: "enrich" }, [], 0],
    ["--preset over both", { NUTHATCH_PRESET: "enrich" }, ["--preset", "broad"], 20],
  ] as [string, Record<string, string>, string[], number][])("a preset: %s", async (_, env, args, maxDepth) => {
    using folder = folderWith({ "nuthatch.config.yaml": "preset: context" });
    expect((await show(folder.path, args, { env })).options.maxDepth).toBe(maxDepth);
  });

  test("is a table for people, and makes no data file", async () => {
    using folder = tempFolder();
    const { code, stdout } = await nuthatchHere(["config"], { cwd: folder.path });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^option +value\nconfig +–\ndb +nuthatch\.db\npreset +monitor$/m)]);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test.each([
    ["a verb nobody knows", ["config", "shw"], /did you mean nuthatch config show/],
    ["a site nobody knows", ["config", "show", "b.test"], /no site b\.test[\s\S]*a\.test\?/],
    ["an option that is of no use", ["config", "validate", "--max-depth", "3"], /no use for maxDepth/],
    ["a preset nobody knows", ["config", "--preset", "monitr"], /--preset: expected one of/],
    ["a preset for a run that has begun", ["resume", "--preset", "broad"], /leave out --preset/],
  ] as [string, string[], RegExp][])("%s is refused", async (_, args, message) => {
    using folder = folderWith({ "nuthatch.config.yaml": "sites: [{ url: https://a.test }]" });
    const { code, stdout, stderr } = await nuthatchHere(args, { cwd: folder.path });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
  });
});

describe("config validate and schema", () => {
  const wrong = "maxDept: 3\ntimeout: soon\nsites:\n  - url: https://a.test\n    maxDeth: 1\n  - url: https://a.test/\n";

  test("lists every problem, with exit code 2", async () => {
    using folder = folderWith({ "nuthatch.config.yaml": wrong });
    const { code, stdout } = await nuthatchHere(["config", "validate"], { cwd: folder.path });
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /has 4 problems:\n.*line 1.*maxDept\n.*maxDepth\?\n.*line 2.*timeout.*\n.*\n.*line 5.*sites\[0\]\.maxDeth\n.*\n.*line 6.*sites\[0\] already/,
    );
    const document = JSON.parse((await nuthatchHere(["config", "validate", "--json"], { cwd: folder.path })).stdout) as {
      problems: object[];
    };
    expect(document).toMatchObject({ schemaVersion: 1, valid: false, problems: [{ where: "maxDept", line: 1 }, {}, {}, { line: 6 }] });
  });

  test.each([
    ["a file that is right", { "a.yaml": plainText }, ["a.yaml"], 0, /a\.yaml is right: 1 site$/m],
    ["a file that cannot be read", { "a.json": "{" }, ["a.json"], 2, /1 problem:\n.*is not JSON: line 1, column 2/],
    ["patterns beside it that are none", { "nuthatch.config.yaml": "", ".nuthatchignore": "/a\n/(/" }, [], 2, /\.nuthatchignore, line 2/],
    ["patterns beside it that let in", { "nuthatch.config.yaml": "", ".nuthatchignore": "!/a" }, [], 2, /\.nuthatchignore, line 1.*!/],
  ] as [string, Record<string, string>, string[], number, RegExp][])("%s", async (_, files, args, code, message) => {
    using folder = folderWith(files);
    const ended = await nuthatchHere(["config", "validate", ...args], { cwd: folder.path });
    expect([ended.code, ended.stdout]).toEqual([code, expect.stringMatching(message)]);
  });

  test("without a file, init is named", async () => {
    using folder = tempFolder();
    expect(await nuthatchHere(["config", "validate"], { cwd: folder.path })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("init"),
    });
  });

  test("the schema knows every option, at the top, under defaults and per site, with words and defaults", async () => {
    interface Schema {
      readonly properties: Record<string, { description?: string; default?: unknown; properties?: object; items?: { properties: object } }>;
    }
    const { stdout } = await nuthatchHere(["config", "schema"]);
    const { properties } = JSON.parse(stdout) as Schema;
    for (const { key, help } of fields) expect([key, properties[key]?.description]).toEqual([key, expect.stringContaining(help)]);
    expect(properties).toMatchObject({ maxDepth: { default: 10 }, timeout: { default: "10s" }, maxParams: { default: "none" } });
    const keys = fields.map(({ key }) => key);
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(["db", "defaults", "sites", ...keys]));
    expect(Object.keys(properties.defaults!.properties!)).toEqual(keys);
    expect(Object.keys(properties.sites!.items!.properties)).toEqual(["url", ...keys]);
    expect(stdout).not.toMatch(/"kept"|"secret"|"path":/);
  });
});

describe(".nuthatchignore holds in a crawl", () => {
  let site: RunningSite;
  beforeAll(async () => {
    const pages = { "/": '<a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>', "/a": "a", "/b": "b", "/c": "c" };
    site = await serveSite(pages, { address: "127.0.31.1" });
  });
  afterAll(() => site.close());

  test.each([
    ["on top of the flag", { ".nuthatchignore": "/a" }, ".", ["--exclude", "/b"], ["/", "/c"]],
    ["from a folder above", { ".nuthatchignore": "/a", "x/y/z": "" }, "x/y", [], ["/", "/b", "/c"]],
    ["the nearest alone", { ".nuthatchignore": "/a", "x/.nuthatchignore": "/b" }, "x", [], ["/", "/a", "/c"]],
    ["not from above the config file", { ".nuthatchignore": "/a", "x/nuthatch.config.yaml": "" }, "x", [], ["/", "/a", "/b", "/c"]],
    ["from beside the config file", { "x/.nuthatchignore": "/a", "x/nuthatch.config.yaml": "", "x/y/z": "" }, "x/y", [], ["/", "/b", "/c"]],
  ] as [string, Record<string, string>, string, string[], string[]][])("%s", async (_, files, cwd, args, visited) => {
    using folder = folderWith(files);
    const crawl = ["crawl", site.origin, "--rate-limit", "none", "-q", "-o", "pages.csv", ...args];
    expect((await nuthatchHere(crawl, { cwd: folder.file(cwd) })).code).toBe(0);
    const { stdout } = await nuthatchHere(["export", "jsonl"], { cwd: folder.file(cwd) });
    const paths = stdout
      .trimEnd()
      .split("\n")
      .map((line) => new URL((JSON.parse(line) as { url: string }).url).pathname);
    expect(paths.sort()).toEqual(visited);
  });
});

describe("an explanation of a URL that a .nuthatchignore keeps out", () => {
  const pages = { "/": '<a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>', "/a": "a", "/b": "b", "/c": "c" };

  test("names file and line, and the flag for what the flag keeps out", async () => {
    using folder = folderWith({ ".nuthatchignore": "# nothing here\n\n/a\n/*c\n/a\n", "x/y": "" });
    const site = await serveSite(pages, { address: "127.0.31.6" });
    const cwd = folder.file("x");
    expect((await nuthatchHere(["crawl", site.origin, "--rate-limit", "none", "-q", "--exclude", "/b"], { cwd })).code).toBe(0);
    const ruleOf = async (path: string) =>
      JSON.parse((await nuthatchHere(["explain", `${site.origin}${path}`, "--json"], { cwd })).stdout).rule;
    expect(await Promise.all(["/a", "/b", "/c", "/ac"].map(ruleOf))).toEqual([
      "../.nuthatchignore, line 3: /a",
      "--exclude /b",
      "../.nuthatchignore, line 4: /*c",
      "../.nuthatchignore, line 4: /*c",
    ]);
    await site.close();
  });
});

describe("sites of one file", () => {
  let sites: RunningSite[];
  beforeAll(async () => {
    const pages = { "/": '<a href="/a">a</a>', "/a": '<a href="/b">b</a>', "/b": "b" };
    sites = await Promise.all(["127.0.31.3", "127.0.31.4", "127.0.31.5"].map((address) => serveSite(pages, { address })));
  });
  afterAll(() => Promise.all(sites.map((site) => site.close())));
  const file = () => {
    const [first, second, third] = sites.map(({ origin }) => origin);
    return `rateLimit: none\nsites: [{ url: "${first}", maxDepth: 1 }, { url: "${second}" }, { url: "${third}", maxDepth: 1 }]`;
  };

  test.concurrent("with the same options share a run, those with others have one of their own", async () => {
    using folder = folderWith({ "nuthatch.config.yaml": file() });
    expect((await nuthatch(["crawl"], { cwd: folder.path })).code).toBe(0);
    const { stdout } = await nuthatchHere(["runs", "--json"], { cwd: folder.path });
    const { runs } = JSON.parse(stdout) as { runs: { seeds: string[]; counters: { pages: number } }[] };
    expect(runs.map(({ seeds, counters }) => [seeds, counters.pages])).toEqual([
      [[`${sites[1]!.origin}/`], 3],
      [[`${sites[0]!.origin}/`, `${sites[2]!.origin}/`], 4],
    ]);
  });

  test.concurrent.each([
    ["--json", ["--json"]],
    ["-o", ["-o", "pages.jsonl"]],
  ])("%s is for one run", async (flag, args) => {
    using folder = folderWith({ "nuthatch.config.yaml": file() });
    const { code, stderr } = await nuthatchHere(["crawl", ...args], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${flag} is for one run, and nuthatch.config.yaml makes 2`)]);
    expect(readdirSync(folder.path)).toEqual(["nuthatch.config.yaml"]);
    expect((await nuthatch(["crawl", sites[1]!.origin, ...args], { cwd: folder.path })).code).toBe(0);
  });

  test("a mistake in one of them lets none begin", async () => {
    using folder = folderWith({ "nuthatch.config.yaml": `${file().slice(0, -1)}, { url: "http://127.0.31.9", ca: none.pem }]` });
    expect(await nuthatchHere(["crawl"], { cwd: folder.path })).toMatchObject({ code: 2, stderr: expect.stringContaining("none.pem") });
    expect(readdirSync(folder.path)).toEqual(["nuthatch.config.yaml"]);
  });
});

describe("secrets", () => {
  let site: RunningSite;
  beforeAll(async () => {
    site = await serveSite({ "/": "home" }, { address: "127.0.31.6" });
  });
  afterAll(() => site.close());
  const text = () => `rateLimit: none\nheader: ["X-Key: env:TOWN_KEY"]\nsites: [{ url: "${site.origin}" }]`;

  test("come from the environment, reach the site, and are neither shown nor kept", async () => {
    using folder = folderWith({ "nuthatch.config.yaml": text() });
    const env = { TOWN_KEY: "s3cret-of-the-town" };
    const crawled = await nuthatch(["crawl", "-vv"], { cwd: folder.path, env });
    expect([crawled.code, site.log.map(({ headers }) => headers["x-key"])]).toEqual([0, ["s3cret-of-the-town", "s3cret-of-the-town"]]);
    const shown = await nuthatch(["config", "show", "--json"], { cwd: folder.path, env });
    expect(JSON.parse(shown.stdout)).toMatchObject({ options: { header: "(hidden)" } });
    const files = readdirSync(folder.path).map((name) => readFileSync(folder.file(name), "latin1"));
    expect([crawled.stdout, crawled.stderr, shown.stdout, shown.stderr, ...files].filter((said) => said.includes("s3cret"))).toEqual([]);
  });

  test.each([
    ["a variable that is not set", text, /TOWN_KEY is not set, and header in nuthatch\.config\.yaml[\s\S]*export TOWN_KEY/],
    ["a secret as it is", () => 'header: ["X-Key: s3cret"]', /header\[0\]: must not stand in a file[\s\S]*/],
    ["a password in an address", () => "proxy: http://me:s3cret@127.0.31.9:1", /proxy: a password must not stand in a file/],
  ] as [string, () => string, RegExp][])("%s is refused", async (_, content, message) => {
    using folder = folderWith({ "nuthatch.config.yaml": content() });
    const { code, stderr } = await nuthatchHere(["crawl", site.origin], { cwd: folder.path });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(stderr).not.toContain("s3cret");
    expect(readdirSync(folder.path)).toEqual(["nuthatch.config.yaml"]);
  });

  test("a file that is named lies beside the config file", async () => {
    using folder = folderWith({ "nuthatch.config.yaml": "cookies: jar.txt\nca: /etc/none.pem", "a/x": "" });
    expect((await show(folder.file("a"))).options).toMatchObject({ cookies: "../jar.txt", ca: "/etc/none.pem" });
  });
});

test("defineConfig gives back what it is given, presets and expressions included", () => {
  const config = {
    preset: "context",
    db: "a.db",
    defaults: { maxDepth: 2 },
    sites: [{ url: "https://a.test", exclude: [/a/, "/b"] }],
  } as const;
  expect(defineConfig(config)).toBe(config);
  expect(Object.keys(presets)).toContain(config.preset);
  // @ts-expect-error an option nobody knows
  defineConfig({ maxDept: 3 });
  // @ts-expect-error a site without an address
  defineConfig({ sites: [{ maxDepth: 3 }] });
});
