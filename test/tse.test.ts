import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { crawlerBin, type Ended, nuthatch, start, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { gaps, mostAtOnce, type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const crawler = (...args: string[]): Promise<Ended> => nuthatch(args, { bin: crawlerBin });
/** What `crawler` is, without a process of its own. */
const crawlerHere = (...args: string[]) => nuthatchHere(["tse", ...args]);

interface Saved {
  readonly id: string;
  readonly url: string;
  readonly depth: string;
  readonly body: Buffer;
}

/** The page directory, file by file: two lines, and then bytes that belong to the page. */
function readPages(directory: string): Saved[] {
  const ids = readdirSync(directory).filter((name) => name !== ".crawler");
  return ids
    .sort((a, b) => Number(a) - Number(b))
    .map((id) => {
      const bytes = readFileSync(join(directory, id));
      const first = bytes.indexOf(10);
      const second = bytes.indexOf(10, first + 1);
      const text = (from: number, to: number) => bytes.subarray(from, to).toString();
      return { id, url: text(0, first), depth: text(first + 1, second), body: bytes.subarray(second + 1) };
    });
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

describe("arguments are checked before the network is used", () => {
  const folder = tempFolder();
  let site: RunningSite;
  beforeAll(async () => {
    site = await serveSite({ "/": "<p>home</p>" }, { address: "127.0.5.1" });
    mkdirSync(folder.file("pages"));
    writeFileSync(folder.file("file"), "");
  });
  afterAll(async () => {
    await site.close();
    folder[Symbol.dispose]();
  });

  const at = (name: string) => folder.file(name);
  const seed = () => `${site.origin}/`;
  test.each([
    ["none", () => [], /three arguments.*0/],
    ["one", () => [seed()], /three arguments.*1/],
    ["two", () => [seed(), at("pages")], /three arguments.*2/],
    ["four", () => [seed(), at("pages"), "1", "2"], /three arguments.*4/],
    ["four with one after --", () => [seed(), at("pages"), "1", "--", "2"], /three arguments.*4/],
    ["an option that is not after --", () => [seed(), at("pages"), "0", "--db", "x"], /after --/],
    [
      "an option after -- that there is not",
      () => [seed(), at("pages"), "0", "--", "--foo"],
      /unknown option '--foo'\n {2}try: crawler seedURL/,
    ],
    ["a seed with a user", () => [seed().replace("//", "//me:s3cret@"), at("pages"), "1"], /^(?!.*s3cret).*a user or a password/],
    ["an option before the arguments", () => ["--db=x", seed(), at("pages"), "0"], /after --/],
    ["an option nobody knows", () => [seed(), at("pages"), "0", "--", "--jsno"], /--json/],
    ["an empty seed", () => ["", at("pages"), "1"], /seedURL/],
    ["a seed without a scheme", () => ["127.0.5.1/index.html", at("pages"), "1"], /seedURL/],
    ["a seed with another scheme", () => ["ftp://127.0.5.1/", at("pages"), "1"], /seedURL ftp:/],
    ["a file as seed", () => ["file:///etc/passwd", at("pages"), "1"], /seedURL file:/],
    ["a seed without a host", () => ["http://", at("pages"), "1"], /seedURL/],
    ["a seed with an impossible port", () => ["http://127.0.5.1:99999/", at("pages"), "1"], /seedURL/],
    ["a directory that is not there", () => [seed(), at("missing"), "1"], /pageDirectory .*missing/],
    ["an empty directory name", () => [seed(), "", "1"], /pageDirectory/],
    ["a file instead of a directory", () => [seed(), at("file"), "1"], /pageDirectory .*file/],
    ["depth -1", () => [seed(), at("pages"), "-1"], /maxDepth -1/],
    ["depth 11", () => [seed(), at("pages"), "11"], /maxDepth 11/],
    ["depth 2.5", () => [seed(), at("pages"), "2.5"], /maxDepth 2\.5/],
    ["depth 1e1", () => [seed(), at("pages"), "1e1"], /maxDepth 1e1/],
    ["depth 2x", () => [seed(), at("pages"), "2x"], /maxDepth 2x/],
    ["depth abc", () => [seed(), at("pages"), "abc"], /maxDepth abc/],
    ["depth nothing", () => [seed(), at("pages"), ""], /maxDepth/],
    ["depth space", () => [seed(), at("pages"), " 1"], /maxDepth/],
    ["a depth too large for a number", () => [seed(), at("pages"), "99999999999999999999"], /maxDepth/],
    ["arguments in the wrong order", () => [at("pages"), seed(), "1"], /seedURL/],
    ["a seed that is not internal", () => [seed(), at("pages"), "1", "--", "--internal", "http://127.0.5.2/"], /not internal/],
    ["a seed above the internal part", () => [seed(), at("pages"), "1", "--", "--internal", `${seed()}tse/`], /not internal/],
    ["an internal prefix that is no URL", () => [seed(), at("pages"), "1", "--", "--internal", "tse/"], /--internal/],
  ] as [string, () => string[], RegExp][])("%s", async (_, args, message) => {
    const { code, stdout, stderr } = await nuthatchHere(["tse", ...args()]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(existsSync(join(at("pages"), ".crawler"))).toBe(false);
    expect(site.log).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)("a directory that cannot be written", async () => {
    mkdirSync(at("locked"));
    chmodSync(at("locked"), 0o555);
    const { code, stderr } = await crawler(seed(), at("locked"), "1");
    expect(code).toBe(2);
    expect(stderr).toMatch(/pageDirectory .*locked/);
    expect(site.log).toEqual([]);
  });

  test.each([
    ["a page of an earlier crawl", "1", "file"],
    ["a page with a high number", "2047", "file"],
    ["the mark of an earlier crawl", ".crawler", "file"],
    ["a folder with the name of a page", "7", "folder"],
  ])("a directory that holds %s", async (_, name, kind) => {
    const used = at(`used${name}`);
    mkdirSync(used);
    const path = join(used, name);
    if (kind === "folder") mkdirSync(path);
    else writeFileSync(path, "mine");
    const { code, stdout, stderr } = await nuthatchHere(["tse", seed(), used, "1"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      new RegExp(`pageDirectory .* is in use: it holds ${name.replace(".", "\\.")}, [\\s\\S]*try: name an empty directory`),
    );
    expect(readdirSync(used)).toEqual([name]);
    if (kind === "file") expect(readFileSync(path, "utf8")).toBe("mine");
    expect(site.log).toEqual([]);
  });

  test("--help shows the three arguments", async () => {
    const { code, stdout } = await crawler("--help");
    expect(code).toBe(0);
    expect(stdout).toContain("crawler seedURL pageDirectory maxDepth");
  });
});

describe("seeds that cannot be crawled", () => {
  const robots = "User-agent: *\nDisallow: /closed\n";
  const pages: Record<string, PageSpec> = {
    "/robots.txt": { body: robots, headers: { "Content-Type": "text/plain" } },
    "/away": { status: 302, headers: { Location: "http://127.0.5.9:9/" } },
    "/broken": { status: 404, body: '<a href="/robots.txt">a way out of a page that is not there</a>' },
  };
  test.concurrent.each([
    [
      "a server that does not answer",
      "127.0.5.3",
      undefined,
      "http://127.0.5.3:9/",
      3,
      /127\.0\.5\.3:9 is asked again in 1 s[\s\S]*127\.0\.5\.3.*ECONNREFUSED/,
    ],
    ["a server that does not exist", "127.0.5.3", undefined, "http://nowhere.invalid/", 3, /nowhere\.invalid/],
    ["a page that does not exist", "127.0.5.4", "/broken", undefined, 3, /404/],
    ["a page that robots.txt closes", "127.0.5.5", "/closed/page", undefined, 4, /Disallow: \/closed/],
    ["a page that has moved to another server", "127.0.5.6", "/away", undefined, 3, /outside the scope/],
  ] as [string, string, string | undefined, string | undefined, number, RegExp][])("%s", async (_, address, path, url, code, message) => {
    using folder = tempFolder();
    const site = await serveSite(pages, { address });
    const ended = await crawlerHere(url ?? site.origin + path, folder.path, "2");
    await site.close();
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr).toMatch(message);
    expect(readdirSync(folder.path)).toEqual([]);
    expect(site.log.map((request) => request.path)).toEqual(path === undefined ? [] : expect.arrayContaining(["/robots.txt"]));
    expect(site.log.filter((request) => request.path !== "/robots.txt" && request.path !== path)).toEqual([]);
  });
});

/** The links of each page in document order, as written; what they mean is worked out again here, by the URL parser alone. */
const links: Record<string, string[]> = {
  "/index.html": ["a.html", "b.html", "a.html", "./a.html#part", "http://127.0.5.99:9/other", "/index.html", "mailto:someone@example.org"],
  "/a.html": ["b.html", "c.html", "../c.html", "//HOST/c.html", "sub/../index.html", "?", "#top", "", "gone.html"],
  "/b.html": ["index.html", "deep/d.html", "HTTP://HOST/a.html", "javascript:void(0)", "secret/x.html"],
  "/c.html": ["b.html", "a.html", "deep/d.html"],
  "/deep/d.html": ["e.html", "../b.html", "/deep/./e.html"],
  "/base/e.html": ["f.html", "/a.html", "f.html"],
  "/base/f.html": ["/moved.html", "../deep/d.html", "https://127.0.5.99:9/"],
  "/target.html": ["/index.html"],
};
const bodies: Record<string, (anchors: string) => Buffer> = {
  "/index.html": (anchors) => Buffer.from(`<html><body><h1>Index</h1>\n${anchors}\n</body></html>\n`),
  "/a.html": (anchors) => Buffer.from(`<html>\r\n<body>\r\n${anchors.replaceAll("\n", "\r\n")}</body></html>\r\n\r\n`),
  "/b.html": (anchors) => Buffer.from(`<p>no newline at the end ${anchors}`),
  "/c.html": (anchors) => Buffer.concat([Buffer.from(anchors, "latin1"), Buffer.from([0x0a, 0xe9, 0xff, 0xfe, 0x00, 0x80, 0x0a])]),
  "/deep/d.html": (anchors) => Buffer.from(`\n\n<base href="/base/">${anchors}`),
  "/base/e.html": (anchors) => Buffer.from(`\ufeff<p>with a mark in front${anchors}`),
  "/base/f.html": (anchors) => Buffer.from(`<P>unclosed <A HREF=nowhere-else<B>${anchors}`.replace("<A HREF=nowhere-else<B>", "")),
  "/target.html": (anchors) => Buffer.from(anchors),
};
const based: Record<string, string> = { "/deep/d.html": "/base/" };

const bodyOf = (path: string, host: string) =>
  bodies[path]!(links[path]!.map((href) => `<a href="${href.replace("HOST", host)}">to it</a>`).join("\n"));

function closedSet(path: string, host: string): PageSpec | undefined {
  if (path === "/robots.txt") return { body: "User-agent: *\nDisallow: /secret/\n", headers: { "Content-Type": "text/plain" } };
  if (path === "/moved.html") return { status: 301, headers: { Location: "/target.html" } };
  return Object.hasOwn(bodies, path) ? { body: bodyOf(path, host), etag: true } : undefined;
}

/** Breadth first over the table: which pages, and how many clicks from the seed. */
function expected(seed: string, maxDepth: number, host: string): Map<string, number> {
  const home = `http://${host}`;
  const depths = new Map([[seed, 0]]);
  for (const [path, depth] of depths) {
    if (depth === maxDepth) continue;
    for (const href of links[path] ?? []) {
      const { origin, pathname } = new URL(href.replace("HOST", host), new URL(based[path] ?? path, home));
      const target = pathname === "/moved.html" ? "/target.html" : pathname;
      if (origin === home && Object.hasOwn(links, target) && !depths.has(target)) depths.set(target, depth + 1);
    }
  }
  return depths;
}

describe("a closed set of cross-linked pages", () => {
  const seeds = ["/index.html", "/deep/d.html", "/base/f.html"];
  const cases = seeds.flatMap((seed) => [0, 1, 2, 3, 4, 5].map((depth) => [seed, depth] as const));

  /** A second between two requests is long, so every crawl has a server of its own and all go at once. */
  async function crawlClosedSet(seed: string, maxDepth: number) {
    using folder = tempFolder();
    const address = `127.0.6.${seeds.indexOf(seed) * 10 + maxDepth + 1}`;
    const site = await serveSite(({ path, host }) => closedSet(path, host), { address });
    const ended = await crawler(site.origin + seed, folder.path, String(maxDepth));
    await site.close();
    return { site, ended, saved: readPages(folder.path), isMarked: existsSync(folder.file(".crawler")) };
  }
  let crawls: Awaited<ReturnType<typeof crawlClosedSet>>[];
  beforeAll(async () => {
    crawls = await Promise.all(cases.map(([seed, depth]) => crawlClosedSet(seed, depth)));
  });

  test.each(cases.map((entry, index) => [...entry, index] as const))("from %s to depth %d", (seed, maxDepth, index) => {
    const { site, ended, saved, isMarked } = crawls[index]!;
    // On a busy machine the server may be slow, and that is said.
    const said = ended.stderr.replace(/^crawler: \S+ is asked again in \d+ s \(slow\)\n/gm, "");
    expect([ended.code, said, isMarked]).toEqual([0, "", true]);
    const wanted = expected(seed, maxDepth, site.host);
    const depths = saved.map(({ depth }) => Number(depth));
    expect(saved.map(({ id }) => id)).toEqual(numbered(wanted.size));
    expect(Object.fromEntries(saved.map(({ url, depth }) => [url.slice(site.origin.length), Number(depth)]))).toEqual(
      Object.fromEntries(wanted),
    );
    expect(depths).toEqual(depths.toSorted((a, b) => a - b));
    for (const { url, body } of saved) expect([url, body.equals(bodyOf(url.slice(site.origin.length), site.host))]).toEqual([url, true]);

    const asked = site.log.map((request) => request.path);
    expect(asked[0]).toBe("/robots.txt");
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.filter((path) => path.startsWith("/secret"))).toEqual([]);
    expect(site.log.every(({ headers }) => !("if-none-match" in headers) && !("if-modified-since" in headers))).toBe(true);
    expect(mostAtOnce(site.log)).toBe(1);
    expect(ended.stdout.split("\n").filter((line) => line.includes("Fetched:"))).toHaveLength(wanted.size);
  });

  test("a second passes between two requests, as their servers saw it", () => {
    expect(crawls.flatMap(({ site }) => gaps(site.log)).filter((gap) => gap < 1000)).toEqual([]);
  });
});

/** printf("%2d %*s%9s: %s\n", depth, depth, "", word, url) */
const line = (depth: number, word: string, url: string) =>
  `${String(depth).padStart(2)} ${"".padStart(depth)}${word.padStart(9)}: ${url}\n`;

test.concurrent("progress is told in the course's form, breadth first", async () => {
  using folder = tempFolder();
  const pages = {
    "/": '<a href="/a">a</a><a href="/b">b</a><a href="/a">a again</a><a href="http://127.0.5.99:9/x">out</a>',
    "/a": '<a href="/c">c</a><a href="/">home</a>',
    "/b": '<a href="/c">c</a>',
    "/c": '<a href="/d">d is too deep to be found</a>',
  };
  const site = await serveSite(pages, { address: "127.0.7.1" });
  const { stdout } = await crawler(site.origin, folder.path, "2");
  await site.close();
  const rows: [number, string, string][] = [
    [0, "Fetched", "/"],
    [0, "Scanning", "/"],
    [0, "Found", "/a"],
    [0, "Added", "/a"],
    [0, "Found", "/b"],
    [0, "Added", "/b"],
    [0, "Found", "/a"],
    [0, "IgnDupl", "/a"],
    [0, "Found", "http://127.0.5.99:9/x"],
    [0, "IgnExtrn", "http://127.0.5.99:9/x"],
    [1, "Fetched", "/a"],
    [1, "Scanning", "/a"],
    [1, "Found", "/c"],
    [1, "Added", "/c"],
    [1, "Found", "/"],
    [1, "IgnDupl", "/"],
    [1, "Fetched", "/b"],
    [1, "Scanning", "/b"],
    [1, "Found", "/c"],
    [1, "IgnDupl", "/c"],
    [2, "Fetched", "/c"],
  ];
  expect(stdout).toBe(rows.map(([depth, word, path]) => line(depth, word, path.startsWith("/") ? site.origin + path : path)).join(""));
});

test.concurrent("every URL that was added is told with what became of it, on stdout and with --json", async () => {
  using folder = tempFolder();
  const links = ["/a", "/lost", "/broken", "/moved", "/away", "/picture", "/closed/x"];
  const pages: Record<string, PageSpec> = {
    "/robots.txt": { body: "User-agent: *\nDisallow: /closed\n", headers: { "Content-Type": "text/plain" } },
    "/": links.map((path) => `<a href="${path}">${path}</a>`).join(" "),
    "/a": "<p>a page</p>",
    "/target": "<p>another page</p>",
    "/broken": { status: 500, body: "no" },
    "/moved": { status: 302, headers: { Location: "/target" } },
    "/away": { status: 302, headers: { Location: "http://127.0.5.99:9/x" } },
    "/picture": { body: "png", headers: { "Content-Type": "image/png" } },
  };
  const site = await serveSite(pages, { address: "127.0.7.5" });
  for (const name of ["one", "two"]) mkdirSync(folder.file(name));
  const [told, counted] = await Promise.all([
    crawler(site.origin, folder.file("one"), "1"),
    crawler(site.origin, folder.file("two"), "1", "--", "--json"),
  ]);
  await site.close();
  expect([told.code, counted.code]).toEqual([0, 0]);
  const lines = told.stdout.split("\n");
  const last = (path: string) =>
    lines.findLast((each) => new RegExp(`: ${site.origin}${path}( |$)`).test(each) && !/ (Found|Scanning):/.test(each))?.trim();
  expect(Object.fromEntries(links.map((path) => [path, last(path)?.replaceAll(site.origin, "")]))).toEqual({
    "/a": "1    Fetched: /a",
    "/lost": expect.stringMatching(/^1 +Failed: \/lost \(answered 404/),
    "/broken": expect.stringMatching(/^1 +Failed: \/broken \(answered 500/),
    "/moved": "1      Moved: /moved (moved to /target)",
    "/away": "1      Moved: /away (moved to http://127.0.5.99:9/x)",
    "/picture": "1    Skipped: /picture (image/png is not a page)",
    "/closed/x": "0  IgnRobot: /closed/x",
  });
  expect(lines.filter((each) => each.includes("Retry:"))).not.toEqual([]);
  const { saved, unsaved } = JSON.parse(counted.stdout) as { saved: number; unsaved: { url: string; verdict: string; why: string }[] };
  expect(saved).toBe(3);
  expect(Object.fromEntries(unsaved.map(({ url, verdict, why }) => [new URL(url).pathname, `${verdict}: ${why}`]))).toEqual({
    "/lost": expect.stringMatching(/^failed: answered 404/),
    "/broken": expect.stringMatching(/^failed: answered 500/),
    "/moved": expect.stringMatching(/^fetched: moved to .*\/target$/),
    "/away": expect.stringMatching(/^fetched: moved to/),
    "/picture": "skipped: image/png is not a page",
  });
});

test.concurrent("a seed is normalised before it is asked for, and --internal narrows what counts as inside", async () => {
  using folder = tempFolder();
  const pages = {
    "/tse/": '<a href="in">in</a><a href="/out">out</a><a href="../tsetse">beside</a>',
    "/tse/in": "<p>in</p>",
    "/out": "<p>out</p>",
  };
  const site = await serveSite(pages, { address: "127.0.7.2" });
  const { code, stdout } = await crawler(
    `HTTP://127.0.7.2:${site.origin.split(":")[2]}/x/../tse/#part`,
    folder.path,
    "1",
    "--",
    "--internal",
    `${site.origin}/tse/`,
  );
  await site.close();
  expect(code).toBe(0);
  expect(readPages(folder.path).map(({ url }) => url)).toEqual([`${site.origin}/tse/`, `${site.origin}/tse/in`]);
  expect(stdout).toContain(line(0, "IgnExtrn", `${site.origin}/out`));
  expect(stdout).toContain(line(0, "IgnExtrn", `${site.origin}/tsetse`));
  expect(site.log.map(({ path }) => path)).toEqual(["/robots.txt", "/tse/", "/tse/in"]);
});

test.concurrent("`nuthatch tse` is the same program; --db keeps the data file and --json says what came of it", async () => {
  using folder = tempFolder();
  const pages = { "/": { body: '<a href="/a">a</a>', etag: true }, "/a": "<p>a</p>" };
  const site = await serveSite(pages, { address: "127.0.7.3" });
  mkdirSync(folder.file("one"));
  mkdirSync(folder.file("two"));
  const db = folder.file("kept.db");
  const first = await nuthatch(["tse", site.origin, folder.file("one"), "1", "--", "--db", db, "--json"]);
  const second = await nuthatchHere(["tse", site.origin, folder.file("two"), "1", "--", "--db", db]);
  await site.close();
  expect(JSON.parse(first.stdout)).toMatchObject({ schemaVersion: 1, saved: 2, stopReason: "finished" });
  expect(second.stdout).toContain(line(1, "Fetched", `${site.origin}/a`));
  expect(site.log.some(({ headers }) => "if-none-match" in headers)).toBe(false);
  expect(readPages(folder.file("two"))).toEqual(readPages(folder.file("one")));
  const { stdout } = await nuthatchHere(["runs", "--json", "--db", db]);
  expect((JSON.parse(stdout) as { runs: unknown[] }).runs).toHaveLength(2);
  mkdirSync(folder.file("three"));
  const exported = await nuthatchHere(["export", "pagedir", "-o", folder.file("three"), "--db", db]);
  expect(exported.code).toBe(0);
  expect(readPages(folder.file("three"))).toEqual(readPages(folder.file("one")));
  expect(existsSync(folder.file("three/.crawler"))).toBe(true);
});

test.concurrent("`nuthatch export pagedir` writes byte by byte what the crawl wrote, whatever the pages are", async () => {
  using folder = tempFolder();
  const links = ["/text", "/latin", "/empty", "/copy", "/old", "/gone", "/zero"].map((path) => `<a href="${path}">${path}</a>`).join("\n");
  const site = await serveSite(
    {
      "/": `<title>Home</title>\r\n${links}\n\n`,
      "/text": { body: "plain, without an end of line", headers: { "Content-Type": "text/plain" } },
      "/latin": {
        body: Buffer.from("<p>na\xefve caf\xe9 \xff</p>", "latin1"),
        headers: { "Content-Type": "text/html; charset=iso-8859-1" },
      },
      "/empty": "",
      "/copy": `<title>Home</title>\r\n${links}\n\n`,
      "/old": { status: 302, headers: { Location: "/zero" } },
      "/zero": "<p>a\0b</p>\n",
    },
    { address: "127.0.72.31" },
  );
  for (const name of ["crawled", "exported"]) mkdirSync(folder.file(name));
  const db = folder.file("kept.db");
  expect((await nuthatch(["tse", site.origin, folder.file("crawled"), "2", "--", "--db", db])).code).toBe(0);
  await site.close();
  const bytesIn = (name: string) =>
    Object.fromEntries(
      readdirSync(folder.file(name)).map((each) => [each, readFileSync(folder.file(`${name}/${each}`)).toString("latin1")]),
    );
  const exported = (flag: string) => nuthatch(["export", "pagedir", flag, folder.file("exported"), "--db", db]);
  writeFileSync(folder.file("exported/99"), "left over");
  expect(await exported("-o")).toMatchObject({ code: 2, stderr: expect.stringMatching(/holds pages already\n {2}try: -O /) });
  expect((await exported("-O")).code).toBe(0);
  expect(Object.keys(bytesIn("crawled")).sort()).toEqual([".crawler", "1", "2", "3", "4", "5", "6"]);
  expect(bytesIn("exported")).toEqual(bytesIn("crawled"));
});

test.concurrent("Ctrl-C ends a crawl that runs amok, and leaves whole pages and no temporary files", async () => {
  using folder = tempFolder();
  using temporary = tempFolder();
  const site = await serveSite(({ path }) => `<p>${path}</p><a href="${path}x">more</a>`, { address: "127.0.7.4" });
  const running = start([site.origin, folder.path, "10"], { bin: crawlerBin, env: { TMPDIR: temporary.path } });
  while (!existsSync(folder.file("2"))) await new Promise((resolve) => setTimeout(resolve, 50));
  running.kill("SIGINT");
  const { code, stdout, stderr } = await running.ended;
  await site.close();
  expect(code).toBe(130);
  expect(stderr).toMatch(/crawler: stopped: \d+ pages are in .*, \d+ URLs? w(as|ere) not visited/);
  expect(stdout).toMatch(/\d +Left: http/);
  const saved = readPages(folder.path);
  expect(saved.map(({ id }) => id)).toEqual(numbered(saved.length));
  for (const { url, body } of saved) expect(body.toString()).toContain(`<p>${new URL(url).pathname}</p>`);
  expect(readdirSync(temporary.path)).toEqual([]);
});
