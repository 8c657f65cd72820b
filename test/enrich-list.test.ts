/** Lists of addresses: each asked for once, answered in their order, and carried on with where a file holds some of them already. */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nuthatch, start, tempFolder } from "./cli.ts";
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

/** The addresses of its records, each of which must be whole. */
function addressesIn(file: string): string[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  if (file.endsWith(".jsonl")) return lines.map((line) => (JSON.parse(line) as { url: string }).url);
  const rows = readFileSync(file, "utf8").split("\r\n").slice(1, -1);
  for (const row of rows) expect(row.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^,"]*)/g)).toHaveLength(lines[0]!.split(",").length);
  return rows.map((row) => row.split(",", 1)[0]!);
}

function appending(file: string, numbers: readonly number[]) {
  const list = `${file}.list.txt`;
  writeFileSync(list, numbers.map(addressOf).join("\n"));
  return ["enrich", "--seeds", list, "-o", file, "--append", ...quick];
}

test.each(["jsonl", "csv"])("a record of a .%s file that was not written to its end is removed, told, and made anew", async (ending) => {
  for (const missing of ending === "csv" ? [3, 120] : [1, 120]) {
    const file = folder.file(`cut-${missing}.${ending}`);
    expect((await nuthatch(appending(file, [0, 1, 2]), { cwd: folder.path })).code).toBe(0);
    const whole = readFileSync(file);
    truncateSync(file, whole.length - missing);
    const { code, stderr } = await nuthatch(appending(file, [0, 1, 2, 4]), { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(new Set(addressesIn(file))).toEqual(new Set([0, 1, 2, 4].map(addressOf)));
    const removed = /was not written to its end: its last record, \d+ bytes of it, was removed/;
    // Of a line of JSON without its end nothing is missing. A table does not tell whether its last cell is whole.
    if (ending === "jsonl" && missing === 1) expect(stderr).not.toMatch(removed);
    else if (ending === "csv" && missing < 100)
      expect(stderr).toMatch(/no line end after its last row, which was kept and may not be whole/);
    else expect(stderr).toMatch(removed);
  }
});

test("text that is no record of ours is kept where something is added to it", async () => {
  const file = folder.file("notes.jsonl");
  writeFileSync(file, "my own notes");
  expect((await nuthatch(appending(file, [1]), { cwd: folder.path })).code).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(/^my own notes\n\{"url":"http.*\}\n$/);
});

test("whoever is killed while adding to a file can be started again, and the file has each address once", async () => {
  for (const ending of ["jsonl", "csv"]) {
    const file = folder.file(`killed.${ending}`);
    const run = start([...appending(file, numbers), "--batch-size", "1", "--rate-limit", "40/s"], { cwd: folder.path });
    while (!existsSync(file) || statSync(file).size < 3000) await new Promise((resolve) => setTimeout(resolve, 5));
    run.kill("SIGKILL");
    await run.ended;
    appendFileSync(file, readFileSync(file, "utf8").split("\n").at(-2)!.slice(0, 60));
    const { code, stderr } = await nuthatch(appending(file, numbers), { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(addressesIn(file).toSorted()).toEqual(numbers.map(addressOf).toSorted());
  }
});

test("two that add to one file at once write over nothing", async () => {
  const file = folder.file("shared.jsonl");
  writeFileSync(file, "");
  const halves = [numbers.slice(0, 15), numbers.slice(15)];
  const lists = halves.map((half, at) => {
    const list = folder.file(`half-${at}.txt`);
    writeFileSync(list, half.map(addressOf).join("\n"));
    return ["enrich", "--seeds", list, "-o", file, "--append", "--batch-size", "1", ...quick];
  });
  const ended = await Promise.all(lists.map((args) => nuthatch(args, { cwd: folder.path })));
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(addressesIn(file).toSorted()).toEqual(numbers.map(addressOf).toSorted());
});

test("a packed file that is cut, a pipe and a damaged file are refused with what to do, and stay as they are", async () => {
  const packed = folder.file("cut.jsonl.gz");
  expect((await nuthatch(appending(packed, [1, 2]), { cwd: folder.path })).code).toBe(0);
  truncateSync(packed, statSync(packed).size - 20);
  const before = readFileSync(packed);
  const cut = await nuthatch(appending(packed, [1, 2, 4]), { cwd: folder.path });
  expect([cut.code, cut.stderr]).toEqual([2, expect.stringMatching(/is no packed file that is whole[^\n]*\n {2}try: gzip -dc/)]);
  expect(readFileSync(packed)).toEqual(before);
  if (process.platform === "win32") return;
  execFileSync("mkfifo", [folder.file("pipe.jsonl")]);
  const pipe = await nuthatch(appending(folder.file("pipe.jsonl"), [1]), { cwd: folder.path });
  expect([pipe.code, pipe.stderr]).toEqual([2, expect.stringMatching(/pipe\.jsonl is no file that can be added to\n {2}try: /)]);
});

test("lines and cells without end in a file that is added to are no addresses, and stop nothing", async () => {
  for (const [ending, text] of [
    ["jsonl", `${"[".repeat(5_000_000)}\n{"url":7}\n"url"\nnull\n{"url":"${addressOf(1)}"}\n`],
    ["csv", `url,x\r\n"${"a,\n".repeat(1_000_000)}",1\r\n${addressOf(1)},"a ""quoted"" word"\r\n`],
  ] as const) {
    const file = folder.file(`endless.${ending}`);
    writeFileSync(file, text);
    const { code, stderr } = await nuthatch(appending(file, [1]), { cwd: folder.path });
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 address is in the file already")]);
    expect(readFileSync(file, "utf8")).toBe(text);
  }
});

test("an address that a table writes with a quote mark is known again", async () => {
  const file = folder.file("marks.csv");
  const list = folder.file("marks.txt");
  writeFileSync(list, `${site.origin}/p1?a;=1&b=;@c\n${site.origin}/p2?x,y\n`);
  const enrich = () => nuthatch(["enrich", "--seeds", list, "-o", file, "--append", ...quick], { cwd: folder.path });
  await enrich();
  const before = asked();
  expect((await enrich()).stderr).toContain("2 addresses are in the file already");
  expect(asked()).toBe(before);
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
