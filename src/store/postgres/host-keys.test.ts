/** Databases made before each unique key contained the partition column of its table, and partitioned tables. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partingRecipe, startPostgres } from "../../../test/postgres.ts";
import { aNewUrl, aRun, aVersion } from "../contract/records.ts";
import type { Store } from "../store.ts";
import { statementsFrom } from "./migrate.ts";
import { openPostgres } from "./open.ts";
import { STEPS_BEFORE_COUNT } from "./shared-tables.ts";

const server = await startPostgres();
const stores: Store[] = [];
async function closeAll(): Promise<void> {
  for (const store of stores.splice(0)) await store.close();
}
afterAll(async () => {
  await closeAll();
  await server.stop();
});

function open(url: string): Store {
  const store = openPostgres(url);
  stores.push(store);
  return store;
}

/** The partition column of each table. */
const TABLES = [
  ["decision", "host_id"],
  ["page", "host_id"],
  ["page_version", "page_id"],
  ["body", "hash"],
  ["link", "hash"],
] as const;
const ALL = TABLES.map(([table]) => `'${table}'::regclass`).join(", ");

/** All constraints, indexes and triggers of these tables, by name. */
const PARTS = `SELECT format('%s %s', c.conrelid::regclass, pg_get_constraintdef(c.oid)) AS part FROM pg_constraint c
    WHERE c.conrelid IN (${ALL}) AND contype IN ('p', 'f')
  UNION ALL SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index WHERE indrelid IN (${ALL})
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid IN (${ALL}, 'content'::regclass) AND NOT tgisinternal
  UNION ALL SELECT format('%s %s', viewname, definition) FROM pg_views WHERE schemaname = 'public' ORDER BY 1`;
const partsOf = (url: string) => server.ask(PARTS, url).map(({ part }) => part);

/** Unique keys that lack the partition column of their table. */
const UNIQUE = TABLES.map(
  ([table, key]) => `SELECT indexrelid::regclass::text AS name FROM pg_index i WHERE indrelid = '${table}'::regclass AND indisunique
    AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attname = '${key}' AND a.attnum = ANY (i.indkey))`,
).join(" UNION ALL ");

/** Pages and all tables that belong to them. */
const COUNTS = `SELECT (SELECT count(*) FROM page) AS pages, (SELECT count(*) FROM page_version) AS versions, (SELECT count(*) FROM change) AS changes,
  (SELECT count(*) FROM page_metadata) AS metadata, (SELECT count(*) FROM page_evidence) AS evidence, (SELECT count(*) FROM page_search) AS searched,
  (SELECT count(*) FROM page_text) AS texts, (SELECT count(*) FROM page_card) AS cards, (SELECT count(*) FROM ignored_part) AS ignored,
  (SELECT count(*) FROM link_source) AS sources, (SELECT count(*) FROM rendered_version) AS rendered, (SELECT coalesce(sum(stored), 0) FROM page_count) AS counted`;

/** Three pages existed and two are left, each with one row in every table. */
const OLD = `INSERT INTO site VALUES (1, 'u', 'http://a.test/', 'http://a.test/', 0);
  INSERT INTO run (id, uid, status, started_at, seeds, options, counters) VALUES (1, 'r', 'finished', 0, '[]', '{}', '{}');
  INSERT INTO host (id, name) VALUES (1, 'a.test');
  INSERT INTO decision (run_id, hash, host_id, site_id, kind, url, depth, hops, via, level, priority, verdict, reason, rule, at)
    SELECT 1, n, 1, 1, 'page', 'http://a.test/' || n, 0, 0, 'seed', 0, 0, 'queued', 'ok', '', 0 FROM generate_series(1, 3) AS n;
  INSERT INTO page (uid, site_id, hash, host_id, url, depth, via, status, change, run_id, seq, first_run_id, first_seen_at, fetched_at, changed_at, duration, bytes, reader, version_id)
    SELECT n, 1, n, 1, 'http://a.test/' || n, 0, 'seed', 200, 'new', 1, 1, 1, 0, 0, 0, 0, 0, '', n FROM generate_series(1, 3) AS n;
  INSERT INTO page_version (page_id, number, run_id, fetched_at, type, charset, metadata, noindex, nofollow, text_hash, links_hash, simhash, word_count, link_count)
    SELECT n, 1, 1, 0, 'html', '', '{}', 0, 0, '', '', '', 0, 0 FROM generate_series(1, 3) AS n;
  INSERT INTO change (run_id, page_id, status, at, detail) SELECT 1, n, 'new', 0, '' FROM generate_series(1, 3) AS n;
  INSERT INTO page_metadata (page_id, version_id, extractor, verdict) SELECT n, n, 1, 'ok' FROM generate_series(1, 3) AS n;
  INSERT INTO page_evidence (page_id, preview, blocks, evidence) SELECT n, '', '', '' FROM generate_series(1, 3) AS n;
  INSERT INTO page_search (page_id, version_id) SELECT n, n FROM generate_series(1, 3) AS n;
  INSERT INTO page_text (rowid, words) SELECT n, 'word'::tsvector FROM generate_series(1, 3) AS n;
  INSERT INTO page_card (page_id, changed_at) SELECT n, 0 FROM generate_series(1, 3) AS n;
  INSERT INTO ignored_part (site_id, page_id, kind, value, made_at) SELECT 1, n, '', '', 0 FROM generate_series(1, 3) AS n;
  INSERT INTO link (hash, url) SELECT n, 'http://a.test/' || n FROM generate_series(1, 3) AS n;
  INSERT INTO link_source (page_id, link_id, version_id, position, text, first_run_id) SELECT n, 1, n, 0, '', 1 FROM generate_series(1, 3) AS n;
  INSERT INTO rendered_version (version_id, engine) SELECT n, 'chromium' FROM generate_series(1, 3) AS n;
  INSERT INTO body (hash, size, coding, data) SELECT n, 0, '', '' FROM generate_series(1, 3) AS n;
  DELETE FROM page WHERE id = 3; DELETE FROM decision WHERE id = 3; DELETE FROM body WHERE id = 3; DELETE FROM link WHERE id = 3`;

const each = (count: number) =>
  Object.fromEntries(
    ["pages", "versions", "changes", "metadata", "evidence", "searched", "texts", "cards", "ignored", "sources", "rendered", "counted"].map(
      (name) => [name, count],
    ),
  );

describe("a database made before", () => {
  const old = server.emptyDatabase();
  beforeAll(() => {
    for (const statement of statementsFrom(0, 0, STEPS_BEFORE_COUNT)) server.ask(statement, old);
    server.ask(OLD, old);
    open(old);
  });

  test("is brought to the same tables as a new one, with what it can be parted by in each unique key", () => {
    expect(partsOf(old)).toEqual(partsOf(server.database()));
    expect(server.ask(UNIQUE, old)).toEqual([]);
  });

  test("gives no number a second time", () => {
    const numbers = TABLES.map(([table]) => `nextval('${table}_id_seq') AS ${table}`);
    expect(server.ask(`SELECT ${numbers.join(", ")}`, old)).toEqual([{ decision: 4, page: 4, page_version: 4, body: 4, link: 4 }]);
  });

  test("forgets with a page all that belonged to it, and with a site its pages", () => {
    expect(server.ask(COUNTS, old)).toEqual([each(2)]);
    server.ask("DELETE FROM page WHERE id = 1", old);
    expect(server.ask(COUNTS, old)).toEqual([each(1)]);
    server.ask("DELETE FROM site", old);
    expect(server.ask(COUNTS, old)).toEqual([each(0)]);
  });

  test("is not sound when something names a page that is not there", async () => {
    server.ask("INSERT INTO page_card (page_id, changed_at) VALUES (99, 0)", old);
    server.ask("INSERT INTO rendered_version (version_id, engine) VALUES (98, 'chromium')", old);
    server.ask("INSERT INTO link_source (page_id, link_id, version_id, position, text, first_run_id) VALUES (2, 97, 2, 0, '', 1)", old);
    expect(await stores[0]!.maintenance.problems()).toEqual(
      expect.arrayContaining([
        "1 rows of page_card name a page that is not there",
        "1 rows of rendered_version name a version that is not there",
        "1 rows of link_source name a link that is not there",
      ]),
    );
  });
});

describe("tables parted by host as docs/scale.md says", () => {
  const url = server.database();
  const rows = (table: string) => server.ask(`SELECT count(*) AS rows, count(DISTINCT tableoid) AS parts FROM ${table}`, url)[0]!;
  const wrong = () =>
    server.ask(
      `SELECT run_id, host_id, queued FROM run_host WHERE queued <> 0
        EXCEPT SELECT run_id, host_id, count(*) FROM decision WHERE verdict = 'queued' GROUP BY run_id, host_id`,
      url,
    );
  let crawl: Awaited<ReturnType<typeof aRun>>;
  let before: unknown[];

  beforeAll(async () => {
    crawl = await aRun(open(url));
    for (let host = 0; host < 9; host++) await crawl.keep(`http://h${host}.test/`, aVersion(`page ${host}`));
    await crawl.hear(aNewUrl("http://h0.test/waits"), aNewUrl("http://h1.test/waits"));
    before = partsOf(url);
    await closeAll();
    server.ask(partingRecipe(), url);
  });

  test("have the keys, indexes, triggers and views they had, and all rows", () => {
    expect(partsOf(url)).toEqual(before);
    expect(rows("decision")).toMatchObject({ rows: 11 });
    for (const table of ["page", "page_version"]) {
      expect(rows(table)).toMatchObject({ rows: 9 });
      expect(rows(table).parts).toBeGreaterThan(1);
    }
  });

  test("are crawled on: known URLs are known, new ones get the next numbers, and what waits is counted", async () => {
    const store = open(url);
    const { site } = crawl;
    const run = (await store.run(crawl.run.id))!;
    expect(await store.ledgerRows(run.id, [aNewUrl("http://h0.test/waits").hash])).toMatchObject([{ verdict: "queued" }]);
    await store.endRun(run.id, { status: "finished", stopReason: "finished", at: Date.now(), counters: run.counters, state: {} });
    const next = await aRun(store);
    expect(next.site.id).toBe(site.id);
    const again = await next.keep("http://h0.test/", aVersion("page 0, again"), { change: "changed" });
    const fresh = await next.keep("http://new.test/", aVersion("new"));
    expect([again!.id, fresh!.id]).toEqual([1, 10]);
    expect(await next.hear(aNewUrl("http://h0.test/"), aNewUrl("http://h9.test/"))).toMatchObject([{ id: 0 }, { id: 14 }]);
    expect(wrong()).toEqual([]);
  });
});
