import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { RunOptions } from "./run-options.ts";

const file = {
  name: "nuthatch.config.json",
  folder: tmpdir(),
  content: {
    maxDepth: 2,
    maxPages: 20,
    maxLength: 200,
    maxComponents: 2,
    header: ["X-Key: env:KEY"],
    sites: [{ url: "https://named.example/", maxPages: 30 }],
  },
};
const env = { KEY: "secret", NUTHATCH_MAX_LENGTH: "300", NUTHATCH_MAX_COMPONENTS: "3" };
const options = new RunOptions({ file, flags: { maxComponents: 4 }, cwd: tmpdir() }, env);
const named = "https://named.example/";
const other = "https://other.example/";

describe("the options of a run over the API", () => {
  test.each([
    ["what is built in", "retries", 2],
    ["the config file", "maxDepth", 2],
    ["its part for the site", "maxPages", 30],
    ["the environment over the file", "maxLength", 300],
    ["flags of the server over the environment", "maxComponents", 4],
    ["what was set for the site over all that", "perHost", 5],
    ["and the request over everything", "maxConcurrent", 7],
  ] as const)("are %s", (_, key, expected) => {
    expect(options.configFor([named], [{ perHost: 5, maxConcurrent: 6 }], { maxConcurrent: 7 })[key]).toBe(expected);
  });

  test("hold secrets only for sites that the config file names: a URL that somebody sends is told none", () => {
    expect(options.configFor([named], [], {}).header).toEqual(["X-Key: secret"]);
    expect(options.configFor([other], [], {}).header).toEqual([]);
    expect(options.configFor([named, other].slice(1), [], {}).header).toEqual([]);
  });

  test("take keywords as the API tells them, whatever they are called", () => {
    const { keywords } = options.configFor([other], [], { keywords: [{ word: "a=b", weight: 0.5 }, { word: "c" }] });
    expect(Object.entries(keywords)).toEqual([
      ["a=b", 0.5],
      ["c", 1],
    ]);
  });

  test("cannot be set by what is kept for a site where a request could not", () => {
    expect(() => options.configFor([other], [{ allowPrivate: ["10.0.0.0/8"] }], {})).toThrow("allowPrivate");
  });

  test.each([
    "http://127.1/",
    "http://[::ffff:10.0.0.1]/",
    "http://169.254.169.254/",
    "http://a.localhost/",
    "http://0/",
    "http://2130706433/",
  ])("refuse %s, which is private", (url) => {
    expect(() => options.configFor([url], [], {})).toThrow("private network");
    expect(() => options.configFor([other], [], { sitemap: url })).toThrow("private network");
  });
});
