/** A context end to end: which links are followed, how politely, what becomes of trouble, and what stands in the pack. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { type ContextNews, changeFeed, type SiteContext } from "nuthatch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aPdf } from "./a-pdf.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { nuthatchHere } from "./in-process.ts";
import { context, crawl } from "./near-library.ts";
import { gaps, mostAtOnce, type PageSpec, type RunningSite, serveSite } from "./site/index.ts";
import { type PlantedSite, plantedKinds, plantedSite } from "./site/planted/index.ts";

const nav = `<nav><a href="/">Home</a> <a href="/features">Features</a> <a href="/login">Log in</a></nav>`;
const page = (title: string, body: string): string =>
  `<!doctype html><html lang=en><title>${title}</title><body><header>${nav}</header><main><h1>${title}</h1>${body}</main><footer>All rights kept</footer>`;
const prose = (fact: string) =>
  `<p>${fact} It has done so since the first day, on large machines and on small ones, and nobody has had to think about it again.</p>`;

const root = page(
  "Ferry",
  `${prose("Ferry carries files across rooms.")}
  <p>Read about our <a href="features">features</a>, the <a href="/docs/concepts.md">concepts guide</a>, the <a href="/glossary.txt">glossary</a>,
  the <a href="/manual.pdf">product manual</a>, <a href="/about#team">about us</a> or <a href="/about">about</a>, the <a href="/closed/guide">closed guide</a>
  and the <a href="/old/tutorial">tutorial</a>.</p><p><a href="/contact">Contact</a></p>`,
);
const etag = (body: string): PageSpec => ({ body, etag: true });
const robots = "User-agent: *\nDisallow: /closed/\nContent-Signal: search=yes, ai-input=no\n";
const typed = (type: string, body: string | Buffer): PageSpec => ({ headers: { "Content-Type": type }, body, etag: true });
const site: Record<string, PageSpec> = {
  "/robots.txt": typed("text/plain", robots),
  "/": etag(root),
  "/features": etag(page("Features of Ferry", `<h2>What it does</h2>${prose("Ferry resumes after a crash.")}`)),
  "/about": etag(page("About Ferry", prose("Ferry was begun in a boathouse."))),
  "/docs/concepts.md": typed("text/markdown", "---\ndraft: true\n---\n# Concepts\n\n## Piers\n\nA pier holds one file at a time.\n"),
  "/glossary.txt": typed("text/plain", "Berth: the place where a file rests overnight.\n"),
  "/manual.pdf": typed("application/pdf", aPdf(["Hoist the blue flag before loading."])),
  "/old/tutorial": { status: 301, headers: { Location: "/about" } },
  "/contact": page("Contact", prose("Write to us.")),
};

const bare = (title: string, body: string) => `<!doctype html><title>${title}</title><main><h1>${title}</h1>${prose(title)}${body}</main>`;

const linked = ({ json }: SiteContext) => json!.linked_pages;
const paths = (made: SiteContext) => linked(made).map(({ url }) => new URL(url).pathname);
const failed = ({ json }: SiteContext) => Object.fromEntries(json!.failed_links.map((one) => [new URL(one.url).pathname, one]));

const fast = { rateLimit: "50/s", timeout: "1s", retries: 0 };

describe("a context", () => {
  const folder = tempFolder();
  const db = folder.file("nuthatch.db");
  let served: RunningSite;
  let first: SiteContext;
  const wide = { ...fast, db, maxLinks: 20 };

  beforeAll(async () => {
    served = await serveSite(site, { address: "127.0.71.1" });
    first = await context(served.origin, wide);
  }, 60_000);
  afterAll(async () => {
    await served.close();
    folder[Symbol.dispose]();
  });

  test("follows what explains the product, the most relevant first, each page once and by its whole address", () => {
    expect(first).toMatchObject({ ok: true, reason: "ok", id: 1, changes: null });
    expect(paths(first).toSorted()).toEqual(["/about", "/docs/concepts.md", "/features", "/glossary.txt", "/manual.pdf"]);
    const scores = linked(first).map(({ relevance_score: score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0.4);
    expect(linked(first).every(({ url }) => url.startsWith(`${served.origin}/`))).toBe(true);
  });

  test("what robots.txt closes is not asked for, and listed with its rule", () => {
    expect(failed(first)["/closed/guide"]).toMatchObject({ reason: "robots.disallow", rule: expect.stringContaining("/closed/") });
    expect(served.log.some(({ path }) => path.startsWith("/closed/"))).toBe(false);
  });

  test.each([
    ["HTML", "/", "Ferry carries files across rooms."],
    ["HTML of a link", "/features", "Ferry resumes after a crash."],
    ["Markdown", "/docs/concepts.md", "A pier holds one file at a time."],
    ["plain text", "/glossary.txt", "the place where a file rests overnight"],
    ["PDF", "/manual.pdf", "Hoist the blue flag before loading."],
  ])("%s is understood, and stands in both forms", (_, path, fact) => {
    const pages = [first.json!.root_page, ...linked(first)];
    const said = pages.find(({ url }) => new URL(url).pathname === path);
    expect(JSON.stringify(said?.sections)).toContain(fact);
    expect(first.markdown).toContain(fact);
  });

  test("menus and footers are not in it, and every block names its page and a day", () => {
    for (const text of ["Log in", "All rights kept", "draft: true"]) expect(first.markdown).not.toContain(text);
    const today = new Date().toISOString().slice(0, 10);
    expect(first.markdown).toContain(`<${served.origin}/features> (${today})`);
  });

  test("JSON has the documented shape, field by field", () => {
    const { root_page: rootPage, linked_pages: pages, global_sections: sections } = first.json!;
    expect(rootPage).toMatchObject({ title: "Ferry", metadata: { lang: "en" }, url: `${served.origin}/`, first_seen: expect.any(String) });
    expect(rootPage.headings[0]).toEqual({ level: 1, text: "Ferry", id: "ferry" });
    const features = pages.find(({ url }) => url.endsWith("/features"))!;
    expect(Object.keys(features).toSorted()).toEqual([
      "anchor_text",
      "first_seen",
      "headings",
      "metadata",
      "relevance_score",
      "sections",
      "title",
      "url",
    ]);
    expect(features).toMatchObject({ title: "Features of Ferry", relevance_score: expect.any(Number), anchor_text: "features" });
    expect(features.sections["what-it-does"]).toMatchObject({ heading: "What it does", level: 2, path: ["Features of Ferry"] });
    expect(Object.keys(sections)).toEqual(["features", "about", "concepts", "terminology"]);
    const [said] = sections.features;
    expect(said).toMatchObject({ name: expect.any(String), id: expect.any(String), source: expect.stringMatching(/^http/) });
    expect(said?.content).toContain("Ferry resumes after a crash.");
  });

  test("the same call again asks only whether pages changed, reads nothing anew, and gives the same bytes", async () => {
    const asked = served.log.length;
    // What would have to be read again is not there any more.
    const file = new DatabaseSync(db);
    file.exec("DELETE FROM body");
    file.close();
    const again = await context(served.origin, wide);
    expect([again.markdown, JSON.stringify(again.json)]).toEqual([first.markdown, JSON.stringify(first.json)]);
    expect(again).toMatchObject({ id: 1, changes: { new: [], changed: [], gone: [], same: 6 } });
    const statuses = new Map(served.log.slice(asked).map(({ path, status }) => [path, status]));
    expect([statuses.get("/"), statuses.get("/features"), statuses.get("/manual.pdf")]).toEqual([304, 304, 304]);
  });

  test("a page that changed is the only one that is new in it", async () => {
    const changed = {
      ...site,
      "/features": etag(page("Features of Ferry", `<h2>What it does</h2>${prose("Ferry now also counts the rowers.")}`)),
    };
    await served.close();
    served = await serveSite(changed, { address: "127.0.71.1", port: Number(new URL(served.origin).port) });
    const third = await context(served.origin, wide);
    expect(third.changes).toEqual({ new: [], changed: [`${served.origin}/features`], gone: [], same: 5 });
    expect(third.markdown).toContain("counts the rowers");
    expect(third.markdown).toContain("Hoist the blue flag");
  });

  test("pages of a crawl that kept no bodies are asked for once more", async () => {
    using other = tempFolder();
    const lean = { ...fast, db: other.file("lean.db") };
    await crawl(served.origin, { ...lean, save: ["links"], enhance: false, maxDepth: 1 }).result;
    const made = await context(served.origin, { ...lean, maxLinks: 2 });
    expect([made.ok, linked(made).length]).toEqual([true, 2]);
    expect(made.markdown).toContain("Ferry carries files across rooms.");
    await expect(context(served.origin, { ...lean, minScore: 4 })).rejects.toThrow("minScore: 4 is not from 0 to 1");
    for (const maxTokens of [Number.NaN, -5, 1.5, "300" as never])
      await expect(context(served.origin, { ...lean, maxTokens })).rejects.toThrow(`maxTokens: ${maxTokens} is not a whole number`);
    await expect(context(served.origin, { ...lean, sections: ["nope" as never] })).rejects.toThrow("there is no section nope");
  });

  test("such looks are no crawls: nothing is called gone, and what changed is told by crawls alone", async () => {
    const [run] = new DatabaseSync(db, { readOnly: true }).prepare("SELECT kind, count(*) AS runs FROM run GROUP BY kind").all();
    expect(run).toMatchObject({ kind: "context" });
    await expect(changeFeed(db)).rejects.toThrow("there has been no run yet");
    await crawl(served.origin, { ...fast, db, maxPages: 40 }).result;
    await context(served.origin, { ...wide, follow: false });
    const { to, counts } = await changeFeed(db);
    expect([to.id > 1, counts.gone, counts.unlinked]).toEqual([true, 0, 0]);
  });
});

describe("a context of a site in trouble", () => {
  test("has what could be had; every other link is listed with its reason", async () => {
    const links = ["/broken/features", "/slow/overview", "/lost/documentation", "/torn/manual.pdf", "/about"];
    const served = await serveSite(
      {
        "/": bare("Ferry", links.map((path) => `<p><a href="${path}">${path.split("/").at(-1)}</a></p>`).join("")),
        "/broken/features": { status: 500, body: "no" },
        "/slow/overview": { delay: 3000, body: page("Slow", prose("Too late.")) },
        "/lost/documentation": page("Page not found", "<p>Error 404. The page you are looking for does not exist.</p>"),
        "/torn/manual.pdf": typed("application/pdf", "%PDF-1.4 and no more"),
        "/about": page("About Ferry", prose("Ferry was begun in a boathouse.")),
      },
      { address: "127.0.71.10" },
    );
    const made = await context(served.origin, fast);
    await served.close();
    expect(paths(made)).toEqual(["/about"]);
    expect(failed(made)).toMatchObject({
      "/broken/features": { reason: "http.5xx" },
      "/slow/overview": { reason: "timeout" },
      "/lost/documentation": { reason: "soft-404" },
      "/torn/manual.pdf": { rule: expect.stringContaining("a PDF that cannot be read") },
    });
  });
});

describe("a context is polite", () => {
  test("at its rate, one at a time, and no more links than it may, the best of them", async () => {
    const served = await serveSite(site, { address: "127.0.71.2" });
    const two = await context(served.origin, { ...fast, rateLimit: "5/s", maxLinks: 2, minScore: 0.5 });
    await served.close();
    expect(linked(two)).toHaveLength(2);
    expect(Math.min(...gaps(served.log))).toBeGreaterThanOrEqual(195);
    expect(mostAtOnce(served.log)).toBe(1);
    expect(served.log.map(({ path }) => path)).not.toContain("/contact");
  });

  test("where robots.txt closes a link, the next best is taken", async () => {
    const served = await serveSite({ ...site, "/robots.txt": "User-agent: *\nDisallow: /features" }, { address: "127.0.71.3" });
    const one = await context(served.origin, { ...fast, maxLinks: 1 });
    await served.close();
    expect([linked(one).length, failed(one)["/features"]?.reason]).toEqual([1, "robots.disallow"]);
  });

  test("a page cannot lead it behind our own door: only the host that was named is open, and told what was given for it", async () => {
    const inside = await serveSite({ "/features": page("Features", prose("A secret of the house.")) }, { address: "127.0.71.5" });
    const outside = await serveSite(
      { "/": page("Trap", `<p><a href="${inside.origin}/features">Features</a></p>`) },
      { address: "127.0.71.4" },
    );
    const given = { ...fast, scope: "any" as const, minScore: 0.1 };
    const made = await context(outside.origin, given);
    expect([inside.log, failed(made)["/features"]?.reason]).toEqual([[], "private-network"]);
    const opened = await context(outside.origin, { ...given, allowPrivate: ["127.0.71.5"], header: ["X-Key: told to one"] });
    await Promise.all([inside.close(), outside.close()]);
    expect(paths(opened)).toEqual(["/features"]);
    expect([outside.log.at(-1)?.headers["x-key"], inside.log.at(-1)?.headers["x-key"]]).toEqual(["told to one", undefined]);
  });

  test("a page that says nofollow is not followed, and --no-follow asks for nothing else", async () => {
    const shy = root.replace("<title>", '<meta name="robots" content="nofollow"><title>');
    const served = await serveSite({ ...site, "/": (hit) => (hit === 1 ? shy : root) }, { address: "127.0.71.6" });
    expect(paths(await context(served.origin, { ...fast, maxLinks: 3 }))).toEqual([]);
    expect(paths(await context(served.origin, { ...fast, follow: false }))).toEqual([]);
    await served.close();
    expect(served.log.map(({ path }) => path)).toEqual(["/robots.txt", "/", "/"]);
  });

  test("links that all lead back are not tried without end", async () => {
    const links = Array.from({ length: 200 }, (_, at) => `<a href="/features/${at}">Features ${at}</a>`).join(" ");
    const back = { status: 302, headers: { Location: "/" } };
    const served = await serveSite(({ path }) => (path === "/" ? bare("Ferry", links) : path === "/robots.txt" ? "" : back), {
      address: "127.0.71.13",
    });
    const alone = await context(served.origin, { ...fast, rateLimit: "none", maxLinks: 2 });
    await served.close();
    expect([paths(alone), served.log.filter(({ path }) => path.startsWith("/features/")).length]).toEqual([[], 8]);
  });

  test("keywords make links more relevant; whoever has enough can stop it", async () => {
    const served = await serveSite(
      {
        "/": bare("Ferry", `<p><a href="/weather">Weather</a> <a href="/paint">Paint</a></p>`),
        "/weather": bare("Weather", ""),
        "/paint": bare("Paint", ""),
      },
      { address: "127.0.71.14" },
    );
    const notes: string[] = [];
    const onNews = (news: ContextNews) => void (news.type === "notice" && notes.push(news.text));
    expect(paths(await context(served.origin, { ...fast, onNews }))).toEqual([]);
    expect(notes).toEqual([`${served.origin}/ has no link of relevance 0.4 or more: --min-score takes less`]);
    expect(paths(await context(served.origin, { ...fast, keywords: ["weather"] }))).toEqual(["/weather"]);
    const stop = new AbortController();
    const stopped = context(served.origin, { ...fast, keywords: ["paint"], signal: stop.signal, onNews: () => stop.abort() });
    await expect(stopped).rejects.toThrow("aborted");
    await served.close();
  });

  test("deeper links share the number of links", async () => {
    const deep = {
      "/": bare("Ferry", `<p><a href="/docs">Documentation</a></p>`),
      "/docs": bare("Documentation", `<p><a href="/docs/concepts">Concepts</a> <a href="/docs/features">Features</a></p>`),
      "/docs/concepts": bare("Concepts", ""),
      "/docs/features": bare("Features", ""),
    };
    const served = await serveSite(deep, { address: "127.0.71.7" });
    const two = await context(served.origin, { ...fast, maxDepth: 2, maxLinks: 2 });
    await served.close();
    expect([paths(two)[0], linked(two).length]).toEqual(["/docs", 2]);
  });
});

describe("nuthatch context", () => {
  const folder = tempFolder();
  let served: RunningSite;
  const args = () => ["context", served.origin, "--rate-limit", "50/s", "--max-links", "2"];
  beforeAll(async () => {
    served = await serveSite({ ...site, "/gone": { status: 404, body: "no" } }, { address: "127.0.71.8" });
  });
  afterAll(async () => {
    await served.close();
    folder[Symbol.dispose]();
  });

  test("writes Markdown to stdout, and how it went and what the site thinks of models to stderr", async () => {
    const { code, stdout, stderr } = await nuthatch(args(), { cwd: folder.path });
    expect([code, stdout.split("\n")[0]]).toEqual([0, "# Ferry"]);
    expect(stderr).toContain(`1.00  new      ${served.origin}/\n`);
    expect(stderr).toContain("Content-Signal: ai-input=no");
    expect(stderr).toMatch(/context 1: 3 pages, about [\d,]+ tokens\n$/);
    const file = await nuthatchHere([...args(), "-q", "-o", "context.json"], { cwd: folder.path });
    expect([file.code, file.stdout, file.stderr]).toEqual([0, "", ""]);
    expect(JSON.parse(readFileSync(folder.file("context.json"), "utf8"))).toMatchObject({
      schemaVersion: 1,
      id: 1,
      root_page: { title: "Ferry" },
    });
  });

  test("what is stored is listed, shown without asking anybody, and removed", async () => {
    const asked = served.log.length;
    const run = async (...words: string[]) => nuthatchHere(["context", ...words], { cwd: folder.path });
    expect(JSON.parse((await run("list", "--json")).stdout)).toMatchObject({ contexts: [{ id: 1, url: `${served.origin}/` }] });
    expect((await run("show", "1", "--sections", "about")).stdout).toContain("Ferry carries files");
    expect((await run("rm", "1")).stdout).toBe("Removed context 1; its pages are kept.\n");
    expect(await run("show", "1")).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no context 1") });
    expect(served.log.length).toBe(asked);
  });

  test.each([
    ["a score above 1", ["--min-score", "3"], 2, "--min-score: 3 is not from 0 to 1"],
    ["a section that is none", ["--sections", "featurs"], 2, "did you mean --sections features?"],
    ["a format that is none", ["-f", "html"], 2, "there is no format html"],
    ["a second address", ["http://127.0.71.8/"], 2, "a context begins with one page"],
    ["a file that is there", ["-o", "taken.md"], 2, "taken.md exists already"],
  ])("%s is refused before anything is asked", async (_, more, code, words) => {
    writeFileSync(folder.file("taken.md"), "");
    const asked = served.log.length;
    const ended = await nuthatchHere([...args(), ...more, "--db", "none.db"], { cwd: folder.path });
    expect([ended.code, existsSync(folder.file("none.db")), served.log.length - asked]).toEqual([code, false, 0]);
    expect(ended.stderr).toContain(words);
  });

  test.each([
    ["max_links", "maxLinks"],
    ["min_score", "minScore"],
    ["rate_limit", "rateLimit"],
  ])("the library says what is meant by %s", async (odd, meant) => {
    await expect(context(served.origin, { [odd]: 1 } as object)).rejects.toMatchObject({ hint: `did you mean ${meant}?` });
  });

  test.each([
    ["a page that is not there", "/gone", 3],
    ["a page that robots.txt closes", "/closed/guide", 4],
  ])("%s ends like any other command", async (_, path, code) => {
    const ended = await nuthatchHere(["context", `${served.origin}${path}`, "--rate-limit", "50/s", "--json"], { cwd: folder.path });
    expect([ended.code, JSON.parse(ended.stdout).error.exitCode]).toEqual([code, code]);
    expect(ended.stderr).toContain("no page could be fetched");
  });
});

describe.each(plantedKinds)("a context of a %s site with planted facts", (kind) => {
  const planted: PlantedSite = plantedSite(kind, 7);
  let served: RunningSite;
  beforeAll(async () => {
    served = await serveSite({ ...planted.pages }, { address: "127.0.71.11" });
  });
  afterAll(() => served.close());

  test("has every fact under its question and no navigation text; the same again, and within a budget what matters most", async () => {
    const made = await context(served.origin, fast);
    const sections = made.json!.global_sections;
    const isKept = ({ text, question, page }: PlantedSite["facts"][number]) =>
      sections[question].some(({ content, source }) => content.includes(text) && source === served.origin + page);
    expect(planted.facts.filter((fact) => !isKept(fact))).toEqual([]);
    expect(planted.furniture.filter((phrase) => made.markdown.includes(phrase))).toEqual([]);
    const small = await context(served.origin, { ...fast, maxTokens: 2000 });
    const matter = ["/", ...paths(small).slice(0, 2)];
    expect(planted.facts.filter(({ page, text }) => matter.includes(page) && !small.markdown.includes(text))).toEqual([]);
    const again = await context(served.origin, fast);
    expect([again.markdown, again.llms, JSON.stringify(again.json)]).toEqual([made.markdown, made.llms, JSON.stringify(made.json)]);
  }, 30_000);
});
