import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, expect, test } from "vitest";
import { all, aRun, aVersion } from "../contract/records.ts";
import { openSqlite } from "./open.ts";
import { migrations } from "./schema/schema.ts";

const folder = mkdtempSync(join(tmpdir(), "nuthatch-content-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Another tool that opens the file. */
function outside<T>(path: string, look: (db: InstanceType<typeof DatabaseSync>) => T): T {
  const db = new DatabaseSync(path);
  try {
    return look(db);
  } finally {
    db.close();
  }
}

const topic = (name: string) => ({ name, source: "meta:keywords", confidence: 1, parents: [] });

test("SQL sees what pages say under the names it knows, and marks them to be done again by setting a moment to NULL", async () => {
  const path = join(folder, "content.db");
  const store = openSqlite(path);
  const { keep } = await aRun(store);
  const values = {
    title: { value: "Bridges", source: "h1", confidence: 1 },
    image: { value: "http://a.test/b.png", source: "og:image", confidence: 1 },
    author: { value: ["A. Mason", "B. Smith"], source: "byline", confidence: 1 },
    lang: { value: "en", source: "html:lang", confidence: 1 },
    topics: { value: [topic("stone"), topic("iron")], source: "meta:keywords", confidence: 1 },
    wordCount: { value: 12, source: "article" },
  };
  const read = { values, preview: "A bridge", verdict: { value: "ok", source: "" }, extractor: 3 } as const;
  const bytes = { evidence: new Uint8Array(), blocks: new Uint32Array() };
  for (const url of ["http://a.test/1", "http://a.test/2"])
    await keep(url, aVersion(url, [], { metadata: values, read: { ...read, ...bytes } }));
  const content = () => outside(path, (db) => db.prepare("SELECT * FROM content ORDER BY id").all() as Record<string, unknown>[]);
  expect(content()[0]).toEqual({
    ...{ id: 1, url: "http://a.test/1", title: "Bridges", description: null, image_url: "http://a.test/b.png" },
    ...{ author: "A. Mason, B. Smith", published_at: null, language: "en", topics: '["stone","iron"]', note: "", tags: "[]" },
    ...{ content_text: "A bridge", word_count: 12, metadata_scraped_at: expect.stringMatching(/^\d{4}-\d\d-\d\d /), verdict: "ok" },
    ...{ tags: "[]", note: "" },
  });
  outside(path, (db) => db.exec("UPDATE content SET metadata_scraped_at = NULL WHERE url = 'http://a.test/2'"));
  expect(content().map(({ metadata_scraped_at }) => metadata_scraped_at === null)).toEqual([false, true]);
  expect(await store.metadata.countPagesToFill({ before: 3, hasBody: true })).toBe(1);
  expect(() => outside(path, (db) => db.exec("UPDATE content SET title = 'x'"))).toThrow(/it is a view/);
  await store.close();
});

test("a file of the third schema keeps what it says of its pages, and all of them are still to be described", async () => {
  const path = join(folder, "third.db");
  outside(path, (db) => {
    for (const migration of migrations.slice(0, 3)) db.exec(migration);
    db.exec(`PRAGMA user_version = 3;
      INSERT INTO site VALUES (1, 's', 'http://a.test/', 'http://a.test/', 1); INSERT INTO host (id, name) VALUES (1, 'a.test');
      INSERT INTO body VALUES (1, 'b', 1, 'identity', x'00');
      INSERT INTO page (id, uid, site_id, hash, host_id, url, depth, via, status, change, run_id, seq, first_run_id, first_seen_at, fetched_at, changed_at, duration, bytes, reader, version_id)
        VALUES (1, 'p', 1, 1, 1, 'http://a.test/', 0, 'seed', 200, 'new', 1, 1, 1, 1, 1, 1, 1, 1, 'r', 1);
      INSERT INTO page_version (id, page_id, number, run_id, fetched_at, type, charset, metadata, noindex, nofollow, text_hash, links_hash, simhash, word_count, link_count, body_hash)
        VALUES (1, 1, 1, 1, 1, 'html', 'utf-8', '{"title":{"value":"T","source":"title"},"language":{"value":"de","source":"html:lang"}}', 0, 0, '', '', '', 1, 0, 'b');`);
  });
  const store = openSqlite(path);
  expect(store.upgrade).toMatchObject({ from: 3, to: migrations.length });
  const page = await store.page({ id: 1 });
  expect(page).toMatchObject({ metadata: { title: { value: "T" }, lang: { value: "de", source: "html:lang" } }, verdict: null });
  expect(page?.metadata).not.toHaveProperty("language");
  expect(outside(path, (db) => db.prepare("SELECT title, language, metadata_scraped_at FROM content").all())).toEqual([
    { title: "T", language: "de", metadata_scraped_at: null },
  ]);
  expect(await store.metadata.pagesToFill({ before: 1, hasBody: true }, { after: 0, limit: 9 })).toMatchObject([
    { pageId: 1, extractor: undefined },
  ]);
  expect(await store.maintenance.problems()).toEqual([]);
  await store.close();
});

test("rows can be read one by one while memory is swept", async () => {
  setFlagsFromString("--expose-gc");
  const sweep = runInNewContext("gc") as () => void;
  const store = openSqlite(":memory:");
  const { keep } = await aRun(store);
  for (const name of ["1", "2", "3", "4"]) await keep(`http://a.test/${name}`, aVersion(name));
  const seen: string[] = [];
  for await (const { url } of store.pages({})) {
    seen.push(url);
    sweep();
    // Collected objects are released a moment later.
    await new Promise((resolve) => setImmediate(resolve));
    await all(store.pages({}));
  }
  expect(seen).toHaveLength(4);
  await store.close();
});
