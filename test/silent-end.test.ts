import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { crawlerBin, type Ended, nuthatch, tempFolder } from "./cli.ts";
import { pathsOf, reasonsFor } from "./faults/ledger.ts";
import { type PageSpec, serveSite } from "./site/index.ts";

const preload = `--import=${new URL("./faults/never-answer.mjs", import.meta.url).href}`;
const broken = (hang: string) => ({ NODE_OPTIONS: preload, HANG: hang });

const COUNT = 30;
/** A connection that is kept open for another request would keep the process alive for a while. */
const closing = (body: string) => ({ body, headers: { connection: "close" } });
const pages: Record<string, PageSpec> = {
  "/": closing(`<title>Home</title>${Array.from({ length: COUNT }, (_, index) => `<a href="/${index}">${index}</a>`).join("")}`),
  ...Object.fromEntries(
    Array.from({ length: COUNT }, (_, index) => [`/${index}`, closing(`<title>${index}</title><p>The words of page ${index}</p>`)]),
  ),
};
const paths = Object.keys(pages).sort();
const served = { ...pages, "/robots.txt": closing("User-agent: *\nAllow: /\n") };
const pace = ["--rate-limit", "none", "--per-host", "2", "--max-concurrent", "2"];
const slow = ["--rate-limit", "20/s"];

/** The command that it says carries on, as its arguments. */
function carryOnIn({ stderr }: Ended): string[] {
  const [, command = ""] = /^ {2}carry on: nuthatch (.*)$/m.exec(stderr) ?? [];
  return command.split(" ");
}

describe.concurrent("a crawl does not end without a word", () => {
  test("a request that never ends is given up as soon as nothing else is left to do, and the crawl goes on", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const site = await serveSite(served, { address: "127.0.37.1" });
    const ended = await nuthatch(["crawl", site.origin, "--db", db, "-q", ...pace], { env: broken("connection 2") });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(pathsOf(db)).toEqual(paths);
    await site.close();
  });

  test("a site of which no request ever ends is told with its reason", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const site = await serveSite(served, { address: "127.0.37.2" });
    const ended = await nuthatch(["crawl", site.origin, "--db", db, "-q", "--retries", "0"], { env: broken("connection 1") });
    expect(ended.code, ended.stderr).toBe(3);
    expect(ended.stderr).toContain("the request never came to an end and was given up");
    expect(reasonsFor(db, "failed").map(({ reason }) => reason)).toEqual(["stuck"]);
    await site.close();
  });

  test("pages that are never read are given up, and named", async () => {
    using folder = tempFolder();
    const db = folder.file("site.db");
    const site = await serveSite(served, { address: "127.0.37.10" });
    const ended = await nuthatch(["crawl", site.origin, "--db", db, "-q", ...slow], { env: broken("reader 10") });
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: "" });
    const failed = reasonsFor(db, "failed");
    expect(new Set(failed.map(({ reason, rule }) => `${reason}: ${rule}`))).toEqual(new Set(["parse: the reader never answered"]));
    expect(failed.length + pathsOf(db).length).toBe(COUNT + 1);
    await site.close();
  });

  test.each([
    [
      "it waits for what can no longer come",
      "127.0.37.3",
      "settler 5",
      6,
      /^nuthatch: this command cannot go on: it waits for an answer that can no longer come$/m,
    ],
    ["an exception that nobody catches", "127.0.37.4", "throw 5", 1, /^nuthatch: .*nothing/m],
    ["a rejection that nobody handles", "127.0.37.5", "reject 5", 1, /^nuthatch: nobody waits for this$/m],
  ])("%s: a message, a code, and the command that carries on", async (_, address, hang, code, message) => {
    using folder = tempFolder();
    const site = await serveSite(served, { address });
    const args = ["crawl", site.origin, "--db", "site.db", "--progress", "plain", ...slow];
    const ended = await nuthatch(args, { cwd: folder.path, env: broken(hang) });
    expect(ended.code, ended.stderr).toBe(code);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).toContain("  kept: everything that was settled, in site.db\n  carry on: nuthatch resume 1 --db site.db\n");
    const before = pathsOf(folder.file("site.db"));
    expect(before.length).toBeLessThan(COUNT + 1);
    const resumed = await nuthatch([...carryOnIn(ended), "-q", ...pace], { cwd: folder.path });
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(pathsOf(folder.file("site.db"))).toEqual(paths);
    await site.close();
  });

  test("with --json, the error document has the code and the command", async () => {
    using folder = tempFolder();
    const site = await serveSite(served, { address: "127.0.37.6" });
    const args = ["crawl", site.origin, "--db", "site.db", "-q", "--json", ...slow];
    const { code, stdout } = await nuthatch(args, { cwd: folder.path, env: broken("throw 5") });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { exitCode: 1, resumeCommand: "nuthatch resume 1 --db site.db" } });
    await site.close();
  });
});

describe.concurrent("nor does any other command", () => {
  test("one that waits for a file that is never read", async () => {
    using folder = tempFolder();
    writeFileSync(folder.file("seeds.txt"), "http://127.0.37.7/\n");
    const ended = await nuthatch(["crawl", "--seeds", "seeds.txt"], { cwd: folder.path, env: broken("file") });
    expect(ended.code).toBe(6);
    expect(ended.stderr).toMatch(/^nuthatch: this command cannot go on: .*\n {2}try: run the same command again/);
  });

  test("crawler, which says how to begin again", async () => {
    using folder = tempFolder();
    mkdirSync(folder.file("my pages"));
    const site = await serveSite(served, { address: "127.0.37.8" });
    const args = [`${site.origin}/`, "my pages", "1"];
    const ended = await nuthatch(args, { bin: crawlerBin, cwd: folder.path, env: broken("throw 5") });
    expect(ended.code, ended.stderr).toBe(1);
    expect(ended.stderr).toContain(
      `  kept: every page that was saved, in my pages\n  carry on: mkdir 'my pages-again' && crawler ${site.origin}/ 'my pages-again' 1\n`,
    );
    await site.close();
  });
});

test("the library's promise is rejected with a named error", async () => {
  using folder = tempFolder();
  const site = await serveSite(served, { address: "127.0.37.9" });
  const library = new URL("../dist/bundle/index.js", import.meta.url).href;
  const script = folder.file("program.mjs");
  writeFileSync(
    script,
    `import { crawl, StuckError } from ${JSON.stringify(library)};
    const run = crawl("${site.origin}/", { rateLimit: "20/s", allowPrivate: ["127.0.37.9"] });
    const said = (cause) => console.log(cause instanceof StuckError, cause.name, cause.message);
    const pages = (async () => { for await (const page of run); })().catch(said);
    await run.result.catch(said);
    await pages;`,
  );
  const ended = await nuthatch([], { bin: script, env: broken("settler 5") });
  const line = "true StuckError the crawl cannot go on: it waits for an answer that can no longer come\n";
  expect(ended).toMatchObject({ code: 0, stderr: "", stdout: line + line });
  await site.close();
});
