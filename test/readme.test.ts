import { mkdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "../dist/src/index.js";
import { crawlerBin, nuthatch, tempFolder } from "./cli.ts";
import { serveSite } from "./site/index.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** Commands of our documents, in code blocks and tables, that begin with `npx`. */
function commandsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) => block!.split("\n"));
  const inline = [...text.matchAll(/`(npx [^`]+)`/g)].map(([, command]) => command!);
  return [...inline, ...blocks].map((line) => line.replace(/#.*/, "").trim()).filter((line) => /^npx (nuthatch|crawler) /.test(line));
}

test("every command in the README works, in the order it is written", async () => {
  using folder = tempFolder();
  mkdirSync(folder.file("data"));
  const pages = { "/": '<title>Home</title><a href="/that/page">that</a>', "/that/page": "<title>That</title><p>The page itself.</p>" };
  const site = await serveSite(pages, { address: "127.0.6.1" });
  const commands = commandsIn(read("README.md")).filter((command) => !/--help/.test(command));
  expect(commands.length).toBeGreaterThan(10);
  // A crawl first, so that commands that look have something to look at.
  for (const command of ["npx nuthatch crawl https://example.org", ...commands]) {
    const [, name, ...args] = command.replaceAll("https://example.org", site.origin).split(/\s+/);
    const how = { cwd: folder.path, env: { NUTHATCH_RATE_LIMIT: "50/s" } };
    const end = await nuthatch(args, name === "crawler" ? { ...how, bin: crawlerBin } : how);
    const isNothingLeft = command.endsWith("nuthatch resume") && end.stderr.includes("no unfinished run");
    expect(end.code === 0 || isNothingLeft, `${command}\n${end.stderr}`).toBe(true);
  }
  await site.close();
});

test("the version is the package's", () => {
  expect((JSON.parse(read("package.json")) as { version: string }).version).toBe(VERSION);
});
