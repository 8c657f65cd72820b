import { DatabaseSync } from "@photostructure/sqlite";
import { changeFeed, changes } from "nuthatch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changesAsAtom, changesAsHtml, changesAsMarkdown } from "../dist/src/features/changes/change-markup.js";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { crawl } from "./near-library.ts";
import { type PageSpec, type RunningSite, serveSite } from "./site/index.ts";

const folder = tempFolder();
const db = folder.file("nuthatch.db");
const nut = (...args: string[]) => nuthatchHere(args, { cwd: folder.path });
let site: RunningSite;
let week = 1;

const EVIL = `<script>alert(1)</script>&"']]>\u202e\x07`;
const escapedEvil = EVIL.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const pages: Record<string, () => PageSpec> = {
  "/": () =>
    `<title>Home</title><h1>Home</h1><p>Welcome.</p><a href="/plan">plan</a> <a href="/evil">evil</a> <a href="/still">still</a> ${
      week === 1
        ? '<a href="/goes">goes</a> <a href="/lost">lost</a>'
        : '<a href="/fresh">fresh</a> <a href="https://other.test/report.pdf">report</a>'
    }`,
  "/plan": () =>
    `<title>Plan ${week === 1 ? "A" : "B"}</title><div>The plan</div><p>First words.</p><p>${["The old words of it.", "Quite other words of it.", "The third words of it."][week - 1]}</p><p>Last words.</p>`,
  "/evil": () =>
    `<title>${week === 1 ? "fine" : escapedEvil}</title><h1>${week === 1 ? "fine" : escapedEvil}</h1><p>Text ${week === 1 ? "before" : escapedEvil}.</p>`,
  "/still": () => "<title>Still</title><p>Always the same.</p>",
  "/goes": () => (week === 1 ? "<title>Goes</title><p>Soon gone.</p>" : { status: 404 }),
  "/lost": () => "<title>Lost</title><p>Nobody names me.</p>",
  "/fresh": () => "<title>Fresh</title><p>New here.</p>",
};

async function visit(options = {}) {
  await using run = crawl(`${site.origin}/`, {
    db,
    rateLimit: "none",
    perHost: 4,
    maxConcurrent: 4,
    keywords: { report: 0.8 },
    ...options,
  });
  return await run.result;
}

beforeAll(async () => {
  site = await serveSite(({ path }) => pages[path]?.(), { address: "127.0.65.11" });
  await visit();
  week = 2;
  await visit();
});

afterAll(async () => {
  await site.close();
  folder[Symbol.dispose]();
});

const at = (path: string) => `${site.origin}${path}`;

describe("changes", () => {
  test("tells what became of each page and link, and nothing of those that stayed", async () => {
    const feed = await changeFeed(db);
    expect(feed).toMatchObject({
      isComplete: true,
      from: { id: 1 },
      to: { id: 2 },
      counts: { new: 1, changed: 3, gone: 1, unlinked: 1, unknown: 0 },
    });
    const words = Object.fromEntries(feed.pages.map(({ url, change }) => [new URL(url).pathname, change]));
    expect(words).toEqual({
      "/": "changed",
      "/plan": "changed",
      "/evil": "changed",
      "/goes": "gone",
      "/lost": "unlinked",
      "/fresh": "new",
    });
    expect(feed.links.new.map(({ url }) => url).sort()).toEqual([at("/fresh"), "https://other.test/report.pdf"].sort());
    expect(feed.links.gone.map(({ url }) => url).sort()).toEqual([at("/goes"), at("/lost")]);
    const plan = feed.pages.find(({ url }) => url === at("/plan"))!;
    expect(plan.diff).toMatchObject({
      fields: [{ field: "title", before: "Plan A", now: "Plan B" }],
      text: [{ before: "First words.", removed: ["The old words of it."], added: ["Quite other words of it."], after: "Last words." }],
    });
  });

  test("with keywords, what matters is first, and can be had alone", async () => {
    const { pages: listed, links } = await changeFeed(db, { minScore: 0.5 });
    expect(listed.map(({ url, score }) => [url, score])).toEqual([[at("/"), expect.closeTo(0.8)]]);
    expect(links).toMatchObject({ new: [{ url: "https://other.test/report.pdf", score: expect.closeTo(0.8) }], gone: [] });
    expect((await changeFeed(db)).pages[0]!.url).toBe(at("/"));
  });

  test("as text for people: counts, then a list; --diff shows the words, --stat only the counts", async () => {
    const { stdout, code } = await nut("changes", "--diff");
    expect(code).toBe(0);
    expect(stdout).toContain("new 1 · changed 3 · gone 1 · unlinked 1 · unknown 0");
    expect(stdout).toMatch(/- The old words of it\.\n +\+ Quite other words of it\./);
    expect(stdout).toContain(`+ ${at("/fresh")} “fresh”`);
    expect(stdout).not.toMatch(/[\x07\u202e]/);
    expect((await nut("changes", "--stat")).stdout.trimEnd().split("\n")).toHaveLength(2);
  });

  test.each([
    ["html", changesAsHtml, /^<!doctype html>/],
    ["Atom", changesAsAtom, /^<\?xml version="1.0"/],
    ["Markdown", changesAsMarkdown, /^# Changes/],
  ])("as %s nothing of the web stands raw", async (_, write, start) => {
    const text = write(await changeFeed(db), true);
    expect(text).toMatch(start);
    // What is fenced is shown as it stands.
    expect(text.replace(/^(`{3,})diff\n[\s\S]*?\n\1$/gm, "")).not.toContain("<script");
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(text).toContain("Quite other words");
  });

  test("an Atom feed has one entry for each change, under names that stay", async () => {
    const ids = (text: string) =>
      [...text.matchAll(/<id>(urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})<\/id>/g)].map(([, id]) => id);
    const [first, second] = [changesAsAtom(await changeFeed(db), false), changesAsAtom(await changeFeed(db), true)];
    expect(ids(first)).toEqual(ids(second));
    expect(new Set(ids(first)).size).toBe(7);
    expect(first.match(/<entry>/g)).toHaveLength(6);
  });

  test("--only, --exit-code, --json, and files by their ending", async () => {
    const { stdout, code } = await nut("changes", "--only", "gone,new", "--json", "--exit-code");
    expect(code).toBe(12);
    const { schemaVersion, pages: listed } = JSON.parse(stdout) as { schemaVersion: number; pages: { change: string }[] };
    expect([schemaVersion, listed.map(({ change }) => change).sort()]).toEqual([1, ["gone", "new"]]);
    await nut("changes", "-o", "feed.atom");
    expect((await nut("changes", "-o", "feed.atom")).code).toBe(2);
  });

  test.each([
    ["a word that is no change", ["--only", "chnged"], "did you mean changed?"],
    ["one run where two are needed", ["--between", "1"], "--between needs two runs"],
    ["the wrong way round", ["--between", "2", "1"], "--between 1 2"],
  ])("a mistake gets what to do: %s", async (_, args, words) => {
    const { code, stderr, stdout } = await nut("changes", ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
  });

  test.each([
    ["since the latest run", "2", "nothing has been seen since"],
    ["since a run that never was", "77", "there is no run 77"],
    ["since a moment that is none", "lately", "neither a run nor a moment"],
  ])("%s is a mistake", async (_, since, words) => {
    await expect(changeFeed(db, { since })).rejects.toThrow(words);
  });

  test("diff shows two versions of one page", async () => {
    const { stdout } = await nut("diff", at("/plan"));
    expect(stdout).toContain("- The old words of it.\n+ Quite other words of it.");
    const one = await nut("diff", at("/still"));
    expect([one.code, one.stderr]).toEqual([2, expect.stringContaining("only one version")]);
    expect(JSON.parse((await nut("diff", at("/plan"), "--json")).stdout)).toMatchObject({
      schemaVersion: 1,
      from: { version: 1 },
      to: { version: 2 },
    });
  });
});

describe("what is ignored", () => {
  const here = (...args: string[]) => nuthatchHere([...args, "--db", db], { cwd: folder.path });
  /** How many pages the latest run counted as changed. */
  const visited = async () => JSON.parse((await here("runs", "--json")).stdout).runs[0].counters.changes.changed as number;
  const plan = async () => (await changeFeed(db)).pages.find(({ url }) => url === at("/plan"));

  test.each([
    ["nothing to ignore", ["add"], "what is to be ignored"],
    ["nothing to recognise it by", ["add", "--pattern", "* — *"], "nothing in it to recognise"],
    ["no number", ["rm", "plan"], "which of them"],
    ["a number that is none", ["rm", "99"], "nothing of the number 99"],
  ])("is refused: %s", async (_, args, words) => {
    const { code, stderr } = await here("ignore", ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  test("vanishes from diffs and counts, and later runs find nothing new in it", async () => {
    expect(await plan()).toMatchObject({ change: "changed" });
    const added = await here("ignore", "add", "--pattern", "*words of it.", "--page", at("/plan"), "--json");
    expect(JSON.parse(added.stdout).ignored).toMatchObject([{ id: 1, kind: "pattern", value: "*words of it.", page: at("/plan") }]);
    const shown = JSON.parse((await here("diff", at("/plan"), "--json")).stdout);
    expect(shown).toMatchObject({ text: [], words: 0, fields: [{ field: "title" }] });
    expect(JSON.parse((await here("diff", at("/plan"), "--all", "--json")).stdout).text).toHaveLength(1);
    await here("ignore", "add", "Plan A");
    await here("ignore", "add", "Plan B");
    expect(await plan()).toBeUndefined();
    expect(await changeFeed(db)).toMatchObject({ onlyNoise: 1, counts: { changed: (await visited()) - 1 } });
    expect((await here("changes")).stderr).toMatch(/left out: 1 page that differs only in what changes by itself or is ignored/);
    week = 3;
    expect((await visit()).stats.changes).toMatchObject({ changed: 0 });
    for (const number of ["1", "2", "3"]) await here("ignore", "rm", number);
    expect((await here("ignore")).stderr).toBe("nothing is ignored\n");
    expect((await visit()).stats.changes).toMatchObject({ changed: 1 });
  });

  test.each([
    ["dates,numbers", 0],
    ["whitespace, numbers", 0],
    ["words", 2],
  ])("a diff leaves out %s", async (kinds, code) => {
    expect((await here("diff", at("/plan"), "--ignore", kinds)).code).toBe(code);
  });
});

describe("over more runs", () => {
  test("a run that was cut short says unknown, never gone; what came and went again is nothing; old versions go", async () => {
    week = 1;
    const cut = await visit({ maxPages: 2 });
    expect(cut).toMatchObject({ stopReason: "limit.pages", stats: { changes: { gone: 0 } } });
    const { stdout } = await nut("changes");
    expect(stdout).toMatch(/did not see everything \(limit\.pages\): \d known pages? (was|were) not reached\. Unknown, not gone\./);
    expect((await changeFeed(db)).pages.filter(({ change }) => change === "gone" || change === "unknown")).toEqual([]);

    await visit();
    const feed = await changeFeed(db, { since: "1" });
    expect(feed.pages.map(({ url, change }) => [new URL(url).pathname, change])).toEqual([["/fresh", "unlinked"]]);
    const found = [];
    for await (const change of changes(db)) found.push(change.change);
    expect(found.length).toBeGreaterThan(0);

    await visit({ keepVersions: 1, full: true });
    week = 2;
    await visit({ keepVersions: 1, prune: true, keywords: { council: 1 } });
    const data = new DatabaseSync(db, { readOnly: true });
    const rows = (from: string) => Number((data.prepare(`SELECT count(*) AS rows ${from}`).get() as { rows: number }).rows);
    expect(rows("FROM page_version GROUP BY page_id HAVING count(*) > 1 UNION ALL SELECT 0 LIMIT 1")).toBe(0);
    expect(rows("FROM body WHERE hash NOT IN (SELECT body_hash FROM page_version)")).toBe(0);
    expect(rows("FROM page WHERE is_gone = 1")).toBe(0);
    data.close();
  });
});

test("hosts are paused, slowed down and let go by name", async () => {
  const hosts = async (...args: string[]) => JSON.parse((await nuthatchHere(["hosts", ...args, "--db", db, "--json"])).stdout).hosts;
  expect(await hosts("pause", "A.test:8080", "2h")).toMatchObject([{ host: "a.test:8080", pausedUntil: expect.any(String), rate: null }]);
  expect(await hosts("slow", "https://b.test/x", "30/m")).toMatchObject([{ host: "a.test:8080" }, { host: "b.test", rate: 0.5 }]);
  const free = async (host: string) => (await nuthatchHere(["hosts", "free", host, "--db", db])).stderr;
  expect(await free("a.test")).toBe("a.test was neither paused, slowed down nor waiting\n");
  expect(await free("a.test:8080")).not.toContain("neither");
  expect(await hosts("free", "b.test")).toEqual([]);
  for (const args of [["pause"], ["pause", "a.test"], ["pause", "a.test", "long"], ["slow", "a.test", "none!"], ["free", "a b"]])
    expect((await nuthatchHere(["hosts", ...args, "--db", db])).code, args.join(" ")).toBe(2);
});

describe("what is compared with what", () => {
  const spec = (links: string) => `<title>Home</title><p>Words.</p>${links}`;
  const crawled = (seeds: string | string[], file: string) => crawl(seeds, { db: file, rateLimit: "none", perHost: 4 }).result;

  test("each site with its own run before, though one run visited several; with a moment after the last run, nothing", async () => {
    using own = tempFolder();
    const file = own.file("two.db");
    const [a, b] = [
      await serveSite({ "/": spec('<a href="/a">a</a>'), "/a": "<p>a</p>" }, { address: "127.0.65.21" }),
      await serveSite({ "/": spec(""), "/b": "<p>b</p>" }, { address: "127.0.65.22" }),
    ];
    await crawled(`${a.origin}/`, file);
    await crawled(`${b.origin}/`, file);
    await crawled([`${a.origin}/`, `${b.origin}/`], file);
    expect(await changeFeed(file)).toMatchObject({ to: { id: 3 }, pages: [], counts: { new: 0, changed: 0, gone: 0 } });
    const { code, stdout } = await nuthatchHere(["changes", "--db", file, "--since", "2999-01-01", "--exit-code"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("nothing was looked at since run 3")]);
    await Promise.all([a.close(), b.close()]);
  });

  test("a site's first crawl is what later runs are compared with: its pages are counted, and not listed as new", async () => {
    using own = tempFolder();
    const file = own.file("young.db");
    let links = '<a href="/a">a</a>';
    const site = await serveSite(
      { "/": () => spec(links), "/a": "<title>A</title><p>Words of a.</p>", "/b": "<title>B</title><p>Words of b.</p>" },
      { address: "127.0.65.23" },
    );
    const told = async (...flags: string[]) => (await nuthatchHere(["changes", "--db", file, ...flags])).stdout;
    await crawled(`${site.origin}/`, file);
    const text = await told("--since", "7d");
    expect(text).toMatch(/was first crawled in run 1 \(.+\): 2 pages then\. Later runs are compared with it\.\n {2}new 0 · changed 0/);
    expect(text).not.toContain("“A”");
    expect(await changeFeed(file, { since: "7d" })).toMatchObject({ from: null, pages: [], firstCrawls: [{ run: { id: 1 }, pages: 2 }] });
    expect(await changeFeed(file), "the run itself, as it is counted").toMatchObject({ from: null, counts: { new: 2 }, firstCrawls: [] });

    links += '<a href="/b">b</a>';
    await crawled(`${site.origin}/`, file);
    await crawled(`${site.origin}/`, file);
    const feed = await changeFeed(file, { since: "7d" });
    expect(feed).toMatchObject({ from: { id: 1 }, to: { id: 3 }, counts: { new: 1, changed: 1 }, firstCrawls: [{ pages: 2 }] });
    expect(feed.pages.map(({ url, change }) => [new URL(url).pathname, change])).toEqual([
      ["/b", "new"],
      ["/", "changed"],
    ]);
    expect(await told("--since", "7d")).toContain("2 pages then. Everything is compared with that.");
    expect((await changeFeed(file)).firstCrawls).toEqual([]);
    const { stdout } = await nuthatchHere(["export", "feed", "--since", "7d", "--db", file]);
    expect(stdout.split("<entry>")).toHaveLength(3);
    await site.close();
  });

  test("a site that joins later has its own first crawl", async () => {
    using own = tempFolder();
    const file = own.file("joined.db");
    const [a, b] = [
      await serveSite({ "/": spec('<a href="/a">a</a>'), "/a": "<p>a</p>" }, { address: "127.0.65.24" }),
      await serveSite({ "/": spec('<a href="/b">b</a>'), "/b": "<p>b</p>" }, { address: "127.0.65.25" }),
    ];
    await crawled(`${a.origin}/`, file);
    await crawled([`${a.origin}/`, `${b.origin}/`], file);
    const [first, second] = (await changeFeed(file, { since: "7d" })).firstCrawls;
    expect([first, second]).toMatchObject([
      { url: `${a.origin}/`, run: { id: 1 }, pages: 2 },
      { url: `${b.origin}/`, run: { id: 2 }, pages: 2 },
    ]);
    expect((await changeFeed(file, { since: "7d" })).counts.new).toBe(0);
    expect((await changeFeed(file)).counts.new, "new in the last run").toBe(2);
    await Promise.all([a.close(), b.close()]);
  });

  test("a run that was cut short, and missed no known page, does not count them", async () => {
    using own = tempFolder();
    const file = own.file("cut.db");
    const site = await serveSite({ "/": spec('<a href="/a">a</a>'), "/a": "<p>a</p>" }, { address: "127.0.65.26" });
    await crawl(`${site.origin}/`, { db: file, rateLimit: "none", maxPages: 1 }).result;
    const { stdout } = await nuthatchHere(["changes", "--db", file]);
    expect(stdout).toContain("did not see everything (limit.pages): what it did not reach is not listed.");
    expect(stdout).not.toContain("0 known pages");
    await site.close();
  });

  test("that nobody names a page is told once, and again only if it says something else or is named in between", async () => {
    using own = tempFolder();
    const file = own.file("lost.db");
    let [isNamed, text] = [true, "The words of the lost page."];
    const pages = { "/": () => spec(isNamed ? '<a href="/lost">lost</a>' : ""), "/lost": () => `<title>Lost</title><p>${text}</p>` };
    const lone = await serveSite(pages, { address: "127.0.65.23" });
    const told = async () => {
      const { code } = await nuthatchHere(["crawl", lone.origin, "--db", file, "--rate-limit", "none", "--fail-on", "changes"]);
      const feed = await changeFeed(file);
      return [code, ...feed.pages.filter(({ url }) => url.endsWith("/lost")).map(({ change }) => change)];
    };
    await told();
    isNamed = false;
    expect(await told()).toEqual([12, "unlinked"]);
    expect(await told()).toEqual([0]);
    text = "The lost page has found other words.";
    expect(await told()).toEqual([12, "changed"]);
    expect(await told()).toEqual([0]);
    const { stdout } = await nuthatchHere(["export", "feed", "--db", file]);
    expect(stdout.match(/<title>unlinked/g)).toHaveLength(1);
    isNamed = true;
    await told();
    isNamed = false;
    expect(await told()).toEqual([12, "unlinked"]);
    await lone.close();
  });
});
