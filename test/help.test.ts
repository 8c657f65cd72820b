import { describe, expect, test } from "vitest";
import { commands } from "../dist/src/interfaces/cli/commands.js";
import { topics } from "../dist/src/interfaces/cli/topics.js";
import { hasTerminal, startOnTerminal } from "./cli.ts";
import { nuthatchHere as nuthatch } from "./in-process.ts";

const names = commands.map(({ name }) => name);
const flagsIn = (text: string) => text.split("\n").flatMap((line) => /^ {2}(?:-\w, )?(--[\w-]+)/.exec(line)?.[1] ?? []);
const optionsOf = (text: string) => text.split("\nOptions:\n")[1]!.split("\n\n")[0]!;

describe("the first thing one sees", () => {
  test("alone it shows twelve commands at most, in groups, on one screen", async () => {
    const { code, stdout, stderr } = await nuthatch([]);
    expect([code, stderr]).toEqual([0, ""]);
    const rows = stdout.split("\n").filter((line) => line.startsWith("  nuthatch "));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.length).toBeLessThanOrEqual(12);
    expect(stdout.split("\n").length).toBeLessThanOrEqual(24);
    for (const again of ["-h", "--help"]) expect((await nuthatch([again])).stdout).toBe(stdout);
  });

  test("help lists every command and every topic", async () => {
    const { code, stdout, stderr } = await nuthatch(["help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(names.filter((name) => !new RegExp(`^ {2}nuthatch ${name}\\b`, "m").test(stdout))).toEqual([]);
    expect(topics.filter(({ name }) => !stdout.includes(`  nuthatch help ${name} `))).toEqual([]);
    expect((await nuthatch(["-hh"])).stdout).toBe(stdout);
  });

  test("help is data too", async () => {
    const { stdout } = await nuthatch(["help", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      commands: expect.arrayContaining([expect.objectContaining({ name: "crawl" })]),
    });
    const crawl = JSON.parse((await nuthatch(["help", "crawl", "--json"])).stdout) as { command: { flags: { names: string[] }[] } };
    expect(crawl.command.flags.find((flag) => flag.names.includes("--max-depth"))).toMatchObject({ value: "n", group: "Scope" });
    const topic = JSON.parse((await nuthatch(["help", "scope", "--json"])).stdout) as { text: string };
    expect(topic.text).toContain("--exclude");
  });
});

describe("help of a command", () => {
  test.each(names)("%s: -h is short, -hh is whole, help says the same", async (name) => {
    const [short, long, whole] = await Promise.all(["-h", "--help", "-hh"].map((flag) => nuthatch([name, flag])));
    for (const { code, stderr, stdout } of [short!, whole!]) {
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^Usage: /);
      expect(stdout.split("\n").filter((line) => line.length > 80 && line.startsWith(" ".repeat(20)))).toEqual([]);
    }
    expect(long!.stdout).toBe(short!.stdout);
    expect(flagsIn(optionsOf(short!.stdout)).length).toBeLessThanOrEqual(16);
    expect(flagsIn(short!.stdout).filter((flag) => !flagsIn(whole!.stdout).includes(flag))).toEqual([]);
    // Where a topic has the name of a command, help tells both.
    const isTopic = topics.some((topic) => topic.name === name);
    const told = await Promise.all([nuthatch(["help", name]), nuthatch(["help", name, "--all"])]);
    expect(told.map(({ stdout }) => (isTopic ? stdout.slice(stdout.indexOf("\nUsage: ") + 1) : stdout))).toEqual([
      short!.stdout,
      whole!.stdout,
    ]);
  });

  test("crawl shows fifteen flags and its examples, not sixty", async () => {
    const { stdout } = await nuthatch(["crawl", "-h"]);
    const shown = flagsIn(stdout);
    expect(shown.length).toBeGreaterThanOrEqual(12);
    expect(shown.length).toBeLessThanOrEqual(16);
    expect(shown).toEqual(expect.arrayContaining(["--scope", "--exclude", "--max-depth", "--rate-limit", "--output", "--db", "--json"]));
    expect(stdout).toContain("Examples:\n  nuthatch crawl https://example.org\n");
    const whole = (await nuthatch(["crawl", "-hh"])).stdout;
    for (const group of ["Scope:", "Politeness:", "Robots:", "Fetching:", "Run:", "Global:", "Examples:"])
      expect(whole).toContain(`\n${group}\n`);
    expect(flagsIn(whole).length).toBeGreaterThan(45);
    expect(whole).toContain("<time> is 500ms, 10s");
  });

  test.each([
    ["a duration", "--timeout <time>", /time for one request.*\(default: 10s\)/],
    ["a size", "--max-body <size>", /\(default: 10MB\)/],
    ["a rate", "--rate-limit <rate>", /1\/s, 30\/m, none.* \(default: 1\/s\)/],
    ["a number", "--max-pages <n>", /\(default: 10000\)/],
    ["a choice", "--scope <page|prefix|host|domain|any>", /\(default: host\)/],
    ["a list", "--deny-hosts <list>", /hosts and their subdomains/],
    ["a pattern, which may hold commas", "--exclude <pattern>", /globs or \/regexes\//],
    ["a line, which may too", "--header <line>", /header sent to the seeds' own origins/],
    ["a URL", "--proxy <url>", /proxy to ask through/],
  ])("%s is named by its unit, with its default", async (_, flag, about) => {
    const [, after = ""] = (await nuthatch(["crawl", "-hh"])).stdout.split(`\n  ${flag}`);
    expect(after.split("\n  --")[0]!.replaceAll(/\s+/g, " ")).toMatch(about);
  });
});

describe("topics", () => {
  test.each(topics.map(({ name }) => name))("%s is a screen of true things", async (name) => {
    const { code, stdout: told, stderr } = await nuthatch(["help", name]);
    expect([code, stderr]).toEqual([0, ""]);
    const stdout = told.split("\nUsage: ")[0]!;
    const lines = stdout.split("\n");
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const commandsNamed = [...stdout.matchAll(/nuthatch ([a-z]+)\b/g)].map(([, word]) => word!);
    const asked = names.filter((command) => command === "crawl" || commandsNamed.includes(command));
    const known = await Promise.all(asked.map(async (command) => flagsIn((await nuthatch([command, "-hh"])).stdout)));
    const named = [...stdout.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag);
    expect(named.filter((flag) => !["--origin", ...known.flat()].includes(flag))).toEqual([]);
    expect(commandsNamed.filter((word) => ![...names, "help", "config"].includes(word))).toEqual([]);
  });
});

test.each([
  ["a command", ["crwal"], "did you mean nuthatch crawl?"],
  ["help itself", ["hlep"], "did you mean nuthatch help?"],
  ["a topic", ["help", "politness"], "did you mean nuthatch help politeness?"],
  ["the beginning of a topic", ["help", "polite"], "did you mean nuthatch help politeness?"],
  ["a command, asked for help", ["help", "exprot"], "did you mean nuthatch help export?"],
  ["a flag of a command", ["crawl", "https://example.org", "--max-detph", "3"], "--max-depth"],
  ["a flag of help", ["help", "crawl", "--al"], "did you mean --all?"],
  ["a flag before any command", ["--jsno"], "did you mean --json?"],
  ["a verb", ["runs", "shwo"], "show"],
] as [string, string[], string][])("%s that is misspelt is met with the one that is meant", async (_, args, hint) => {
  const { code, stdout, stderr } = await nuthatch(args);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(hint)]);
});

describe("colours and width", () => {
  test.each([
    ["piped", {}, [], false],
    ["FORCE_COLOR", { FORCE_COLOR: "1" }, [], true],
    ["NO_COLOR over FORCE_COLOR", { FORCE_COLOR: "1", NO_COLOR: "1" }, [], false],
    ["--color always", {}, ["--color", "always"], true],
    ["--color=never over FORCE_COLOR", { FORCE_COLOR: "1" }, ["--color=never"], false],
  ] as [string, Record<string, string>, string[], boolean][])("%s", async (_, env, args, isColoured) => {
    for (const page of [["help"], ["crawl", "-h"], ["help", "scope"]])
      expect((await nuthatch([...page, ...args], { env })).stdout.includes("\x1b[")).toBe(isColoured);
  });

  test.skipIf(!hasTerminal).each([
    [60, 60],
    [44, 44],
    [200, 100],
  ])("a window of %i columns is filled to %i at most", async (columns, most) => {
    const { screen } = await startOnTerminal(["help", "politeness"], { columns }).ended;
    const lines = screen
      .replaceAll(/\x1b\[[\d;]*m/g, "")
      .split("\n")
      .slice(1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(most);
    expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(most - 15);
  });
});
