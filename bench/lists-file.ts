/** A data file as large as they get, made without a crawl: only its size and shape matter. */
import { DatabaseSync } from "@photostructure/sqlite";
import { openApp } from "../src/app.ts";

export interface ListsFile {
  readonly pages: number;
  readonly links: number;
  readonly decisions: number;
}

const numbers = (count: number) => `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
/** Any number below `most` for each row, the same each time. */
const any = (most: number, salt: number) => `((i * 2654435761 + ${salt} * 40503) % 1000003 * 7919 % ${most})`;
const urlOf = (kind: string) => `'https://town.test/' || ${any(40, 1)} || '/' || ${any(500, 2)} || '/${kind}-' || i`;
const metadata = `json_object('title', json_object('value', 'Page ' || i, 'source', 'h1', 'confidence', 0.9),
  'lang', json_object('value', iif(i % 10 = 0, 'de', 'en'), 'source', 'html', 'confidence', 1),
  'topics', json_object('value', json_array(json_object('name', 'topic-' || ${any(50, 3)}, 'source', 'content', 'confidence', 0.5, 'parents', json_array())), 'source', 'content'))`;

export async function makeListsFile(path: string, { pages, links, decisions }: ListsFile): Promise<void> {
  const app = await openApp({ db: path });
  const site = await app.store.site("https://town.test/", "https://town.test/");
  for (const at of [1, 2]) {
    const run = await app.store.startRun({ sites: [site], seeds: [site.url], options: {}, at });
    await app.store.endRun(run.id, { status: "finished", stopReason: "finished", at: at + 1, counters: run.counters, state: {} });
  }
  await app.close();
  const db = new DatabaseSync(path);
  db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN");
  db.exec(
    "INSERT INTO host (id, name) VALUES (1, 'town.test'); INSERT INTO word (id, word) VALUES (1, 'budget'), (2, 'agenda'), (3, 'minutes'), (4, 'audit')",
  );
  db.exec(
    "INSERT INTO keyword (site_id, word_id, weight, scorer) VALUES (1, 1, 1, 'x'), (1, 2, 0.8, 'x'), (1, 3, 0.5, 'x'), (1, 4, 0.3, 'x')",
  );
  db.exec(`${numbers(pages)} INSERT INTO page (id, uid, site_id, hash, host_id, url, depth, via, parent_url, status, content_type, change, run_id, seq, first_run_id,
      first_seen_at, fetched_at, changed_at, duration, bytes, version_id, reader)
    SELECT i, 'u' || i, 1, i * 1000003, 1, ${urlOf("page")}, ${any(9, 4)}, 'link', 'https://town.test/', iif(i % 97 = 0, 404, 200), 'text/html',
      iif(i % 20 = 0, 'changed', 'same'), 1 + i % 2, i, 1, 1, 1, 1, 100, 20000, i, 'r' FROM n`);
  db.exec(`${numbers(pages)} INSERT INTO page_version (id, page_id, number, run_id, fetched_at, type, charset, metadata, noindex, nofollow, text_hash, links_hash, simhash,
      word_count, link_count, link_index, links) SELECT i, i, 1, 1, 1, 'html', 'utf-8', ${metadata}, 0, 0, hex(i), hex(i), '', 300, 50, zeroblob(450), zeroblob(900) FROM n`);
  db.exec(
    `${numbers(pages)} INSERT INTO change (run_id, page_id, status, at, detail) SELECT 2, i, iif(i % 20 = 0, 'changed', 'new'), 1, '' FROM n`,
  );
  db.exec(
    `${numbers(links)} INSERT INTO link (id, hash, url) SELECT i, i * 1000003, ${urlOf("link")} || iif(i % 5 = 0, '.pdf', '') FROM n`,
  );
  db.exec(`${numbers(links)} INSERT INTO link_source (page_id, link_id, version_id, position, text, first_run_id, matches)
    SELECT 1 + i % ${pages}, i, 1, 1, 'Link ' || i, 1 + (i % 50 = 0), '{}' FROM n`);
  db.exec(`${numbers(links)} INSERT INTO link_keyword (site_id, link_id, word_id, match, holders, scorer, first_run_id)
    SELECT 1, i, 1 + i % 3, 0.01 + ${any(100, 5)} / 101.0, 1, 'x', 1 + (i % 50 = 0) FROM n
    UNION ALL SELECT 1, i, 4, 0.5, 1, 'x', 1 + (i % 50 = 0) FROM n WHERE i % 10000 = 0`);
  db.exec(
    "INSERT INTO link_score (site_id, link_id, score, first_run_id) SELECT site_id, link_id, round(score, 3), first_run_id FROM v_scores",
  );
  db.exec(`${numbers(decisions)} INSERT INTO decision (id, run_id, hash, host_id, site_id, kind, url, depth, hops, via, level, priority, verdict, reason, rule, at)
    SELECT i, 2, i * 1000003, 1, 1, 'page', ${urlOf("url")}, ${any(9, 6)}, 0, 'link', 3, 0.5,
      CASE WHEN i % 100 = 0 THEN 'failed' WHEN i % 3 = 0 THEN 'skipped' ELSE 'fetched' END,
      CASE WHEN i % 100 = 0 THEN 'http.5xx' WHEN i % 30 = 0 THEN 'robots.disallow' WHEN i % 3 = 0 THEN 'scope.host' ELSE 'ok' END, '', 1 FROM n`);
  db.exec("UPDATE run SET ledger_from = 0; COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}
