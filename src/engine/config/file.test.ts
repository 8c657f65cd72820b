import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fieldOf, storedForm } from "./config.ts";
import { parseConfigFile, problemsIn, resolveConfig, resolveLayers } from "./index.ts";
import { positionOfError } from "./json-error-position.ts";
import { fileLayers, sitesIn } from "./layers.ts";
import { presets } from "./presets.ts";
import { insertSecrets, secretText, withoutLogins } from "./secrets.ts";

const fileOf = (text: string) => parseConfigFile("-", Readable.from([text]));
const problems = async (text: string) =>
  (await problemsIn(await fileOf(text))).map(({ where, line, hint }) => [where, line, hint] as [string, number | undefined, string]);

describe("what is wrong with a config file is told with its place and a way out", () => {
  test.each([
    ["an option nobody knows", "maxDept: 3", [["maxDept", 1, /maxDepth\?/]]],
    ["one of all sites", "# all\ndefaults:\n  maxDept: 3", [["defaults.maxDept", 3, /maxDepth\?/]]],
    ["one of a site", "sites:\n  - url: http://a.test\n  - url: http://b.test\n    maxDeth: 1", [["sites[1].maxDeth", 4, /maxDepth\?/]]],
    ["a weight nobody knows", "priority:\n  freshnes: 1", [["priority.freshnes", 2, /freshness\?/]]],
    [
      "the address of a site mistyped",
      "sites:\n  - ulr: http://a.test",
      [
        ["sites[0].url", 2, /whole address/],
        ["sites[0].ulr", 2, /url\?/],
      ],
    ],
    ["a data file of one site", "sites:\n  - url: http://a.test\n    db: a.db", [["sites[0].db", 3, /top of the file/]]],
    ["a value that is none", '{\n "timeout": "soon"\n}', [["timeout", 2, /timeout: Time for/]]],
    ["a list that is none", "exclude: /a/**", [["exclude", 1, /\["\/a\/\*\*"\]/]]],
    ["a pattern that is none", "exclude:\n  - /a/**\n  - /(/", [["exclude[1]", 3, /.+/]]],
    ["a preset nobody knows", "preset: monitr", [["preset", 1, /monitor\?/]]],
    ["an address without a scheme", "sites: [{ url: example.org }]", [["sites[0].url", 1, /whole address/]]],
    ["one site twice", "sites:\n  - url: http://a.test\n  - url: http://A.test/\n", [["sites[1].url", 3, /one of them/]]],
    ["a password in an address", "userAgent: me\ncontact: http://me:pw@a.test", [["contact", 2, /env:NAME/]]],
    ["sites that are no list", "sites: http://a.test", [["sites", 1, /list/]]],
    [
      "several at once, in the order of their lines",
      "db: 3\nmaxDept: 3\ntimeout: soon",
      [
        ["db", 1, /db/],
        ["maxDept", 2, /./],
        ["timeout", 3, /./],
      ],
    ],
  ] as [string, string, [string, number, RegExp][]][])("%s", async (_, text, expected) => {
    expect(await problems(text)).toEqual(expected.map(([where, line, hint]) => [where, line, expect.stringMatching(hint)]));
  });

  test.each([
    ["nothing", ""],
    ["nothing but comments", "# maxDepth: 3"],
    ["headings without lines", "defaults:\nsites:\n"],
    ["values with units", "timeout: 10s\nmaxBody: 1MB\nrateLimit: 30/m\nmaxPages: none"],
    ["words that other YAML takes for booleans", "trapGuard: off\nautoSlow: on"],
    ["an anchor", "sites:\n  - &a { url: http://a.test, maxDepth: 3 }\n"],
    ["a password that comes from the environment", "contact: http://me:env:PW@a.test/x"],
    ["an address with a user, or a sign that looks like one", "contact: http://me@a.test/@me:x\nuserAgent: a@b.test:1"],
    ["the schema for editors", '{ "$schema": "./nuthatch.schema.json" }'],
  ])("%s is fine", async (_, text) => {
    expect(await problems(text)).toEqual([]);
  });

  test.each([
    ["an indent", "a: 1\n b: 2", /YAML: line [12], column/],
    ["a key twice", "maxDepth: 1\nmaxDepth: 2", /YAML: line 2, column 1/],
    ["a text instead of names", "hello", /does not hold an object/],
  ])("%s cannot be read", async (_, text, message) => {
    await expect(fileOf(text)).rejects.toThrow(message);
  });

  test.each([
    ["at its top", '{\n  "maxDepth": 1,\n  "maxDepth": 2\n}', "line 3, column 3"],
    ["of a site", '{"sites": [{"url": "http://a.test", "maxDepth": 1, "maxDepth": 2}]}', "line 1"],
  ])("a key twice in JSON, %s, cannot be read", async (_, text, place) => {
    await expect(fileOf(text)).rejects.toThrow(`has a name twice: ${place}`);
  });

  test("two objects of a JSON file may have the same keys", async () => {
    const text = '{"maxDepth": 1, "sites": [{"url": "http://a.test", "maxDepth": 2}, {"url": "http://b.test", "maxDepth": 3}]}';
    expect((await fileOf(text)).content).toMatchObject({ maxDepth: 1 });
  });

  test.each([
    ["a name without quotes", "{\n  maxDepth: 3\n}", 2, 3],
    ["a comma too many", '{\n  "a": 1,\n}', 3, 1],
    ["a word that is none", '{\n  "a": 1,\n  "b": tru }', 3, 11],
    ["an end too early", '{\n  "a": 1', 2, 9],
    ["an end at once", "", 1, 1],
    ["an open text", '{"a": "b', 1, 9],
    ["something behind the end", "{}\n{}", 2, 1],
  ])("JSON: %s", (_, text, line, column) => {
    let error: unknown;
    try {
      JSON.parse(text);
    } catch (caught) {
      error = caught;
    }
    expect(positionOfError(text, error as Error)).toMatchObject({
      line,
      column,
      message: expect.not.stringMatching(/position|valid JSON/),
    });
  });
});

describe("a value that is none is told what it could be", () => {
  test.each([
    ["a number too small", { maxPages: 0 }, "maxPages: must be at least 1, got 0 (in a test)"],
    ["a number too large", { retries: 99 }, "retries: must be at most 10, got 99 (in a test)"],
    [
      "a unit nobody knows",
      { timeout: "5y" },
      'timeout: expected a duration such as 500ms, 10s, 5m or 2h, or a number of seconds, got "5y" (in a test)',
    ],
    ["a word that is no choice", { scope: "hst" }, 'scope: expected one of page, prefix, host, domain, any, got "hst" (in a test)'],
    ["a choice within a list", { save: ["rwa"] }, 'save[0]: expected one of raw, links, warc, screenshot, none, got "rwa" (in a test)'],
  ])("%s", (_, values, message) => {
    expect(() => resolveConfig([{ from: "a test", values }])).toThrow(expect.objectContaining({ message }));
  });
});

describe("who wins", () => {
  const layers = (text: string, seeds: string[]) => fileOf(text).then((file) => fileLayers(file, seeds, {}));
  const two = "maxDepth: 1\ndefaults: { maxDepth: 2 }\nsites: [{ url: http://a.test, maxDepth: 3 }, { url: http://b.test }]";

  test.each([
    ["the top of a file over a preset", "preset: context\nmaxDepth: 4", [], 4],
    ["a preset over what is built in", "preset: context", [], 1],
    ["defaults over the top", two, ["http://c.test/"], 2],
    ["a site over defaults, however its address ends", two, ["http://a.test/"], 3],
  ] as [string, string, string[], number][])("%s", async (_, text, seeds, maxDepth) => {
    expect(resolveConfig(await layers(text, seeds)).maxDepth).toBe(maxDepth);
  });

  test.each([
    ["two sites with other options", two, ["http://a.test", "http://b.test"]],
    ["a site with options and one without an entry", two, ["http://a.test", "http://c.test"]],
  ])("%s cannot share a run", async (_, text, seeds) => {
    await expect(layers(text, seeds)).rejects.toThrow(/one set/);
  });

  test("sites with the same options can", async () => {
    const file = await fileOf("sites: [{ url: http://a.test, maxDepth: 3 }, { url: http://b.test, maxDepth: 3 }]");
    expect(resolveConfig(fileLayers(file, sitesIn(file), {})).maxDepth).toBe(3);
  });

  test("the strongest layer names the preset, and every other option beats it", () => {
    const given = [
      { from: "file", values: { preset: "broad", maxPages: 7 } },
      { from: "flags", values: { preset: "enrich" } },
    ];
    expect(resolveConfig(given)).toMatchObject({ preset: "enrich", scope: "page", maxDepth: 0, maxPages: 7 });
  });

  test("what is added comes on top of the strongest", () => {
    const added = { from: ".nuthatchignore", values: { exclude: ["/c"] }, isAdded: true };
    const { config, origins } = resolveLayers([
      added,
      { from: "file", values: { exclude: ["/a"] } },
      { from: "flags", values: { exclude: ["/b"] } },
    ]);
    expect([config.exclude, origins.get("exclude")?.map(({ from }) => from)]).toEqual([
      ["/b", "/c"],
      ["flags", ".nuthatchignore"],
    ]);
  });

  test.each(Object.entries(presets))("preset %s is what its options are, and no run keeps its name", (name, { about, options }) => {
    const named = storedForm(resolveConfig([{ from: "test", values: { preset: name } }]));
    expect(named).toEqual(storedForm(resolveConfig([{ from: "test", values: { ...options } }])));
    expect(named).not.toHaveProperty("preset");
    expect(about).not.toBe("");
  });
});

describe("secrets", () => {
  const field = fieldOf("Access", "header", z.array(z.string()).default([]).describe("A header").meta({ secret: true }));

  test("are known by their schema, wherever it says so, and never kept", () => {
    expect(field).toMatchObject({ isSecret: true, isKept: false });
    expect(fieldOf("Access", "header", z.array(z.string()).meta({ secret: true }).default([]))).toMatchObject({ isSecret: true });
    expect(fieldOf("Access", "proxy", z.string().optional().meta({ kept: false }))).toMatchObject({ isSecret: false, isKept: false });
    expect(fieldOf("Scope", "maxDepth", z.number().default(3))).toMatchObject({ isSecret: false, isKept: true });
  });

  test.each([
    ["a whole value", ["env:TOKEN"], ["s3cret"]],
    ["part of one", ["Authorization: Bearer env:TOKEN"], ["Authorization: Bearer s3cret"]],
    ["two in one", ["env:USER_NAME:env:TOKEN"], ["ann:s3cret"]],
    ["what only looks like one", ["X: myenv:TOKEN"], ["X: myenv:TOKEN"]],
  ])("are drawn from the environment: %s", (_, written, drawn) => {
    expect(insertSecrets("header", written, "a file", { TOKEN: "s3cret", USER_NAME: "ann" })).toEqual(drawn);
  });

  test.each([
    ["http://me:pw@proxy.test:3128", "http://(hidden)@proxy.test:3128"],
    [
      { http: "http://t0ken@p.test", except: ["a.test"] },
      { http: "http://(hidden)@p.test", except: ["a.test"] },
    ],
    ["https://a.test/@me", "https://a.test/@me"],
    [3, 3],
  ])("an address is shown without who may enter: %j", (value, shown) => {
    expect(withoutLogins(value)).toEqual(shown);
  });

  test("and files lie where the config file lies", () => {
    expect(fieldOf("Access", "ca", z.string().optional().meta({ kept: false, path: true }))).toMatchObject({ isPath: true, isKept: false });
    expect(fieldOf("Scope", "maxDepth", z.number().default(3))).toMatchObject({ isPath: false });
  });

  test.each([
    ["not set", {}],
    ["empty", { TOKEN: "" }],
  ])("a variable that is %s is named", (_, env) => {
    expect(() => insertSecrets("header", ["env:TOKEN"], "site.yaml", env)).toThrow(/TOKEN is not set, and header in site\.yaml/);
  });

  test.each([
    ["Authorization: Bearer s3cret", false],
    ["Authorization: Bearer env:TOKEN", true],
    ["env:9", false],
  ])("in a file, %s is right: %s", (text, isRight) => {
    expect(secretText.safeParse(text).success).toBe(isRight);
  });
});
