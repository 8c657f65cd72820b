import { mkdirSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { changeFeed, exportTo, type Page, type RunEvent, type RunResult } from "nuthatch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedsBy } from "../dist/src/core/seed.js";
import { openApp } from "../dist/src/engine/app.js";
import { resolveConfig } from "../dist/src/engine/config/index.js";
import { type EnhanceRequest, enhance, resetMetadata } from "../dist/src/features/enrich/enhance.js";
import { tempFolder } from "./cli.ts";
import { crawl, fetchPage } from "./near-library.ts";
import { gaps, type RunningSite, serveSite } from "./site/index.ts";

const words = "A path leads along the river and over two bridges to the old mill, where the miller sells bread on Saturdays. ".repeat(4);
const page = (name: string, more = "") => `<html lang="en"><head><title>${name} | The Mill</title>
  <meta property="og:title" content="${name}"><meta name="description" content="All that is known about ${name}, in one place.">
  </head><body><nav><a href="/one">One</a> <a href="/two">Two</a> <a href="/shut">Shut</a></nav>
  <main><article><h1>${name}</h1><p>${words}${name}.</p></article></main>${more}</body></html>`;

const folder = tempFolder();
const fast = { rateLimit: "none", maxConcurrent: 4 } as const;
let site: RunningSite;
let isLater = false;
let notice = "";

beforeAll(async () => {
  site = await serveSite(
    ({ path }) =>
      path === "/robots.txt"
        ? { body: isLater ? "User-agent: *\nDisallow: /shut" : "User-agent: *\nDisallow:", headers: { "content-type": "text/plain" } }
        : {
            body: page(`Walk ${path}${isLater && path === "/two" ? " anew" : ""}`, notice),
            headers: { "content-type": "text/html" },
            etag: true,
          },
    { address: "127.0.66.1" },
  );
});
afterAll(async () => {
  await site.close();
  folder[Symbol.dispose]();
});

async function crawled(db: string, options = {}): Promise<{ pages: Page[]; result: RunResult; events: RunEvent[] }> {
  const events: RunEvent[] = [];
  await using run = crawl(`${site.origin}/`, { ...fast, db, ...options, onEvent: (event) => events.push(event) });
  const pages: Page[] = [];
  for await (const each of run) pages.push(each);
  return { pages, result: await run.result, events };
}

function query(path: string, sql: string): Record<string, unknown>[] {
  const db = new DatabaseSync(path);
  try {
    return db.prepare(sql).all() as Record<string, unknown>[];
  } finally {
    db.close();
  }
}

async function enhanced(db: string, request: Omit<EnhanceRequest, "config">) {
  const app = await openApp({ db });
  try {
    return await enhance(app, { config: resolveConfig([{ from: "a test", values: fast }]), ...request });
  } finally {
    await app.close();
  }
}

describe("a crawl tells what each page is", () => {
  const db = folder.file("site.db");

  test("with where it stood and how sure that is; what lost, and how the text begins, is in the file", async () => {
    const { pages, result, events } = await crawled(db);
    const one = pages.find(({ url }) => url.endsWith("/one"))!;
    expect(one.metadata.title).toEqual({ value: "Walk /one", source: expect.any(String), confidence: expect.any(Number) });
    expect(one.verdict).toBe("ok");
    expect(result.metadata).toEqual({ read: 0, failed: 0, ended: "finished", trouble: null, verdicts: {} });
    expect(events.some(({ type }) => type === "metadata.filled")).toBe(false);
    const rows = query(
      db,
      "SELECT url, title, word_count, metadata_scraped_at FROM content WHERE content_text LIKE '%miller sells bread%'",
    );
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({ title: "Walk /", word_count: expect.any(Number), metadata_scraped_at: expect.any(String) });
  });

  test("a page that is as it was keeps it; one that SQL marks is read again from its stored body when the next crawl is over", async () => {
    const before = query(db, "SELECT page_id, scraped_at FROM page_metadata ORDER BY page_id");
    query(db, "UPDATE content SET metadata_scraped_at = NULL WHERE url LIKE '%/two' RETURNING 1");
    const asked = site.log.length;
    const { result, events } = await crawled(db);
    expect(result.metadata).toMatchObject({ read: 1, failed: 0 });
    expect(events.flatMap((event) => (event.type === "metadata.filled" ? [event.filling] : []))).toEqual([{ done: 1, total: 1 }]);
    expect(events.at(-1)?.type).toBe("crawl.finished");
    expect(
      site.log
        .slice(asked)
        .filter(({ status }) => status !== 304)
        .map(({ path }) => path),
    ).toEqual([]);
    const after = query(db, "SELECT page_id, scraped_at FROM page_metadata ORDER BY page_id");
    expect(after.filter(({ scraped_at }, place) => scraped_at !== before[place]!.scraped_at)).toHaveLength(1);
  });

  test("a wall is left out of changes and exports unless somebody asks, is counted in the result, and is in a copy of the raw pages", async () => {
    notice = "<p>The mill is closed in May.</p>";
    await crawled(db);
    query(db, "UPDATE page_metadata SET verdict = 'login-wall' WHERE page_id = (SELECT id FROM page WHERE url LIKE '%/one') RETURNING 1");
    const all = { since: "1970-01-01" };
    const urls = async (more = {}) => {
      const { counts, leftOut } = await changeFeed(db, { ...all, ...more });
      return [counts.changed, leftOut];
    };
    expect([await urls(), await urls({ anyVerdict: true })]).toEqual([
      [3, 1],
      [4, 0],
    ]);
    const written = await exportTo(folder.file("all.csv"), { db, anyVerdict: true });
    expect([(await exportTo(folder.file("pages.jsonl"), { db })).records, written.records]).toEqual([3, 4]);
    mkdirSync(folder.file("raw"));
    expect(await exportTo(folder.file("raw"), { db, format: "pagedir" })).toMatchObject({ records: 4 });
    expect((await crawled(db)).result.metadata?.verdicts).toEqual({ "login-wall": 1 });
    notice = "";
  });
});

test("what a site says on every page is learned from a crawl: blocks are left out of what is read, a picture leaves its place to another", async () => {
  const teaser = "The mill is open for visitors on the first Sunday of each month, from ten to four.";
  const walk = (name: string) => `${words.replaceAll("river", `${name} river`)} This is how walk ${name} ends.`;
  let news = "";
  const names = ["a", "b", "c", "d", "e", "f"];
  const links = names.map((name) => `<a href="/walks/${name}">${name}</a>`).join(" ");
  const walks = await serveSite(
    ({ path }) => {
      const name = path.split("/").at(-1)!;
      const picture = `<meta property="og:image" content="/pictures/front.jpg"><figure><img src="/pictures/${name}.jpg" width="800" height="600"></figure>`;
      return `<title>Walk ${name}</title>${picture}<nav>${links}</nav><article><h1>Walk ${name}</h1><p>${walk(name)}</p><p>${teaser}</p><p>${walk(`${name} again`)}</p>${news}</article>`;
    },
    { address: "127.0.66.2" },
  );
  const db = folder.file("walks.db");
  await using run = crawl(`${walks.origin}/walks/`, { ...fast, db, respectRobots: false });
  await run.result;
  const url = `${walks.origin}/walks/c`;
  const [fresh, stored] = [await fetchPage(url, { rateLimit: "none", respectRobots: false }), await fetchPage(url, { db, maxAge: "1m" })];
  const image = () => query(db, `SELECT image_url FROM content WHERE url = '${url}'`)[0]?.image_url;
  const before = image();
  news = "<p>Since last week the bridge behind the mill is closed to everybody, and walkers take the ford.</p>";
  await using again = crawl(`${walks.origin}/walks/`, { ...fast, db, respectRobots: false });
  await again.result;
  expect([before, image()]).toEqual([`${walks.origin}/pictures/front.jpg`, `${walks.origin}/pictures/c.jpg`]);
  await walks.close();
  expect([fresh.isStored, fresh.markdown?.includes(teaser), stored.isStored, stored.markdown?.includes(teaser)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(stored.markdown).toContain("This is how walk c ends.");
});

describe("stored pages that lack metadata", () => {
  const db = folder.file("plain.db");

  test("are not described by a crawl that was told not to", async () => {
    const { pages, result } = await crawled(db, { enhance: false });
    expect([pages[0]!.verdict, result.metadata, query(db, "SELECT * FROM page_metadata")]).toEqual([null, undefined, []]);
  });

  test("get it from their stored bodies, a batch at a time; a signal ends that, and another call goes on", async () => {
    const asked = site.log.length;
    const stop = new AbortController();
    const onPage = () => stop.abort();
    const first = await enhanced(db, { batchSize: 1, signal: stop.signal, onPage });
    expect(first).toMatchObject({ processed: 1, enhanced: 1, results: [{ id: 1, status: "enhanced" }] });
    expect(first.results[0]!.fieldsAdded).toContain("text");
    const second = await enhanced(db, {});
    expect([second.processed, second.results.map(({ id }) => id)]).toEqual([3, [2, 3, 4]]);
    expect((await enhanced(db, {})).processed).toBe(0);
    expect(site.log.length).toBe(asked);
  });

  test("have then what a crawl that reads metadata stores, and have it again where SQL marks them", async () => {
    const other = folder.file("described.db");
    await crawled(other);
    const values = "SELECT p.url, v.metadata FROM page p JOIN page_version v ON v.id = p.version_id ORDER BY p.url";
    expect(query(db, values)).toEqual(query(other, values));
    const stale = JSON.stringify({
      title: { value: "A stale title", source: "h1" },
      image: { value: "https://a.example/x.png", source: "x" },
    });
    query(db, `UPDATE page_version SET metadata = '${stale}' RETURNING 1`);
    query(db, "UPDATE content SET metadata_scraped_at = NULL RETURNING 1");
    expect((await enhanced(db, {})).enhanced).toBe(4);
    expect(query(db, values)).toEqual(query(other, values));
  });

  test("are asked for again when forced, in turn and as robots.txt has it, and then what was known gives way", async () => {
    isLater = true;
    query(db, "DELETE FROM robots RETURNING 1");
    const asked = site.log.length;
    const urls = ["/one", "/two", "/shut", "/never"].map((path) => site.origin + path);
    const { results } = await enhanced(db, { urls: seedsBy("person", urls), force: true, delay: 200 });
    const found = Object.fromEntries(results.map(({ url, status, reason }) => [new URL(url).pathname, [status, reason]]));
    expect(found).toMatchObject({ "/two": ["enhanced", undefined], "/never": ["failed", "it is not stored"] });
    expect(found["/shut"]).toEqual(["failed", expect.stringContaining("Disallow: /shut")]);
    const requests = site.log.slice(asked);
    expect(requests.map(({ path }) => path)).toEqual(["/robots.txt", "/one", "/two"]);
    expect(Math.min(...gaps(requests.slice(1)))).toBeGreaterThan(190);
    expect(query(db, "SELECT title FROM content WHERE url LIKE '%/two'")).toEqual([{ title: "Walk /two anew" }]);
  });

  test("are done again when they are reset, and a batch that is too large is refused", async () => {
    const app = await openApp({ db });
    expect(await resetMetadata(app, { urls: seedsBy("person", [`${site.origin}/one`]) })).toBe(1);
    await app.close();
    expect((await enhanced(db, {})).results.map(({ url }) => new URL(url).pathname)).toEqual(["/one"]);
    await expect(enhanced(db, { batchSize: 101 })).rejects.toThrow("a batch of 101 pages cannot be");
  });
});
