import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { fields } from "../dist/src/engine/config/index.js";
import { reasons } from "../dist/src/features/explain/reasons.js";
import { commands } from "../dist/src/interfaces/cli/commands.js";
import { environment } from "../dist/src/interfaces/cli/environment.js";
import { exitCodes, exitMeanings } from "../dist/src/interfaces/cli/exit-codes.js";
import { type CommandFacts, type FlagFacts, factsOf } from "../dist/src/interfaces/cli/facts.js";
import type { Shell } from "../dist/src/interfaces/cli/shell.js";
import { topics } from "../dist/src/interfaces/cli/topics.js";

const root = fileURLToPath(new URL("../", import.meta.url));
const page = (name: string) => readFileSync(`${root}docs/reference/${name}.md`, "utf8");
const sources = readdirSync(`${root}src`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => readFileSync(`${root}src/${file}`, "utf8"));

/** A description says something: words, and not the name again. */
const isSaid = (text: string) => /\p{L}{2,}.*[\p{L}\d]/su.test(text) && !/undefined|TODO/.test(text);

async function allFacts(): Promise<CommandFacts[]> {
  const built = await Promise.all(commands.map((entry) => entry.load()));
  return built.map(({ build }) => factsOf(build({ env: {}, cwd: "." } as Shell, () => undefined)));
}

const flagsOf = ({ flags, verbs }: CommandFacts): FlagFacts[] => [...flags, ...verbs.flatMap(flagsOf)];

test("the reference is what the program says today", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/docs.mjs", "--check"], { cwd: root, encoding: "utf8" });
  expect([stderr, status]).toEqual(["", 0]);
});

describe("nothing is without a description", () => {
  test("commands, their arguments and their flags", async () => {
    const all = await allFacts();
    expect(all).toHaveLength(commands.length);
    const silent = all.flatMap((facts) => [
      ...(isSaid(facts.about) ? [] : [facts.name]),
      ...facts.args.filter(({ about }) => !isSaid(about)).map(({ name }) => `${facts.name} ${name}`),
      ...flagsOf(facts)
        .filter(({ about }) => !isSaid(about))
        .map(({ flags }) => `${facts.name} ${flags}`),
    ]);
    expect(silent).toEqual([]);
    expect(commands.filter(({ summary }) => !isSaid(summary))).toEqual([]);
  });

  test("flags that help does not list are named by those they stand for", async () => {
    for (const { load } of commands) {
      const { options } = (await load()).build({ env: {}, cwd: "." } as Shell, () => undefined);
      const hidden = options.filter((option) => option.hidden).map(({ long }) => long!);
      expect(hidden.filter((flag) => !options.some(({ description }) => description.includes(`also ${flag}`)))).toEqual([]);
    }
  });

  test("every flag is in the reference", async () => {
    const text = page("cli");
    const missing = (await allFacts())
      .flatMap(flagsOf)
      .filter(({ flags }) => flags !== "-h, --help" && !text.includes(`\`${flags.replaceAll("|", "\\|")}\``));
    expect(missing.map(({ flags }) => flags)).toEqual([]);
    expect(commands.filter(({ name }) => !text.includes(`\n## ${name}\n`))).toEqual([]);
  });

  test("options: key, flag, variable", () => {
    expect(fields.filter(({ help }) => !isSaid(help)).map(({ key }) => key)).toEqual([]);
    const [options, variables] = [page("options"), page("environment")];
    expect(fields.filter(({ key, env }) => !options.includes(`| \`${key}\` |`) || !variables.includes(`| \`${env}\` |`))).toEqual([]);
    expect(fields.filter(({ flag, kind }) => kind !== "object" && !options.includes(`| \`${flag}\` |`))).toEqual([]);
  });

  test("variables of the environment that the program reads", () => {
    const read = sources.flatMap((text) => [...text.matchAll(/\benv\.([A-Z][A-Z_]+)/g)].map(([, name]) => name!));
    const named = environment.map(({ name }) => name);
    expect([...new Set(read)].filter((name) => !named.includes(name))).toEqual([]);
    expect(named).toEqual([...new Set(named)]);
    const code = sources.filter((text) => !text.includes("export const environment"));
    // Proxies are looked up by a name that is put together: http and https, and the end of it.
    expect(named.filter((name) => !code.some((text) => text.includes(name.replace(/^HTTPS?_/, "_"))))).toEqual([]);
    expect(environment.filter(({ about }) => !isSaid(about))).toEqual([]);
  });

  test("exit codes", () => {
    expect(Object.keys(exitMeanings).sort()).toEqual(Object.keys(exitCodes).sort());
    expect(Object.values(exitMeanings).filter((text) => !isSaid(text))).toEqual([]);
    const text = page("exit-codes");
    expect(Object.values(exitCodes).filter((code) => !text.includes(`| ${code} |`))).toEqual([]);
  });

  test("reasons", () => {
    expect(Object.values(reasons).filter((sentence) => !/^[A-Z].*\.$/.test(sentence))).toEqual([]);
    const text = page("reasons");
    expect(Object.keys(reasons).filter((reason) => !text.includes(`| \`${reason}\` |`))).toEqual([]);
  });

  test("views and tables of the data file", () => {
    const bare = [...page("schema").matchAll(/\n### (\w+)\n\n\|/g)].map(([, name]) => name);
    expect(bare).toEqual([]);
  });

  test("topics", () => {
    expect(topics.filter(({ summary }) => !isSaid(summary))).toEqual([]);
  });
});

test("the recording moves without a script, is small, and shows what it should", () => {
  const svg = readFileSync(`${root}docs/recording.svg`, "utf8");
  expect(svg.length).toBeLessThan(200 * 1024);
  expect(svg).not.toMatch(/<script|<foreignObject|href="(?!#)|url\((?!#)/i);
  for (const shown of ["@keyframes", "nuthatch crawl", "(incremental)", "nuthatch pages", "nuthatch explain"]) expect(svg).toContain(shown);
});
