/** What a run may conclude from what it did not see, and whose links count. */
import type { RunResult } from "nuthatch";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./cli.ts";
import { crawl } from "./near-library.ts";
import { type PageSpec, serveSite } from "./site/index.ts";

const fast = { rateLimit: "none", perHost: 4, maxConcurrent: 4, retries: 0 } as const;

/** What each visited page was, by its path; what was settled without an event is in the counts alone. */
async function look(seed: string, db: string, options = {}): Promise<{ result: RunResult; changes: Record<string, string> }> {
  const changes: Record<string, string> = {};
  await using run = crawl(seed, { ...fast, db, ...options });
  for await (const { url, change } of run) changes[new URL(url).pathname] = change;
  return { result: await run.result, changes };
}

const page = (title: string, links: readonly string[] = [], head = "") =>
  `<title>${title}</title>${head}<p>Some words about ${title}.</p>${links.map((href) => `<a href="${href}">to ${href}</a>`).join(" ")}`;

async function withSite(pages: Record<string, PageSpec>, address: string, work: (seed: string, db: string) => Promise<void>) {
  using folder = tempFolder();
  const site = await serveSite(pages, { address });
  try {
    await work(`${site.origin}/`, folder.file("site.db"));
  } finally {
    await site.close();
  }
}

describe("pages that could not be seen", () => {
  test.each([
    ["an error", { status: 500 }],
    ["a closed door", { status: 403 }],
  ])("lead where they led: %s on a hub leaves what it names as it was", async (_, answer) => {
    let week = 1;
    const pages = { "/": page("home", ["/hub"]), "/hub": () => (week === 1 ? page("hub", ["/leaf"]) : answer), "/leaf": page("leaf") };
    await withSite(pages, "127.0.14.1", async (seed, db) => {
      await look(seed, db);
      week = 2;
      const { result, changes } = await look(seed, db);
      expect(changes).toEqual({ "/": "same", "/leaf": "same" });
      expect(result.stats.changes).toMatchObject({ same: 2, unknown: 1, unlinked: 0, gone: 0 });
    });
  });

  test("a sitemap that fails leaves open whether its pages are named; those that answer are compared, those that do not are gone", async () => {
    let week = 1;
    const sitemap = (origin: string) =>
      `<urlset>${["a", "b", "c"].map((name) => `<url><loc>${origin}/${name}</loc></url>`).join("")}</urlset>`;
    let origin = "";
    const pages: Record<string, PageSpec> = {
      "/robots.txt": () => ({ headers: { "content-type": "text/plain" }, body: `Sitemap: ${origin}/map.xml` }),
      "/map.xml": () => (week === 2 ? { status: 500 } : { headers: { "content-type": "text/xml" }, body: sitemap(origin) }),
      "/": page("home"),
      "/a": page("a"),
      "/b": () => page(week === 1 ? "b" : "b that is another"),
      "/c": () => (week === 1 ? page("c") : { status: 404 }),
    };
    await withSite(pages, "127.0.14.2", async (seed, db) => {
      origin = seed.slice(0, -1);
      expect((await look(seed, db)).result.stats.changes.new).toBe(4);
      week = 2;
      const { result } = await look(seed, db);
      expect(result.stats.changes).toMatchObject({ same: 2, changed: 1, gone: 1, unlinked: 0 });
    });
  });

  test("known pages that a rule keeps out now are unknown, each with its rule", async () => {
    const pages = { "/": page("home", ["/a", "/b"]), "/a": page("a", ["/a/deep"]), "/b": page("b"), "/a/deep": page("deep") };
    await withSite(pages, "127.0.14.3", async (seed, db) => {
      await look(seed, db);
      const { result } = await look(seed, db, { exclude: ["/b"], maxDepth: 1 });
      expect(result).toMatchObject({ stopReason: "finished", stats: { changes: { same: 2, unknown: 2, gone: 0, unlinked: 0 } } });
    });
  });
});

describe("whose links count", () => {
  test("those of a page that another now redirects to, though the other said the same before", async () => {
    let week = 1;
    const tree: Record<string, string[]> = { "": ["/news", "/docs"], "/news": ["/news/1", "/news/2"], "/docs": ["/docs/a"] };
    const at = (path: string): PageSpec => {
      const plain = path.replace(/\/$/, "");
      return () =>
        week === 2 && plain === path && path !== ""
          ? { status: 301, headers: { location: `${path}/` } }
          : page(`page ${plain}`, tree[plain]);
    };
    const paths = ["/news", "/docs", "/news/1", "/news/2", "/docs/a"];
    const pages = Object.fromEntries([
      ["/", at("/")],
      ...paths.flatMap((path) => [
        [path, at(path)],
        [`${path}/`, at(`${path}/`)],
      ]),
    ]);
    await withSite(pages as Record<string, PageSpec>, "127.0.14.4", async (seed, db) => {
      expect((await look(seed, db)).result.stats.changes.new).toBe(6);
      week = 2;
      const { result, changes } = await look(seed, db);
      expect(result.stats.changes).toMatchObject({ gone: 0, unlinked: 0 });
      expect(Object.keys(changes)).toEqual(expect.arrayContaining(["/news/1/", "/news/2/", "/docs/a/"]));
    });
  });

  test("those of a page whose twin asked for its own not to be followed", async () => {
    const article = page("article", ["/x", "/y"]);
    const pages: Record<string, PageSpec> = {
      "/": page("home", ["/print", "/more"]),
      "/print": { headers: { "x-robots-tag": "noindex, nofollow" }, body: article },
      "/more": page("more", ["/article"]),
      "/article": article,
      "/x": page("x"),
      "/y": page("y"),
    };
    await withSite(pages, "127.0.14.5", async (seed, db) => {
      expect(Object.keys((await look(seed, db)).changes).sort()).toEqual(["/", "/article", "/more", "/print", "/x", "/y"]);
    });
  });

  test("what a page says to robots is a change and is remembered, though its text stays the same", async () => {
    let week = 1;
    const closed = '<meta name="robots" content="noindex, nofollow">';
    const says = (isClosed: boolean, links: string[], name: string) => ({ etag: true, body: page(name, links, isClosed ? closed : "") });
    const pages: Record<string, PageSpec> = {
      "/": page("home", ["/added", "/removed"]),
      "/added": () => says(week > 1, ["/a"], "added"),
      "/removed": () => says(week === 1, ["/b"], "removed"),
      "/a": page("a"),
      "/b": page("b"),
    };
    await withSite(pages, "127.0.14.6", async (seed, db) => {
      expect(Object.keys((await look(seed, db)).changes)).not.toContain("/b");
      week = 2;
      expect((await look(seed, db)).changes).toMatchObject({ "/added": "changed", "/removed": "changed", "/b": "new" });
      const { result, changes } = await look(seed, db);
      expect(result.stats.notModified).toBe(2);
      expect(Object.keys(changes).sort()).toEqual(["/", "/added", "/b", "/removed"]);
    });
  });
});

test("a robots.txt that leads to no web page closes its site, and the pages are not told to have redirected", async () => {
  const pages = { "/robots.txt": { status: 302, headers: { location: "ftp://x.example/robots.txt" } }, "/": page("home") };
  await withSite(pages, "127.0.14.7", async (seed, db) => {
    await using run = crawl(seed, { ...fast, db });
    await run.result;
    expect(await run.explain(seed)).toMatchObject({ reason: "robots.unreachable", rule: expect.stringContaining("robots.txt") });
  });
});
