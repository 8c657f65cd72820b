import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nuthatch, tempFolder } from "../cli.ts";
import { otherShapes } from "./other-shapes.ts";
import { torture } from "./torture.ts";

/** Longest time that the main thread may be busy without a pause, in milliseconds. */
const MOST_BUSY = 250;
/** Megabytes of the whole process. */
const MOST_MEMORY = 600;
const SIZES = [500_000, 6_000_000];
const PIECES = 400_000;

const markdown: readonly [name: string, page: (n: number) => string][] = [
  ["Markdown links", (n) => "[a](b) ".repeat(n)],
  ["Markdown images without an end", (n) => "![](".repeat(n)],
];
const shapes = [
  ...torture.map((shape) => ["text/html; charset=utf-8", ...shape] as const),
  ...markdown.map((shape) => ["text/markdown; charset=utf-8", ...shape] as const),
  ...otherShapes,
];

const links = (n: number, piece: (at: number) => string) => Array.from({ length: n }, (_, at) => piece(at)).join("");

/** Pages whose links take long to judge: by patterns, or by keywords. */
const judged = new Map([
  ["/long", links(200, (at) => `<a href="/${(at + 2 ** 20).toString(2).repeat(90).replaceAll("0", "a").replaceAll("1", "b")}">x</a>`)],
  ["/finds", links(20_000, (at) => `<p>words of a budget<a href="/${at}" title="budget">report ${at} of the council</a></p>`)],
]);

let time = 0;

/** Pages that are others each time, and are held against what they were. */
const changing = new Map([
  ["/rows", () => links(40_000, (at) => `<div>row ${at} value ${(at * 31 + time * 17) % 1000} ${time}</div>`)],
  ["/reworded", () => links(20_000, (at) => `<a href="http://127.0.36.8/${at}">word ${at} of ${time}</a>`)],
  ["/relinked", () => links(20_000, (at) => `<a href="http://127.0.36.8/${time}/${at}">word ${at} of ${time}</a>`)],
  [
    "/compared",
    () =>
      links(4900, (at) => `<p>row ${at}: ${at % 5 < 2 ? time : 0} words of it</p><a href="/${at}">link ${at % 50 === 0 ? time : 0}</a>`),
  ],
]);

const server = createServer(({ url = "" }, response) => {
  const page = judged.get(url) ?? changing.get(url)?.();
  if (page !== undefined) return void response.setHeader("content-type", "text/html").end(page);
  const [, place, size] = url.split("/").map(Number) as [number, number, number];
  const shape = shapes[place];
  response.statusCode = shape && size ? 200 : 404;
  if (shape && size) response.setHeader("content-type", shape[0]);
  response.end(shape && size ? shape[2](Math.min(PIECES, size)).slice(0, size) : "");
});
const letters = "a".repeat(300);
const rules = `User-agent: *\n${links(9000, (at) => `Disallow: /*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b${at}$\n`)}`.slice(0, 500 * 1024);

/** Of the report: rules with stars at the most of their file, and pages with the most links. */
const ruled = createServer(({ url = "" }, response) => {
  response.setHeader("content-type", url === "/robots.txt" ? "text/plain" : "text/html");
  if (url === "/robots.txt") response.end(rules);
  else response.end(url === "/" ? links(20_000, (at) => `<a href="/x${at}/${letters}">x</a>`) : "<p>A leaf");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.36.9", resolve));
  await new Promise<void>((resolve) => ruled.listen(0, "127.0.36.12", resolve));
});
afterAll(() => {
  server.close();
  ruled.close();
});

const env = { NODE_OPTIONS: `--import=${new URL("./watch-main.mjs", import.meta.url).href}` };

interface Watched {
  readonly busy: number;
  readonly peak: number;
}

async function watched(args: readonly string[]): Promise<Watched> {
  const { stderr, code } = await nuthatch(args, { env });
  expect([0, 3], stderr.slice(-500)).toContain(code);
  return JSON.parse(/^WATCHED (.*)$/m.exec(stderr)![1]!) as Watched;
}

const cases = shapes.map(([, name], place) => [name, place] as const);
const urlOf = (path: string): string => `http://127.0.36.9:${(server.address() as AddressInfo).port}${path}`;

/** The pages of one shape, small and large. */
const pagesOf = (place: number) => SIZES.map((size) => urlOf(`/${place}/${size}`));

describe.each(["fetch", "crawl"])("no page made to hurt stops the main thread of nuthatch %s, or takes all of the memory", (command) => {
  test.each(cases)("%s", async (_name, place) => {
    using folder = tempFolder();
    const args =
      command === "crawl"
        ? [...pagesOf(place), "--db", folder.file("site.db"), "--max-pages", "2", "-q", "--rate-limit", "none"]
        : [pagesOf(place).at(-1)!];
    const { busy, peak } = await watched([command, ...args]);
    expect(busy, "milliseconds without a pause").toBeLessThan(MOST_BUSY);
    expect(peak, "megabytes").toBeLessThan(MOST_MEMORY);
  });
});

describe("no page stops the main thread of a crawl, however long its links take to judge", () => {
  test.each([
    ["an expression as large as it may be", "/long", ["--exclude", "/[ab]*a[ab]{990}c/"]],
    ["globs as large as they may be", "/long", ["--exclude", `/${"*a".repeat(4990)}c`]],
    ["keywords that apply to all of the most links", "/finds", ["budget", "report", "council"].flatMap((word) => ["-k", word])],
    ["the most links, kept as rows", "/finds", ["--save", "links"]],
    ["the most links, kept as rows with a keyword", "/finds", ["--save", "links", "-k", "budget"]],
  ])("%s", async (_name, path, more) => {
    using folder = tempFolder();
    const args = ["crawl", urlOf(path), "--db", folder.file("site.db"), "--max-pages", "1", "-q", "--rate-limit", "none", ...more];
    const { busy, peak } = await watched(args);
    expect(busy, "milliseconds without a pause").toBeLessThan(MOST_BUSY);
    expect(peak, "megabytes").toBeLessThan(MOST_MEMORY);
  });
});

describe("no page stops the main thread when it is held against what it was", () => {
  test.each([
    ["in more places than noise has", "/rows"],
    ["as large as pages are that are told from noise", "/compared"],
    ["with the most links, kept as rows, all of other words", "/reworded", ["--save", "links", "-k", "word"]],
    ["with the most links, kept as rows, all to other places", "/relinked", ["--save", "links", "-k", "word"]],
  ])("%s", async (_name, path, more: readonly string[] = []) => {
    using folder = tempFolder();
    for (time = 1; time <= 3; time += 1) {
      const { busy, peak } = await watched([
        "crawl",
        urlOf(path),
        "--db",
        folder.file("site.db"),
        "--max-pages",
        "1",
        "-q",
        "--rate-limit",
        "none",
        ...more,
      ]);
      expect(busy, "milliseconds without a pause").toBeLessThan(MOST_BUSY);
      expect(peak, "megabytes").toBeLessThan(MOST_MEMORY);
    }
  });
});

test("no robots.txt stops the main thread of a crawl", async () => {
  using folder = tempFolder();
  const url = `http://127.0.36.12:${(ruled.address() as AddressInfo).port}/`;
  const { busy, peak } = await watched(["crawl", url, "--db", folder.file("site.db"), "--max-pages", "50", "-q", "--rate-limit", "none"]);
  expect(busy, "milliseconds without a pause").toBeLessThan(MOST_BUSY);
  expect(peak, "megabytes").toBeLessThan(MOST_MEMORY);
});
