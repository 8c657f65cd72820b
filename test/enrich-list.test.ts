/** Lists of addresses: each asked for once, answered in their order, and carried on with where a file holds some of them already. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nuthatch, tempFolder } from "./cli.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const quick = ["--delay", "0", "--rate-limit", "1000/s", "--allow-private", "127.0.0.0/8"];
let site: RunningSite;
let other: RunningSite;
const numbers = Array.from({ length: 30 }, (_, index) => index);

beforeAll(async () => {
  const pages = Object.fromEntries(
    numbers.map((number) => [
      `/p${number}`,
      { body: `<title>Page ${number}</title><p>"Quoted, with a comma"\nand a second line of text that goes on for a while.</p>` },
    ]),
  );
  site = await serveSite(pages, { address: "127.0.84.3" });
  other = await serveSite(pages, { address: "127.0.84.4" });
});
afterAll(async () => {
  await Promise.all([site.close(), other.close()]);
  folder[Symbol.dispose]();
});

const addressOf = (number: number) => `${(number % 3 === 0 ? other : site).origin}/p${number}`;
const asked = () => [...site.log, ...other.log].filter(({ path }) => path !== "/robots.txt").length;

test("each address is asked for once, and answered in the order of the list", async () => {
  const list = numbers.map(addressOf);
  writeFileSync(folder.file("urls.txt"), [...list, list[4], list[0], ""].join("\n"));
  const before = asked();
  const { code, stdout, stderr } = await nuthatch(["enrich", "--seeds", folder.file("urls.txt"), ...quick], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, expect.stringContaining("2 addresses stood in the list before and left out")]);
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { url: string }).url);
  expect(rows).toEqual(list);
  expect(asked() - before).toBe(list.length);
});

test.each(["csv", "jsonl", "csv.gz"])("--append to a .%s file asks only for what it does not hold", async (ending) => {
  const file = folder.file(`out.${ending}`);
  const list = folder.file(`list.${ending}.txt`);
  writeFileSync(list, numbers.slice(0, 10).map(addressOf).join("\n"));
  const enrich = (...args: string[]) => nuthatch(["enrich", "--seeds", list, "-o", file, ...quick, ...args], { cwd: folder.path });
  expect((await enrich()).code).toBe(0);
  writeFileSync(list, numbers.slice(0, 14).map(addressOf).join("\n"));
  const before = asked();
  const { code, stderr } = await enrich("--append");
  expect([code, stderr]).toEqual([0, expect.stringContaining("10 addresses are in the file already; --force asks for them again")]);
  expect(asked() - before).toBe(4);
  if (ending === "jsonl") {
    const rows = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { url: string }).url);
    expect(rows).toEqual(numbers.slice(0, 14).map(addressOf));
  }
  const again = asked();
  expect((await enrich("--append", "--force")).code).toBe(0);
  expect(asked() - again).toBe(14);
});

test.each([
  ["a file", ["--seeds", "bad.txt"], /bad\.txt line 4: "not a url" is not an http or https URL\n {2}try: correct the line/],
  ["standard input", ["-"], /standard input line 4: "not a url" is not/],
])("a line of %s that is no URL is refused with its number, before anything is asked", async (_, args, message) => {
  const lines = `${site.origin}/p1\n# a comment\n\nnot a url\n`;
  writeFileSync(folder.file("bad.txt"), lines);
  const before = asked();
  const { code, stderr } = await nuthatch(["crawl", ...args], { cwd: folder.path, input: lines });
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(asked()).toBe(before);
});

test("a line of a list may leave out the scheme, as on the command line", async () => {
  writeFileSync(folder.file("short.txt"), `${site.host}/p1\n`);
  const { code, stderr } = await nuthatch(
    ["crawl", "--seeds", folder.file("short.txt"), "--max-depth", "0", "--dry-run", ...quick.slice(2)],
    { cwd: folder.path },
  );
  expect([code, stderr]).toEqual([0, expect.anything()]);
});
