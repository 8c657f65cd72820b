import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../dist/src/interfaces/cli/commands.js";
import { topics } from "../dist/src/interfaces/cli/topics.js";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";

const folder = tempFolder();
const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0;
const names = [...commands.map(({ name }) => name), "help"];

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stdout, stderr } = await nuthatch(["completion", shell]);
    expect([shell, code, stderr]).toEqual([shell, 0, ""]);
    writeFileSync(folder.file(shell), stdout);
  }
  writeFileSync(folder.file("town.db"), "");
  mkdirSync(folder.file("town folder"));
});
afterAll(() => folder[Symbol.dispose]());

/** What bash would offer for a line that ends at the cursor. */
function bash(line: string): string[] {
  const script = `
source ${folder.file("bash")}
read -ra COMP_WORDS <<< "$1"
[[ $1 == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_nuthatch
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", line], { cwd: folder.path, encoding: "utf8" });
  expect([line, status, stderr]).toEqual([line, 0, ""]);
  return stdout.split("\n").filter(Boolean);
}

/** What fish would offer. */
function fish(line: string): string[] {
  const script = `source ${folder.file("fish")}; complete -C ${JSON.stringify(line)}`;
  const { stdout } = spawnSync("fish", ["--no-config", "-c", script], { cwd: folder.path, encoding: "utf8" });
  return stdout.split("\n").map((row) => row.split("\t")[0]!);
}

const facts: [string, string, string[]][] = [
  ["the beginning of a command", "nuthatch exp", ["explain", "export"]],
  ["a flag", "nuthatch crawl --max-d", ["--max-depth"]],
  ["a flag after an address", "nuthatch crawl https://example.org --trap", ["--trap-guard"]],
  ["the choices of a flag", "nuthatch crawl --scope p", ["page", "prefix"]],
  ["the choices of a flag of all commands", "nuthatch pages --color a", ["auto", "always"]],
  ["what a command can do", "nuthatch runs l", ["list"]],
  ["formats", "nuthatch export ", ["jsonl", "csv", "md", "llms", "sitemap", "feed", "graphml", "gexf", "pagedir", "warc", "sqlite"]],
  ["shells", "nuthatch completion z", ["zsh"]],
  ["topics", "nuthatch help poli", ["politeness"]],
  ["a data file", "nuthatch pages --db tow", ["town.db", "town folder"]],
  ["a file to write", "nuthatch export csv -o town.", ["town.db"]],
];

describe.skipIf(!has("bash"))("bash", () => {
  test.each([
    ...facts,
    ["a command after flags with values", "nuthatch --db town.db --color never expo", ["export"]],
    ["the choices after =", "nuthatch crawl --scope = ho", ["host"]],
    ["nothing for a number", "nuthatch crawl --max-depth ", []],
    ["nothing after what was chosen", "nuthatch runs list ", []],
    ["a flag before any command", "nuthatch --vers", ["--version"]],
  ])("completes %s", (_, line, offered) => {
    expect(bash(line).sort()).toEqual(offered.toSorted());
  });

  test("every command, and every topic", () => {
    expect(bash("nuthatch ").sort()).toEqual(names.toSorted());
    expect(bash("nuthatch help ")).toEqual(expect.arrayContaining(topics.map(({ name }) => name)));
  });

  test("every flag of every command", async () => {
    for (const { name } of commands) {
      const { command } = JSON.parse((await nuthatchHere(["help", name, "--json"])).stdout) as {
        command: { flags: { names: string[] }[] };
      };
      const flags = command.flags.flatMap((flag) => flag.names);
      expect(bash(`nuthatch ${name} -`)).toEqual(expect.arrayContaining(flags));
    }
  });

  test("the script is one that a login shell can read without a word", () => {
    const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-euc", `source ${folder.file("bash")}; complete -p nuthatch`], {
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, "complete -F _nuthatch nuthatch\n", ""]);
  });
});

describe.skipIf(!has("fish"))("fish", () => {
  test.each(facts)("completes %s", (_, line, offered) => {
    // It marks folders with a slash.
    expect(fish(line).map((word) => word.replace(/\/$/, ""))).toEqual(expect.arrayContaining(offered));
  });
});

describe.skipIf(!has("zsh"))("zsh", () => {
  test("reads the script and knows the function", () => {
    const script = `autoload -U compinit; compinit -u -d ${folder.file("dump")}; source ${folder.file("zsh")}; print $_comps[nuthatch]`;
    const { status, stdout, stderr } = spawnSync("zsh", ["-f", "-c", script], { encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([0, "_nuthatch\n", ""]);
  });
});

test("each script says how it is installed", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { stdout } = await nuthatchHere(["completion", shell, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      shell,
      script: expect.stringContaining(`nuthatch completion ${shell} > `),
    });
  }
});

test("a shell nobody knows is refused with those there are", async () => {
  expect(await nuthatchHere(["completion", "tcsh"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/bash, zsh, fish/),
  });
});
