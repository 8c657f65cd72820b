/** The documents are true: every command and snippet of the README and the guides is run, in its order, against a real site. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowsers } from "../dist/src/engine/browser/index.js";
import { commands } from "../dist/src/interfaces/cli/commands.js";
import { crawlerBin, nuthatch, nuthatchBin, tempFolder } from "./cli.ts";
import { type Block, blocksOf, inlineCommands } from "./docs/blocks.ts";
import { exampleSite } from "./docs/example-site.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";
import { serveSite } from "./site/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const run = promisify(execFile);
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

const hasBrowser = (await findBrowsers(["chromium"], []).catch(() => [])).length > 0;

const guides = readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`);
const documents = [
  "README.md",
  ...guides,
  "docs/politeness.md",
  "docs/incremental.md",
  "docs/scoring.md",
  "docs/metadata.md",
  "docs/data-file.md",
  "docs/server.md",
  "docs/dashboard.md",
  "docs/scale.md",
];

/** What a fence may say, and how its block is tried. Blocks without a word are what programs print. */
const tries: Readonly<Record<string, (block: Block, place: Place) => Promise<void>>> = {
  sh: runShell,
  "sh install": async ({ code }) => {
    for (const line of code.trim().split("\n")) expect(line).toMatch(/^(npm (ci|install|test)|npx nuthatch demo|git clone)/);
  },
  // With a database in place of the one that is named, and a folder of the test's for what is shared.
  "sh postgres": runWithPostgres,
  "sh docker": async ({ code }) => {
    for (const line of code.trim().split("\n")) expect(line).toMatch(/^docker compose (up|logs|down)\b/);
  },
  // Programs of others, on machines of others.
  "sh operator": async () => undefined,
  "sh browser": async (block, place) => void (hasBrowser && (await runShell(block, place))),
  ts: runTypeScript,
  sql: async ({ code }, { folder }) => {
    const db = new DatabaseSync(join(folder, "nuthatch.db"), { readOnly: true });
    for (const statement of code.split(";").filter((text) => text.trim() !== "")) db.prepare(statement).all();
    db.close();
  },
  // Tried by src/store/postgres/host-keys.test.ts, on tables with rows.
  "sql postgres": async () => undefined,
  // A piece of somebody else's configuration.
  nginx: async () => undefined,
  json: async ({ code }) => void JSON.parse(code),
  "json config": (block, place) => validateConfig(block, place, "json"),
  "yaml config": (block, place) => validateConfig(block, place, "yaml"),
  "": async () => undefined,
};

interface Place {
  /** Of the document. */
  readonly path: string;
  readonly folder: string;
  readonly origin: string;
  readonly env: Record<string, string>;
}

/** All snippets are compiled together, before the first is run: most of a compiler's time goes into what they have in common. */
const snippets = tempFolder();
const snippetName = (path: string, line: number) => `${path.replaceAll(/[/.]/g, "-")}-${line}`;
beforeAll(async () => {
  mkdirSync(snippets.file("node_modules"));
  symlinkSync(root, snippets.file("node_modules/nuthatch"));
  for (const name of ["zod", "@types"]) symlinkSync(join(root, "node_modules", name), snippets.file(`node_modules/${name}`));
  writeFileSync(snippets.file("near.mjs"), NEAR);
  writeFileSync(snippets.file("package.json"), '{ "type": "module" }');
  const options = { module: "node16", target: "es2022", lib: ["esnext"], types: ["node"], strict: true, skipLibCheck: true, outDir: "out" };
  const blocks = documents.flatMap((path) => blocksOf(read(path)).map((block) => ({ path, ...block })));
  const files = blocks
    .filter(({ language }) => language === "ts")
    .map(({ path, line, code }) => {
      const file = `${snippetName(path, line)}.ts`;
      writeFileSync(snippets.file(file), code);
      return file;
    });
  writeFileSync(snippets.file("tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
  await run(process.execPath, [tsc, "-p", snippets.path]).catch((error: { stdout: string }) => expect.fail(error.stdout));
});
afterAll(() => snippets[Symbol.dispose]());

describe.each(documents)("%s", (path) => {
  const blocks = blocksOf(read(path));

  test("has only blocks that can be tried", () => {
    expect(blocks.filter(({ language }) => !(language in tries)).map(({ language, line }) => `line ${line}: ${language}`)).toEqual([]);
  });

  const hasSomethingToTry = blocks.length > 0 || inlineCommands(read(path)).some((code) => code.startsWith("npx "));
  test.runIf(hasSomethingToTry)(
    "works as it is written",
    async () => {
      using folder = tempFolder();
      const site = await serveSite(exampleSite, { address: HERE });
      const place = { path, folder: folder.path, origin: site.origin, env: environment(folder.file(".bin")) };
      try {
        // Something to look at, for documents that begin with looking.
        await nuthatch(["crawl", site.origin, "--max-pages", "3"], { cwd: folder.path, env: place.env });
        for (const list of ["urls.txt", "seeds.txt"]) writeFileSync(folder.file(list), `${site.origin}/\n`);
        for (const block of blocks) await tries[block.language]!(block, place);
        mkdirSync(folder.file("data"), { recursive: true });
        for (const code of inlineCommands(read(path))) await runInline(code, place);
      } finally {
        await site.close();
      }
    },
    300_000,
  );

  test("names no command that does not exist", () => {
    const known = new Set([...commands.map(({ name }) => name), "help"]);
    const named = inlineCommands(read(path)).map((command) => /nuthatch ([a-z]+)\b(?![.:])/.exec(command)?.[1]);
    expect(named.filter((name) => name !== undefined && !known.has(name))).toEqual([]);
  });
});

test("docs/scale.md is what its figures come to", () => run(process.execPath, ["scripts/scale.mjs", "--check"], { cwd: root }));

/** `nuthatch`, `crawler` and `npx` as they are where the package is installed; and a pace for machines instead of the polite one. */
function environment(bin: string): Record<string, string> {
  mkdirSync(bin);
  for (const [name, target] of Object.entries({ nuthatch: nuthatchBin, crawler: crawlerBin })) symlinkSync(target, join(bin, name));
  writeFileSync(join(bin, "npx"), '#!/bin/sh\nexec "$@"\n');
  chmodSync(join(bin, "npx"), 0o755);
  // Our own site stands in for a public one.
  return { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, NUTHATCH_RATE_LIMIT: "100/s", NUTHATCH_ALLOW_PRIVATE: HERE };
}

const HERE = "127.0.6.1";

/** The library as a program has it that asks a public site: ours is on loopback, so it has to be opened. */
const NEAR = `import * as library from "nuthatch";
export * from "nuthatch";
const open = (options) => ({ allowPrivate: ["${HERE}"], ...options });
export const [crawl, fetchPage, map, context, enrich, enrichEach] = ["crawl", "fetchPage", "map", "context", "enrich", "enrichEach"].map(
  (name) => (what, options) => library[name](what, open(options)),
);
export const createCrawler = (options) => library.createCrawler(open(options));
`;

/** On our own site; and what measures a machine is content with less. */
const here = (code: string, { origin }: Place) =>
  code.replaceAll(/https:\/\/(www\.)?example\.org/g, origin).replaceAll(/\bnuthatch bench\b( --pages \d+)?/g, "nuthatch bench --pages 50");

async function runShell({ code, line }: Block, place: Place): Promise<void> {
  const script = `set -e\n${here(code, place)}`;
  await run("sh", ["-c", script], { cwd: place.folder, env: place.env }).catch((error: { stdout: string; stderr: string; code: number }) =>
    expect.fail(`the block at line ${line} ended with ${error.code}:\n${script}\n${error.stdout}\n${error.stderr}`),
  );
}

let postgres: Promise<TestPostgres> | undefined;
afterAll(async () => (await postgres)?.stop());

async function runWithPostgres(block: Block, place: Place): Promise<void> {
  postgres ??= startPostgres();
  place.env.NUTHATCH_DB ??= (await postgres).emptyDatabase();
  const code = block.code.replaceAll(NAMED_DATABASE, place.env.NUTHATCH_DB).replaceAll("/srv/bodies", join(place.folder, "bodies"));
  await runShell({ ...block, code }, place);
}

const NAMED_DATABASE = "postgres://nuthatch@db.example.org/nuthatch";

/** Commands in tables and sentences that begin with `npx`. There may be nothing to resume; then the command says so. */
async function runInline(code: string, place: Place): Promise<void> {
  if (!code.startsWith("npx ")) return;
  await runShell({ language: "sh", line: 0, code: asTried(code) }, place);
}

/** There may be nothing to resume; a server serves until it is told to end. */
function asTried(code: string): string {
  if (code.endsWith(" resume")) return `${code} || [ $? = 2 ]`;
  return code.endsWith(" serve")
    ? `nuthatch serve --port 7005 & server=$!\nuntil curl -sf http://127.0.0.1:7005/readyz; do sleep 0.2; done\nkill $server\nwait $server`
    : code;
}

async function runTypeScript({ line }: Block, place: Place): Promise<void> {
  const script = snippets.file(`out/${snippetName(place.path, line)}.js`);
  writeFileSync(script, here(readFileSync(script, "utf8"), place).replaceAll('from "nuthatch"', 'from "../near.mjs"'));
  await run(process.execPath, [script], { cwd: place.folder, env: place.env }).catch((error: { stdout: string; stderr: string }) =>
    expect.fail(`the block at line ${line}:\n${error.stdout}\n${error.stderr}`),
  );
}

async function validateConfig({ code, line }: Block, place: Place, ending: string): Promise<void> {
  const file = join(place.folder, `written-${line}.${ending}`);
  writeFileSync(file, here(code, place));
  const { code: exit, stderr } = await nuthatch(["config", "validate", file], { cwd: place.folder, env: place.env });
  expect([exit, stderr]).toEqual([0, expect.anything()]);
}
