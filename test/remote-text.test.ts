import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasTerminal, nuthatch, startOnTerminal, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { type RunningSite, serveSite } from "./site/index.ts";
import { Terminal } from "./terminal.ts";

/** An escape, a window title, a C1 command, text turned round, a tag nobody sees, a line that is none, and a bell. */
const evil = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp.exe\u2066\u200f\u2028\u{e0041}\x7f\b";
const COMMANDS = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

/** Of these only marks of direction and line ends of Unicode may stand in data. */
const PIPED = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|\r(?!\n)/u;

const folder = tempFolder();
let site: RunningSite;
beforeAll(async () => {
  site = await serveSite(
    {
      "/robots.txt": {
        body: `User-agent: *\nDisallow: /no${evil}\nSitemap: /map${evil}.xml\n${evil}: ${evil}\n`,
        headers: { "Content-Type": "text/plain" },
      },
      "/": `<title>Home ${evil}</title><h1>${evil}</h1><p>${evil} text</p><a href="/a${evil}" title="${evil}">${evil}</a><a href="/moved">m</a><a href="/no%1b[2J">n</a><a href="/odd">o</a>`,
      "/odd.txt": { headers: { "Content-Type": "text/plain" }, body: `text ${evil}` },
      "/moved": { status: 302, headers: { Location: "http://127.0.36.99:9/\x9b2J%1b[2J" } },
      "/odd": { headers: { "Content-Type": "text/\x9b2J", "X-Odd": "\x9b2J" }, body: evil },
    },
    { address: "127.0.36.21" },
  );
  writeFileSync(folder.file("seeds.txt"), `${site.origin}\n`);
  mkdirSync(folder.file("empty"));
  const { code } = await nuthatch(["crawl", site.origin, "--rate-limit", "none"], { cwd: folder.path });
  expect(code).toBe(0);
});
afterAll(async () => {
  await site.close();
  folder[Symbol.dispose]();
});

/** Runs it on a terminal that is as strict as a real one is not: whatever it does not expect, it refuses. */
async function shown(args: readonly string[]): Promise<string> {
  const running = startOnTerminal(args, { cwd: folder.path, columns: 100 });
  const { screen } = await running.ended;
  const terminal = new Terminal(100);
  for (const part of running.seen) if ("text" in part) terminal.feed(part.text);
  expect(COMMANDS.exec(screen)).toBeNull();
  // Lines that the window broke are whole again.
  return terminal.all().join("");
}

describe.skipIf(!hasTerminal)("on a terminal no page gives orders", () => {
  test.concurrent.each([
    ["the live view and the log", () => ["crawl", site.origin, "--db", "live.db", "--rate-limit", "5/s", "-vv"], "Finished"],
    ["events", () => ["crawl", site.origin, "--db", "events.db", "--rate-limit", "none", "--events"], "crawl.finished"],
    ["a dry run", () => ["crawl", site.origin, "--dry-run", "--rate-limit", "none"], "/moved"],
    ["a page as Markdown", () => [site.origin, "--rate-limit", "none"], "text"],
    ["a page as it came", () => ["fetch", site.origin, "-f", "raw", "--rate-limit", "none"], "<title>Home \\x1b[2J"],
    ["headers", () => ["fetch", `${site.origin}/odd`, "-f", "raw", "--headers", "--rate-limit", "none"], "200"],
    ["a map", () => ["map", site.origin, "--rate-limit", "none"], "/moved"],
    ["pages", () => ["pages"], "\\x9b31m\\u{202e}"],
    ["a page", () => ["show", site.origin, "--links"], "\\x9b31m\\u{202e}"],
    ["a stored body", () => ["show", site.origin, "--raw"], "<title>Home \\x1b[2J"],
    ["robots.txt", () => ["robots", `${site.origin}/`], "allowed"],
    ["an explanation", () => ["explain", `${site.origin}/no%1b[2J`], "answered 404"],
    ["a table", () => ["export", "csv"], "\\x9b31m\\u{202e}"],
    ["links as a table", () => ["export", "csv", "--what", "links"], "\\x9b31m\\u{202e}"],
    ["JSON lines", () => ["export", "jsonl"], "\\u009b31m\\u202e"],
    ["sites", () => ["sites"], "127.0.36.21"],
    ["runs", () => ["runs"], "127.0.36.21"],
    ["what is typed", () => [`cra\x9bwl${evil}`], "there is no command"],
    ["a flag that is typed", () => ["pages", `--lim\x9b2J`], "unknown option"],
  ] as [string, () => string[], string][])("%s", async (_, args, words) => {
    expect(await shown(args())).toContain(words);
  });
});

describe("a pipe leads no orders on to a terminal at its end", () => {
  test.each([
    ["a page as Markdown", () => [site.origin]],
    ["a page as text", () => ["fetch", site.origin, "-f", "text", "--whole"]],
    ["a page as HTML", () => ["fetch", site.origin, "-f", "html"]],
    ["a text", () => ["fetch", `${site.origin}/odd.txt`]],
    ["links", () => ["fetch", site.origin, "-f", "links"]],
    ["metadata", () => ["fetch", site.origin, "-f", "meta", "--show-sources"]],
    ["forms as JSON", () => ["fetch", site.origin, "-f", "json"]],
    ["a context", () => ["context", site.origin, "--no-follow", "--db", "context.db"]],
    ["a context as JSON", () => ["context", site.origin, "--no-follow", "--db", "context.db", "--json"]],
    ["a context as llms.txt", () => ["context", site.origin, "--no-follow", "--db", "context.db", "--format", "llms"]],
    ["a map", () => ["map", site.origin]],
    ["what it enriches", () => ["enrich", site.origin, "--db", "enrich.db"]],
    ["pages", () => ["pages"]],
    ["a page", () => ["show", site.origin, "--links", "-v"]],
    ["a page as JSON", () => ["show", site.origin, "--links", "--json"]],
    ["what is found", () => ["search", "text"]],
    ["robots.txt", () => ["robots", `${site.origin}/`]],
    ["an explanation", () => ["explain", `${site.origin}/odd`]],
    ...["csv", "jsonl", "sitemap", "graphml", "gexf"].map((name): [string, () => string[]] => [`export ${name}`, () => ["export", name]]),
    ...["links", "changes"].map((what): [string, () => string[]] => [`${what} as a table`, () => ["export", "csv", "--what", what]]),
  ] as [string, () => string[]][])("%s", async (_, args) => {
    const { code, stdout } = await nuthatchHere(args(), { cwd: folder.path });
    expect([code, stdout === ""]).toEqual([0, false]);
    expect(PIPED.exec(stdout)).toBeNull();
  });

  test("nor does a file of text", async () => {
    await nuthatchHere(["export", "csv", "-o", "pages.csv"], { cwd: folder.path });
    expect(
      COMMANDS.exec(
        readFileSync(folder.file("pages.csv"), "utf8")
          .replaceAll("\r\n", "\n")
          .replaceAll(/[\u200f\u2028\u{e0041}]/gu, ""),
      ),
    ).toBeNull();
  });
});

test("a file gets what the page says, to the letter", async () => {
  await nuthatchHere(["show", site.origin, "--raw", "-o", "body.txt"], { cwd: folder.path });
  expect(readFileSync(folder.file("body.txt"), "utf8")).toContain(`<p>${evil} text</p>`);
  const piped = await nuthatchHere(["show", site.origin, "--raw"], { cwd: folder.path });
  expect(piped.stdout).toContain(`<p>${evil} text</p>`);
});

describe("what nobody expected", () => {
  const later = (text: string) =>
    `data:text/javascript,setTimeout(() => { throw new Error(${encodeURIComponent(JSON.stringify(text))}) }, 500)`;
  const broken = (db: string, ...more: string[]) =>
    nuthatch(["crawl", site.origin, "--db", db, "--rate-limit", "1/s", ...more], {
      cwd: folder.path,
      env: { NODE_OPTIONS: `--import "${later(`boom ${evil}`)}"` },
    });

  test.concurrent("is told in plain words, with a way to learn more", async () => {
    const { code, stdout, stderr } = await broken("quiet.db");
    expect([code, stdout]).toEqual([1, ""]);
    // Where the run has begun, what is kept and the command that carries on follow.
    expect(stderr).toMatch(/^nuthatch: boom \\x1b\[2J.*\n {2}try: run again with -v to see where it happened$/m);
    expect(COMMANDS.exec(stderr)).toBeNull();
  });

  test.concurrent("shows with -v where it happened, and gives no orders there either", async () => {
    const { code, stderr } = await broken("loud.db", "-v");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^ {4}at /m)]);
    expect(COMMANDS.exec(stderr)).toBeNull();
  });
});
