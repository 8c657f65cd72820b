import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { cronOf, templates } from "../dist/src/interfaces/cli/templates.js";
import { hasTerminal, nuthatch, startOnTerminal, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await serveSite({ "/": '<title>Home</title><a href="/a">a</a>', "/a": "<title>A</title>" }, { address: "127.0.31.2" });
});
afterAll(() => site.close());

const names = Object.keys(templates);
const fast = { NUTHATCH_RATE_LIMIT: "none" };
const init = (cwd: string, ...args: string[]) => nuthatchHere(["init", ...args], { cwd, env: fast });
const read = (folder: { file(name: string): string }, name: string) => readFileSync(folder.file(name), "utf8");
const written = ["nuthatch.config.yaml", ".nuthatchignore", ".gitignore"];

describe("init without a terminal", () => {
  test.concurrent.each(names)("template %s: what it writes is right, and what it says next works", async (name) => {
    using folder = tempFolder();
    const answers = ["--site", site.origin, "--keywords", 'budget, "minutes"\n#x: y', "--every", "daily", "--contact", "Ann # <a@b.test>"];
    const ended = await init(folder.path, name, ...answers);
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringMatching(/^Wrote nuthatch\.config\.yaml$[\s\S]*^Next: nuthatch crawl$/m)]);
    const { stdout, code } = await nuthatchHere(["config", "validate"], { cwd: folder.path });
    expect([code, stdout]).toEqual([0, expect.stringContaining("1 site")]);
    expect(parse(read(folder, "nuthatch.config.yaml"))).toMatchObject({ contact: "Ann # <a@b.test>", sites: [{ url: `${site.origin}/` }] });
    const { next } = templates[name as keyof typeof templates];
    for (const command of next.flatMap((line) => line.split(" && "))) {
      const [program, ...args] = command.split(" ");
      if (program === "mkdir") mkdirSync(folder.file(args[0]!));
      if (program === "nuthatch") expect([command, (await nuthatchHere(args, { cwd: folder.path, env: fast })).code]).toEqual([command, 0]);
    }
  });

  test.concurrent("keywords are in it; the schedule is a comment that says what does not happen yet", async () => {
    using folder = tempFolder();
    await init(folder.path, "--site", site.origin, "--keywords", "budget, meeting minutes=0.9", "-q");
    const text = read(folder, "nuthatch.config.yaml");
    expect(text).toMatch(/^ {4}keywords: #.*\n {6}"budget": 1\n {6}"meeting minutes": 0\.9$/m);
    expect(text).toMatch(/# Nothing starts by itself yet\.[\s\S]*# \d+ 5 \* \* 1 {2}cd .* && npx nuthatch crawl/);
    expect(read(folder, ".gitignore")).toMatch(/^nuthatch\.db\*$/m);
  });

  test.concurrent("a file that is there is left as it is, and named", async () => {
    using folder = tempFolder();
    writeFileSync(folder.file(".gitignore"), "mine\n");
    const { code, stderr } = await init(folder.path, "--site", site.origin, "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("Left .gitignore as it is")]);
    expect(read(folder, ".gitignore")).toBe("mine\n");
  });

  test.concurrent.each(["nuthatch.config.yaml", "nuthatch.config.json", "nuthatch.config.ts"])(
    "%s is never overwritten, nor joined by another",
    async (name) => {
      using folder = tempFolder();
      writeFileSync(folder.file(name), "{}");
      const { code, stderr } = await init(folder.path, "--site", site.origin, "--yes");
      expect([code, stderr, readdirSync(folder.path)]).toEqual([2, expect.stringContaining(`${name} is there already`), [name]]);
    },
  );

  test.concurrent("--json is one document", async () => {
    using folder = tempFolder();
    const { stdout, stderr } = await init(folder.path, "--site", site.origin, "--json");
    expect([JSON.parse(stdout), stderr]).toEqual([
      { schemaVersion: 1, template: "monitor", written, kept: [], next: ["nuthatch crawl"] },
      "",
    ]);
  });

  test.concurrent.each([
    ["no site", [], /no site was given[\s\S]*--site/],
    ["a host without a scheme", ["--site", "example.org"], /https:\/\/example\.org/],
    ["an interval nobody knows", ["--site", "http://127.0.31.9/", "--every", "weakly"], /weekly\?/],
    ["a contact that breaks the header", ["--site", "http://127.0.31.9/", "--contact", "a\nb"], /--contact/],
    ["a template nobody knows", ["monitr", "--site", "http://127.0.31.9/"], /nuthatch init monitor\?/],
    ["another place for the config", ["-c", "x.yaml", "--site", "http://127.0.31.9/"], /leave out -c/],
  ] as [string, string[], RegExp][])("%s is refused, and nothing is written", async (_, args, message) => {
    using folder = tempFolder();
    const { code, stdout, stderr } = await init(folder.path, ...args);
    expect([code, stdout, stderr, readdirSync(folder.path)]).toEqual([2, "", expect.stringMatching(message), []]);
  });
});

describe("init github-action", () => {
  interface Workflow {
    readonly on: { readonly schedule?: readonly { readonly cron: string }[] };
    readonly jobs: { readonly crawl: { readonly steps: readonly { readonly run?: string }[] } };
  }
  const path = ".github/workflows/nuthatch.yml";

  test.concurrent("its nuthatch commands work, and make the CSV that it commits", async () => {
    using folder = tempFolder();
    await init(folder.path, "github-action", "--site", site.origin, "--every", "monthly");
    const workflow = parse(read(folder, path)) as Workflow;
    expect(workflow.on.schedule).toEqual([{ cron: cronOf("monthly", `${site.origin}/`) }]);
    const lines = workflow.jobs.crawl.steps.flatMap(({ run = "" }) => run.split("\n")).filter((line) => line.startsWith("npx "));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const [, , , ...args] = line.split(/\s+/);
      expect([line, (await nuthatch(args, { cwd: folder.path, env: { ...fast, CI: "true" } })).code]).toEqual([line, 0]);
    }
    expect(read(folder, "changes.csv")).toContain(`${site.origin}/`);
  });

  test.concurrent("joins a config file that is there", async () => {
    using folder = tempFolder();
    writeFileSync(folder.file("nuthatch.config.json"), JSON.stringify({ db: "town.db", sites: [{ url: site.origin }] }));
    const { code, stderr } = await init(folder.path, "github-action");
    expect([code, stderr]).toEqual([0, expect.stringContaining("Left nuthatch.config.json as it is")]);
    expect(existsSync(folder.file("nuthatch.config.yaml"))).toBe(false);
    expect([read(folder, path), read(folder, ".gitignore")]).toEqual([
      expect.stringContaining("town.db"),
      expect.stringMatching(/^town\.db\*$/m),
    ]);
    expect((await init(folder.path, "github-action")).stderr).toContain(`${path} is there already`);
  });
});

describe.skipIf(!hasTerminal)("init on a terminal", () => {
  const CTRL_C = "\x03";

  test.concurrent("asks four questions, again where the answer is none", async () => {
    using folder = tempFolder();
    const running = startOnTerminal(["init"], { cwd: folder.path, env: fast });
    for (const [question, answer] of [
      ["Which site?", "example.org"],
      ["did you mean https://example.org", site.origin],
      ["What matters", "budget"],
      ["How often?", "sometimes"],
      ["is no interval", ""],
      ["reach you?", "a@b.test"],
    ] as const) {
      await running.shows(question);
      running.type(`${answer}\n`);
    }
    expect(await running.ended).toMatchObject({ code: 0, screen: expect.stringContaining("Next: nuthatch crawl") });
    expect(read(folder, "nuthatch.config.yaml")).toMatch(/contact: "a@b\.test"[\s\S]*budget[\s\S]*weekly/);
  });

  test.concurrent("what is typed ahead is not lost, and what flags say is not asked", async () => {
    using folder = tempFolder();
    const running = startOnTerminal(["init", "--site", site.origin], { cwd: folder.path, env: fast });
    await running.shows("What matters");
    running.type("budget\nmonthly\na@b.test\n");
    const { code, screen } = await running.ended;
    expect([code, screen]).toEqual([0, expect.not.stringContaining("Which site?")]);
    expect(read(folder, "nuthatch.config.yaml")).toMatch(/a@b\.test[\s\S]*budget[\s\S]*monthly/);
  });

  test.concurrent.each([
    ["Ctrl-C", CTRL_C, 130, "Nothing was changed."],
    ["the end of input", "\x04", 2, "not answered"],
  ])("%s writes nothing", async (_, keys, code, message) => {
    using folder = tempFolder();
    const running = startOnTerminal(["init"], { cwd: folder.path });
    await running.shows("Which site?");
    running.type(keys);
    expect(await running.ended).toMatchObject({ code, screen: expect.stringContaining(message) });
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
