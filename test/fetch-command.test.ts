import { readdirSync, readFileSync } from "node:fs";
import { fakeSite } from "nuthatch/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasTerminal, nuthatch, startOnTerminal, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { fetchPage, map } from "./near-library.ts";
import { gaps, type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const fast = ["--rate-limit", "none"];
const bytes = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xfe, 0x0a]);

describe("nuthatch fetch", () => {
  const folder = tempFolder();
  let site: RunningSite;
  let other: RunningSite;
  const pages: Record<string, PageSpec> = {
    "/robots.txt": { body: "User-agent: *\nDisallow: /closed\n", headers: { "Content-Type": "text/plain" } },
    "/": `<html lang=en><title>Front</title><meta name=description content="About it"><nav><a href=/menu>Menu</a></nav>
      <main><h1>Front page</h1><p>Some <b>bold</b> text, and <a href="sub/page?x=1&amp;y=2">a link</a>.</p></main><footer>Imprint</footer>`,
    "/moved": { status: 302, headers: { Location: "/" } },
    "/away": () => ({ status: 301, headers: { Location: `${other.origin}/secret` } }),
    "/loop": { status: 302, headers: { Location: "/loop2" } },
    "/loop2": { status: 302, headers: { Location: "/loop" } },
    "/latin": {
      body: Buffer.from("<title>caf\xe9</title><p>na\xefve", "latin1"),
      headers: { "Content-Type": "text/html; charset=iso-8859-1" },
    },
    "/plain": { body: "a *plain* text\n<b>as it is</b>", headers: { "Content-Type": "text/plain" } },
    "/feed": {
      body: "<rss><channel><title>News</title><item><title>One &amp; two</title><link>/n1</link></item></channel></rss>",
      headers: { "Content-Type": "application/rss+xml" },
    },
    "/file.pdf": { body: bytes, headers: { "Content-Type": "application/pdf" } },
    "/large": `<p>${"x".repeat(5000)}`,
    "/private": { status: 403, body: "no" },
    "/key": { status: 401, body: "no" },
    "/plain-on-tls": { status: 400, body: "The plain HTTP request was sent to HTTPS port" },
    "/broken": { status: 500, body: "oops" },
    "/evil": {
      body: "<title>\x1b[31mred</title><p>a\x9b2J\u202eb\x07</p><pre>\ttab</pre>",
      headers: { "Content-Type": "text/html; charset=utf-8", "X-Note": "\x9b2J" },
    },
  };
  beforeAll(async () => {
    site = await serveSite(pages, { address: "127.0.33.11" });
    other = await serveSite({ "/secret": "<p>secret" }, { address: "127.0.33.12" });
  });
  afterAll(async () => {
    await site.close();
    await other.close();
    folder[Symbol.dispose]();
  });
  const run = (...args: string[]) => nuthatchHere([...args, ...fast], { cwd: folder.path });
  const at = (path: string) => site.origin + path;
  const markdown = () => `# Front page\n\nSome **bold** text, and [a link](${at("/sub/page?x=1&y=2")}).\n`;

  test.concurrent("one page is Markdown on stdout, with and without the word fetch, and nothing is said or kept", async () => {
    const started = await nuthatch(["fetch", at("/"), ...fast], { cwd: folder.path });
    const spoken = [started, await run(at("/")), await run("--whole", "--main", at("/"), "-f", "text")];
    expect(spoken.slice(0, 2)).toMatchObject([1, 2].map(() => ({ code: 0, stdout: markdown(), stderr: "" })));
    expect(spoken[2]).toMatchObject({ code: 2 });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  const forms: [string, string[], string | RegExp][] = [
    ["text", ["-f", "text"], "Front page\n\nSome bold text, and a link.\n"],
    [
      "clean HTML",
      ["-f", "html"],
      /^<main><h1>Front page<\/h1>\s?<p>Some <b>bold<\/b> text, and <a href="http:[^"]*\/sub\/page\?x=1&amp;y=2">/,
    ],
    ["the whole page", ["--whole"], /^\[Menu\]\(.*\/menu\)\n\n# Front page\n[\s\S]*\nImprint\n$/],
    ["its bytes", ["-f", "raw"], String(pages["/"])],
    [
      "metadata with its sources",
      ["-f", "meta"],
      /^url: .*\nstatus: 200\n[\s\S]*title: Front.* {2}← \S+ \(0\.\d+\)\n[\s\S]*charset: utf-8/,
    ],
    ["links", ["-f", "links"], /^http:.*\/menu\nhttp:.*\/sub\/page\?x=1&y=2\n$/],
  ];
  test.each(forms)("it can be had as %s", async (_, flags, expected) => {
    const { code, stdout } = await run(...flags, at("/"));
    expect(code).toBe(0);
    if (typeof expected === "string") expect(stdout).toBe(expected);
    else expect(stdout).toMatch(expected);
  });

  test("several forms are one JSON document, and so are json and --json", async () => {
    const several = JSON.parse((await run(at("/moved"), "-f", "markdown,links,raw", "--headers")).stdout) as Record<string, unknown>;
    expect(several).toMatchObject({
      schemaVersion: 1,
      ok: true,
      url: at("/moved"),
      finalUrl: at("/"),
      redirects: [at("/")],
      status: 200,
      isStored: false,
      markdown: markdown(),
      links: [{ url: at("/menu"), text: "Menu" }, { text: "a link" }],
      metadata: { title: { value: expect.stringMatching(/^Front/), source: expect.any(String), confidence: expect.any(Number) } },
      raw: Buffer.from(String(pages["/"])).toString("base64"),
    });
    expect(several.headers).toContainEqual({ name: "content-type", value: "text/html; charset=utf-8" });
    expect(JSON.parse((await run(at("/"), "-f", "json")).stdout)).toMatchObject({ markdown: markdown(), links: expect.any(Array) });
    expect(JSON.parse((await run(at("/"), "--json")).stdout)).toMatchObject({ markdown: markdown() });
  });

  test("letters, feeds and plain text are read for what they are", async () => {
    expect((await run(at("/latin"))).stdout).toBe("# café\n\nnaïve\n");
    expect((await run(at("/plain"))).stdout).toBe("a *plain* text\n<b>as it is</b>\n");
    expect((await run(at("/feed"))).stdout).toBe(`# News\n\n- [One & two](${at("/n1")})\n`);
  });

  const refusals: [string, () => string[], number, RegExp][] = [
    ["robots.txt", () => [at("/closed/x")], 4, /Disallow: \/closed.*\n {2}why: .*robots\.txt does not allow it\.\n {2}try: /],
    ["403", () => [at("/private")], 4, /answered 403/],
    ["401", () => [at("/key")], 4, /answered 401/],
    ["plain HTTP on a port that speaks TLS", () => [at("/plain-on-tls")], 3, /answered 400[\s\S]*speaks HTTPS: https:\/\/.*\/plain-on-tls/],
    ["404", () => [at("/nowhere")], 3, /answered 404[\s\S]*there is no such page/],
    ["500", () => [at("/broken"), "--retries", "0"], 3, /answered 500/],
    ["a redirect into a private network", () => [at("/away")], 3, /private/],
    ["redirects in circles", () => [at("/loop")], 3, /redirect/],
    ["a type that is no text", () => [at("/file.pdf")], 3, /application\/pdf is not a page[\s\S]*-f raw/],
    [
      "more than --max-body",
      () => [at("/large"), "--max-body", "4KB"],
      3,
      /larger than 4096 bytes[\s\S]*try: a larger one, such as --max-body/,
    ],
    ["nobody there", () => ["http://127.0.33.13:9/", "--retries", "0"], 3, /ECONNREFUSED/],
  ];
  test.each(refusals)("%s ends with what, why and what to do", async (_, args, code, said) => {
    const ended = await run(...args());
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(/nuthatch: no page could be fetched from .*\n {2}why: .*\n {2}try: .*\n$/);
    expect(ended.stderr).toMatch(said);
    expect(other.log.filter(({ path }) => path === "/secret")).toEqual([]);
  });

  test("and with --json as a document", async () => {
    const { code, stdout } = await run(at("/private"), "--json");
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      status: 403,
      error: { reason: "http.4xx", exitCode: 4, hint: expect.any(String) },
    });
  });

  const mistakes: [string, string[], RegExp][] = [
    ["a form there is not", ["http://127.0.33.11/", "-f", "markdwon"], /did you mean -f markdown\?/],
    ["an age that is none", ["http://127.0.33.11/", "--max-age", "soon"], /--max-age 10m/],
    ["a file that exists", ["http://127.0.33.11/", "-o", "/dev/null"], /exists already/],
    ["ignoring robots.txt without a word", ["http://127.0.33.11/", "--no-robots"], /--i-own-this-site/],
    ["a mistyped command before an address", ["ftech", "http://127.0.33.11/"], /did you mean nuthatch fetch\?/],
  ];
  test.each(mistakes)("%s is told with exit 2 and nothing asked", async (_, args, said) => {
    const ended = await nuthatchHere([...args, ...fast], { cwd: folder.path });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(said);
  });

  test("what is not text is written to the byte, to a pipe or a file", async () => {
    using place = tempFolder();
    const { code } = await run(at("/file.pdf"), "-f", "raw", "-o", place.file("file.pdf"));
    expect([code, readFileSync(place.file("file.pdf"))]).toEqual([0, bytes]);
    await run(at("/"), "-o", place.file("page.md"));
    expect(readFileSync(place.file("page.md"), "utf8")).toBe(markdown());
    await run(at("/"), "-o", place.file("page.json"));
    expect(JSON.parse(readFileSync(place.file("page.json"), "utf8"))).toMatchObject({ markdown: markdown() });
  });

  test("headers go to stderr, and cannot command the terminal", async () => {
    const { stdout, stderr } = await run(at("/evil"), "-f", "links", "--headers");
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^200 http.*\n[\s\S]*content-type: text\/html/);
    expect(stderr).toMatch(/x-note: .*\\x9b2J/);
    expect((await run(at("/evil"))).stdout).toContain("a2Jb");
  });

  test.runIf(hasTerminal).concurrent("a terminal is shown what would command it", async () => {
    for (const form of ["markdown", "raw", "meta", "html"]) {
      const { screen } = await startOnTerminal([at("/evil"), "-f", form, ...fast], { cwd: folder.path }).ended;
      if (form === "raw") expect(screen).toContain("\\x9b2J");
      expect(screen.replaceAll(/\r|\t/g, "")).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
  });

  test("the library gives the same as a value", async () => {
    const page = await fetchPage(at("/"), { rateLimit: "none", forms: ["markdown", "links"] });
    expect(page).toMatchObject({ ok: true, reason: "ok", markdown: markdown(), links: [{ text: "Menu" }, { text: "a link" }] });
    const closed = await fetchPage(at("/closed"), { rateLimit: "none" });
    expect(closed).toMatchObject({ ok: false, reason: "robots.disallow", status: null });
    await expect(fetchPage(at("/"), { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    await expect(fetchPage("example.org")).rejects.toThrow("not a URL");
  });
});

test("a made-up site is fetched and mapped in no time, at the pace of the real one", async () => {
  const site = fakeSite({ "/": '<h1>Front</h1><a href="/a">A</a><a href="/b">B</a>', "/a": "a", "/b": "b" });
  expect(await fetchPage(site.url, { ...site.options })).toMatchObject({ ok: true, markdown: expect.stringMatching(/^# Front\n/) });
  const { urls } = await map(site.url, { ...site.options, depth: 3 });
  expect(urls.map(({ url }) => new URL(url).pathname).sort()).toEqual(["/", "/a", "/b"]);
  const again = await Promise.all(["/a", "/b", "/"].map((path) => fetchPage(new URL(path, site.url).href, { ...site.options })));
  expect(again.map(({ ok }) => ok)).toEqual([true, true, true]);
  // Calls without a data file share their turns and robots.txt within the process, also when they are made at once.
  expect(site.requests.filter(({ path }) => path === "/robots.txt").length).toBe(1);
  const times = site.requests.map(({ at }) => at).sort((a, b) => a - b);
  expect(times.length).toBe(8);
  for (const [index, at] of times.slice(1).entries()) expect(at - times[index]!).toBeGreaterThanOrEqual(1000);
});

describe("fetch beside a data file", () => {
  test("a loop of fetches keeps the pace, asks for robots.txt once, and takes stored copies that are fresh", async () => {
    using folder = tempFolder();
    const site = await serveSite(
      {
        "/robots.txt": { body: "User-agent: *\nCrawl-delay: 0.7\n", headers: { "Content-Type": "text/plain" } },
        "/": "<h1>v1</h1>",
        "/b": "<h1>b</h1>",
      },
      { address: "127.0.33.14" },
    );
    const run = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
    await run("crawl", site.origin, "--max-depth", "0", ...fast);
    const before = site.log.length;
    for (let turn = 0; turn < 3; turn++)
      expect((await nuthatch([`${site.origin}/b`, "--rate-limit", "2/s"], { cwd: folder.path })).stdout).toBe("# b\n");
    const asked = site.log.slice(before);
    expect(asked.map(({ path }) => path)).toEqual(["/b", "/b", "/b"]);
    for (const gap of gaps(asked)) expect(gap).toBeGreaterThanOrEqual(690);

    const stored = await run(site.origin, "--max-age", "1h", "--json");
    expect(JSON.parse(stored.stdout)).toMatchObject({ isStored: true, markdown: "# v1\n", fetchedAt: expect.any(String) });
    expect(site.log.length).toBe(before + 3);
    expect(JSON.parse((await run(site.origin, "--max-age", "1ms", "--json", ...fast)).stdout)).toMatchObject({ isStored: false });
    expect(JSON.parse((await run(`${site.origin}/b`, "--max-age", "1h", "--json", ...fast)).stdout)).toMatchObject({ isStored: false });
    const { stdout } = await run("runs", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ id: 1 }] });
    expect((JSON.parse((await run("pages", "--json")).stdout) as { pages: unknown[] }).pages.length).toBe(1);
    await site.close();
  });

  test("calls at once on one data file ask in turn", async () => {
    using folder = tempFolder();
    const site = await serveSite({ "/": "<h1>x</h1>" }, { address: "127.0.33.15" });
    await nuthatchHere(["crawl", site.origin, "-q", ...fast], { cwd: folder.path });
    const before = site.log.length;
    const how = { db: folder.file("nuthatch.db"), rateLimit: "2/s" } as const;
    await Promise.all([fetchPage(site.origin, how), fetchPage(site.origin, how), fetchPage(site.origin, how)]);
    const asked = site.log.slice(before);
    await site.close();
    expect(asked.length).toBe(3);
    for (const gap of gaps(asked)) expect(gap).toBeGreaterThanOrEqual(490);
  });

  test("a header goes to the origin it is for, over a redirect too, and to no other", async () => {
    using folder = tempFolder();
    const other = await serveSite({ "/": "<h1>other</h1>" }, { address: "127.0.33.16" });
    const site = await serveSite(
      {
        "/here": { status: 302, headers: { Location: "/there" } },
        "/there": () => ({ status: 302, headers: { Location: `${other.origin}/` } }),
      },
      { address: "127.0.33.17" },
    );
    const args = [`${site.origin}/here`, "--header", "X-Key: s3cret", "--allow-private", "127.0.33.16", "--json", ...fast];
    const { code, stdout, stderr } = await nuthatchHere(args, { cwd: folder.path });
    expect([code, stdout]).toEqual([0, expect.stringContaining("# other")]);
    expect(stdout + stderr).not.toContain("s3cret");
    expect(site.log.map(({ path, headers }) => [path, headers["x-key"]])).toEqual(
      ["/robots.txt", "/here", "/there"].map((path) => [path, "s3cret"]),
    );
    expect(other.log.map(({ headers }) => headers["x-key"])).toEqual([undefined, undefined]);
    await site.close();
    await other.close();
  });
});
