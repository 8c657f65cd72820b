import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hash64, normaliseEscapes } from "../dist/src/analysis/url/index.js";
import { tempFolder } from "./cli.ts";
import { crawl } from "./near-library.ts";
import { type RunningSite, serveSite } from "./site/index.ts";

const page = (name: string, ...links: string[]) => ({
  etag: true,
  body: `<title>${name}</title><p>All there is to say of ${name}.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}`,
});
const moved = (to: string) => ({ status: 301, headers: { Location: to } });

let site: RunningSite;
beforeAll(async () => {
  site = await serveSite(
    {
      "/": page(
        "home",
        "/a//b",
        "/a/b",
        "/twice%2541",
        "/plain",
        "/web/2020/http://a.test/",
        "/x//tidy",
        "/round//about",
        "/shut//out",
        "/t?utm_source=x",
      ),
      "/a//b": page("b"),
      "/a/b": page("b of one slash"),
      "/twice%2541": page("twice", "/a/b?u=%2Fc", "/a/b?u=/c"),
      "/plain": page("plain"),
      "/web/2020/http://a.test/": page("archive"),
      "/t?utm_source=x": moved("/t"),
      "/t": page("t"),
      "/x//tidy": moved("/x/tidy"),
      "/x/tidy": page("tidy"),
      "/round//about": moved("/round/about"),
      "/round/about": moved("/round//about"),
      "/shut//out": moved("/shut/out"),
    },
    { address: "127.0.67.1" },
  );
});
afterAll(() => site.close());

async function look(db: string) {
  const pages = new Map<string, string>();
  await using run = crawl(`${site.origin}/`, { rateLimit: "none", exclude: ["/shut/out"], db });
  for await (const { url, change } of run) pages.set(url.slice(site.origin.length), change);
  return { pages, result: await run.result };
}

const asked = () => site.log.map(({ path }) => path);

test("the first spelling heard is the one asked, and a redirect to another spelling of the same place is followed", async () => {
  using folder = tempFolder();
  const { pages, result } = await look(folder.file("site.db"));
  expect([...pages.keys()].sort()).toEqual([
    "/",
    "/a//b",
    "/a/b?u=%2Fc",
    "/plain",
    "/t",
    "/twice%2541",
    "/web/2020/http://a.test/",
    "/x/tidy",
  ]);
  expect(asked()).not.toContain("/a/b");
  expect(asked()).not.toContain("/shut/out");
  expect(asked().filter((path) => path.startsWith("/round")).length).toBe(11);
  expect(result.stats.redirects).toBe(14);
});

test("a file with keys by earlier rules: no page is new, in the next run and the one after", async () => {
  using folder = tempFolder();
  const db = folder.file("site.db");
  const first = await look(db);
  age(db);
  for (const notModified of [0, first.pages.size]) {
    const { stats } = (await look(db)).result;
    expect(stats.changes).toEqual({ new: 0, changed: 0, same: first.pages.size, gone: 0, unlinked: 0, unknown: 0 });
    expect(stats.notModified).toBe(notModified);
  }
});

/** As nuthatch 0.1 wrote it: keys kept empty segments and what was escaped twice. */
function age(path: string): void {
  const db = new DatabaseSync(path);
  const { value: seed } = db.prepare("SELECT value FROM meta WHERE key = 'hash_seed'").get() as { value: string };
  const [hi, lo] = [Number.parseInt(seed.slice(0, 8), 16), Number.parseInt(seed.slice(8), 16)];
  for (const table of ["page", "decision"]) {
    for (const { id, url } of db.prepare(`SELECT id, url FROM ${table}`).all() as { id: number; url: string }[]) {
      const hash = hash64(normaliseEscapes(url), { hi, lo });
      db.prepare(`UPDATE ${table} SET hash = ? WHERE id = ?`).run((BigInt(hash.hi | 0) << 32n) | BigInt(hash.lo), id);
    }
  }
  db.exec(
    "UPDATE page SET reader = '1.1.other'; UPDATE page_version SET links_hash = 'other', link_index = NULL; DELETE FROM meta WHERE key = 'key_version'",
  );
  db.close();
}
