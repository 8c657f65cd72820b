/** A site on its way out: Markdown, llms.txt, sitemaps, feeds and copies, all from the data file. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { DatabaseSync } from "@photostructure/sqlite";
import { crawl, exportTo } from "nuthatch";
import { fakeSite } from "nuthatch/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";

const page = (title: string, text: string, links = "", head = "") =>
  `<html lang="en"><head><title>${title}</title><meta name="description" content="All about ${title}, at length.">${head}</head>
  <body><nav><a href="/">Home</a></nav><main><h1>${title}</h1><p>${text}</p>${links}</main><footer>Made by hand</footer></body></html>`;

const words = "The bridge over the little river is open again after nine years, and the council is glad of it. ".repeat(5);
const to = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(" ");

const table: Record<string, string> = {
  "/robots.txt": "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n",
  "/": page("Example Town", words, to("/docs/", "/about", "/news/old", "/hidden", "/list?page=2", "/copy")),
  "/docs/": page("Documentation", words, to("/docs/start", "/docs/a-b")),
  "/docs/start": page("Start: \"here\" & 'now'", `${words} Begin at the counter.`),
  "/docs/a-b": page("Forms &lt;b&gt; [x]", `${words} All forms.`),
  "/about": page("About us", `${words} Who we are.`),
  "/news/old": page("Old news", `${words} It was so.`),
  "/hidden": page("Hidden", `${words} Not for everybody.`, "", '<meta name="robots" content="noindex">'),
  "/list?page=2": page("List", `${words} The second page.`),
  "/copy": page("Copy", `${words} It has a proper address.`, "", '<link rel="canonical" href="https://site.test/about">'),
};
const ORIGIN = "https://site.test";

/** Well-formed or not: tags that are closed, attributes in quotes, entities that exist. Answers the names of elements in order. */
function elementsOf(xml: string): string[] {
  const names: string[] = [];
  const open: string[] = [];
  const rest = xml.replace(/^<\?xml version="1\.0" encoding="utf-8"\?>\n/i, "");
  for (const [part, close, name, empty] of rest.matchAll(/<(\/)?([a-z]+)(?: [a-z]+="[^"<>]*")*(\/)?>|[^<>]+|[<>]/g)) {
    expect(part.replace(/&(?:amp|lt|gt|quot|#39);/g, ""), "an entity that is none").not.toMatch(/&|^[<>]$/);
    expect(part).not.toMatch(/[\x00-\x08\x0b-\x1f\ufffe\uffff]/);
    if (name === undefined) continue;
    if (close) expect(open.pop()).toBe(name);
    else names.push(name);
    if (!close && !empty) open.push(name);
  }
  expect(open).toEqual([]);
  return names;
}

describe("a site on its way out", () => {
  const folder = tempFolder();
  const db = folder.file("town.db");
  const run = (...args: string[]) => nuthatchHere(["export", ...args, "--db", db], { cwd: folder.path });
  const read = (path: string) => readFileSync(folder.file(path), "utf8");

  beforeAll(async () => {
    const site = fakeSite(table);
    const once = async () => {
      await using crawling = crawl(site.url, { db, ...site.options });
      await crawling.result;
    };
    await once();
    await exportTo(folder.file("pages"), { db, format: "md" });
    site.clock.pass(86_400_000);
    delete table["/news/old"];
    table["/about"] = page("About us", `${words} Who we were, and who we are now.`);
    await once();
  }, 60_000);
  afterAll(() => folder[Symbol.dispose]());

  test("as Markdown: a file a page where its URL says, with what is known of it above its main text", async () => {
    const files = readdirSync(folder.file("pages"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
    expect(files.sort()).toEqual([
      "site.test/about.md",
      "site.test/copy.md",
      "site.test/docs/a-b.md",
      "site.test/docs/index.md",
      "site.test/docs/start.md",
      "site.test/index.md",
      expect.stringMatching(/^site\.test\/list~[0-9a-f]{8}\.md$/),
      "site.test/news/old.md",
    ]);
    const [, head = "", text = ""] = read("pages/site.test/docs/start.md").split(/^---\n/m);
    expect(parse(head)).toMatchObject({
      url: `${ORIGIN}/docs/start`,
      title: "Start: \"here\" & 'now'",
      lang: "en",
      first_seen: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      sources: { lang: "html[lang]" },
    });
    expect(text).toContain("Begin at the counter.");
    expect(text).not.toMatch(/Home|Made by hand/);
  });

  test("as Markdown again: only what differs is written, what is gone goes, what is not ours stays", async () => {
    const before = read("pages/site.test/docs/start.md");
    writeFileSync(folder.file("pages/site.test/mine.md"), "mine");
    const part = await run("md", "--since", "2", "-o", "pages", "--json");
    expect(JSON.parse(part.stdout)).toMatchObject({ saved: 1, notes: ["1 written, 0 as they were, 0 removed"] });
    const { code, stderr } = await run("md", "-o", "pages");
    expect([code, stderr]).toEqual([0, expect.stringContaining("0 written, 7 as they were, 1 removed")]);
    expect(stderr).toContain("left out: noindex 1; --include-noindex takes them too");
    expect(existsSync(folder.file("pages/site.test/news"))).toBe(false);
    expect([read("pages/site.test/docs/start.md"), read("pages/site.test/mine.md")]).toEqual([before, "mine"]);
    expect((await run("md", "-o", "pages", "--include-noindex")).stderr).toContain("1 written");
  });

  test("as Markdown: a feed is passed over, and is not said to have no body", async () => {
    const feed = '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><link>/a</link></item></channel></rss>';
    const site = fakeSite({ "/": to("/news.xml"), "/news.xml": { body: feed, headers: { "content-type": "application/rss+xml" } } });
    using own = tempFolder();
    const run = crawl(site.url, { db: own.file("a.db"), ...site.options });
    await run.result;
    const { stderr } = await nuthatchHere(["export", "md", "-o", "out", "--db", "a.db"], { cwd: own.path });
    expect(stderr).toMatch(/^1 pages saved to out$/m);
    expect(stderr).toMatch(/^passed over, being feeds or other data: 1$/m);
  });

  test("as llms.txt: name, description, sections and links; llms-full.txt has the same pages whole", async () => {
    expect(await exportTo(folder.file("public"), { db, format: "llms" })).toMatchObject({ records: 7 });
    const lines = read("public/llms.txt").split("\n");
    expect(lines[0]).toBe("# Example Town");
    expect(lines[2]).toMatch(/^> /);
    expect(lines.filter((line) => line.startsWith("## "))).toEqual(["## Pages", "## Docs", "## About"]);
    const links = lines.filter((line) => line.startsWith("- "));
    for (const line of links) expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/site\.test\/[^)]*\)(: .+)?$/);
    const full = read("public/llms-full.txt");
    expect(links).toHaveLength(7);
    expect(full.match(/^Source: https:\/\/site\.test\/\S* \(first seen \d{4}-\d\d-\d\d\)$/gm)).toHaveLength(7);
    expect(full).not.toMatch(/Not for everybody|Made by hand/);
    expect(readdirSync(folder.file("public")).sort()).toEqual(["llms-full.txt", "llms.txt"]);
    expect((await run("llms", "-o", "public")).code).toBe(2);
    const before = [read("public/llms.txt"), full];
    const again = await run("llms", "-O", "public");
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining("Content-Signal: ai-train=no: it does not want models trained with it"),
    ]);
    expect([read("public/llms.txt"), read("public/llms-full.txt")]).toEqual(before);
  });

  test("as a sitemap: proper addresses that are there and want to be found, with when they became so", async () => {
    const { code, stdout } = await run("sitemap");
    expect([code, [...new Set(elementsOf(stdout))]]).toEqual([0, ["urlset", "url", "loc", "lastmod"]]);
    const urls = [...stdout.matchAll(/<loc>([^<]*)</g)].map(([, url]) => url!.replace(ORIGIN, ""));
    expect(urls.sort()).toEqual(["/", "/about", "/docs/", "/docs/a-b", "/docs/start", "/list?page=2"]);
    const [about, start] = ["/about", "/docs/start"].map((path) => new RegExp(`${path}</loc><lastmod>([^<]*)`).exec(stdout)![1]!);
    expect(Date.parse(about!) - Date.parse(start!)).toBeGreaterThan(80_000_000);
  });

  test("as a feed: valid Atom, the latest change first, each under a name of its own that stays", async () => {
    const { stdout } = await run("feed");
    const names = elementsOf(stdout);
    expect(names.slice(0, 4)).toEqual(["feed", "id", "title", "updated"]);
    expect(stdout).toContain('<feed xmlns="http://www.w3.org/2005/Atom">');
    const entries = stdout.split("<entry>").slice(1);
    for (const entry of entries)
      for (const once of ["id", "title", "updated", "summary"]) expect(entry.match(new RegExp(`<${once}>`, "g")), once).toHaveLength(1);
    const titles = entries.map((entry) => /<title>([^<]*)/.exec(entry)![1]);
    expect(titles.slice(0, 2).sort()).toEqual(["changed: About us", "gone: Old news"]);
    expect(titles).not.toContain("new: Hidden");
    const moments = [...stdout.matchAll(/<updated>([^<]*)/g)].map(([, at]) => at!);
    expect(moments.slice(1)).toEqual(moments.slice(1).sort().reverse());
    expect(moments[0]).toBe(moments[1]);
    const ids = [...stdout.matchAll(/<id>(urn:uuid:[0-9a-f-]{36})</g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(entries.length + 1);
    expect(stdout).toContain("&lt;ins&gt;");
    expect((await run("feed")).stdout).toBe(stdout);
    await exportTo(folder.file("all.atom.gz"), { db });
    expect(gunzipSync(readFileSync(folder.file("all.atom.gz"))).toString()).toBe(stdout);
    expect((await run("feed", "--limit", "1")).stdout.split("<entry>")).toHaveLength(2);
  });

  test("as a copy of the data file, whole or of one site", async () => {
    const other = fakeSite({ "/": page("Other", words) }, "https://other.test/");
    const both = folder.file("both.db");
    expect((await exportTo(both, { db })).records).toBe(8);
    await using crawling = crawl(other.url, { db: both, ...other.options });
    await crawling.result;
    await exportTo(folder.file("one.db"), { db: both, site: "other.test" });
    const copy = new DatabaseSync(folder.file("one.db"), { readOnly: true });
    expect(copy.prepare("SELECT url FROM page").all()).toEqual([{ url: "https://other.test/" }]);
    copy.close();
    expect(readdirSync(folder.path).filter((name) => name.includes("part"))).toEqual([]);
    for (const [format, name] of [
      ["sitemap", "a sitemap"],
      ["graphml", "a graph"],
      ["gexf", "a graph"],
    ] as const) {
      const refused = `${name} is of one site, and this data file knows 2`;
      expect((await nuthatchHere(["export", format, "--db", both])).stderr).toContain(refused);
      await expect(exportTo(folder.file(`out.${format}`), { db: both, format })).rejects.toThrow(refused);
    }
  });

  test("a mistake gets what to do, and changes nothing", async () => {
    mkdirSync(folder.file("mine"));
    writeFileSync(folder.file("mine/notes.txt"), "mine");
    const mistakes: [string[], RegExp][] = [
      [["md"], /needs a folder/],
      [["md", "-o", "mine"], /holds files that are not of an export/],
      [["md", "-o", "town.db"], /is a file/],
      [["sqlite", "-O", db], /is in use/],
      [["sqlite", "--run", "1", "-o", "new.db"], /takes no --run/],
      [["feed", "--append", "-o", "new.atom"], /cannot add/],
      [["feed", "--limit", "none"], /not a number/],
      [["jsonl", "--include-noindex"], /takes no --include-noindex/],
      [["csv", "--since", "lately"], /neither a run nor a moment/],
      [["sitemapp"], /did you mean sitemap/],
    ];
    const before = readdirSync(folder.path);
    for (const [args, said] of mistakes) {
      const { code, stderr } = await run(...args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringMatching(said)]);
    }
    expect(readdirSync(folder.path)).toEqual(before);
  });
});
