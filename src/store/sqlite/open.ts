import { randomBytes } from "node:crypto";
import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { Hash64, Reason } from "../../core/records.ts";
import type { Store, StoredRobots, Upgrade } from "../store.ts";
import { SqliteBacklog } from "./backlog.ts";
import { loadBody } from "./bodies.ts";
import { BodyCache } from "./body-cache.ts";
import { openContexts } from "./contexts.ts";
import type { Dialect } from "./dialect.ts";
import { openExchanges } from "./exchanges.ts";
import { openFile, openToRead } from "./files/open-file.ts";
import { fileId, ownerId } from "./files/owner.ts";
import { openHistory } from "./history.ts";
import { openIdempotency } from "./idempotency.ts";
import { countedIds } from "./ids.ts";
import { openKeys } from "./keys.ts";
import { openLinks } from "./links.ts";
import { openLists } from "./lists/index.ts";
import { openUserData } from "./lists/user-data.ts";
import { openMaintenance } from "./maintenance.ts";
import { openMetadata } from "./metadata.ts";
import { openQueue } from "./queue.ts";
import * as reads from "./reads.ts";
import { openRendering } from "./rendering.ts";
import { inTransaction, type Row, Statements, toInt64 } from "./rows.ts";
import { type RunOwnership, Runs } from "./runs.ts";
import { rekey } from "./schema/rekey.ts";
import { openSearch, sqliteTextIndex } from "./search.ts";
import { openService } from "./service.ts";
import { extraSeedsOf } from "./settle/extra-seeds.ts";
import { IndexQueue } from "./settle/index-queue.ts";
import * as looks from "./settle/observations.ts";
import { OldVersions } from "./settle/old-versions.ts";
import { settle } from "./settle/settle.ts";
import { noWorkers } from "./workers.ts";

/** Runs of each of these sites, ranked from the latest (1). */
const LATEST_RUNS = `SELECT run_id FROM (SELECT run_id, row_number() OVER (PARTITION BY site_id ORDER BY run_id DESC) AS place FROM run_site
  WHERE site_id IN (SELECT value FROM json_each(?))) latest`;

/** Opens the data file, and creates it if it does not exist, unless read-only. `:memory:` stores nothing on disk. */
export function openSqlite(path: string, wall: () => number = () => Date.now(), isReadOnly = false): Store {
  const { db, upgraded } = isReadOnly ? openToRead(path) : openFile(path);
  return createStore({ db, path, upgraded, wall, dialect: { words: sqliteTextIndex, ids: countedIds() } });
}

/** What a store is built from. */
export interface StoreDeps {
  readonly db: Database;
  readonly path: string;
  readonly upgraded: Upgrade | undefined;
  readonly wall: () => number;
  readonly dialect: Dialect;
  readonly customs?: RunOwnership;
  /** Store methods that replace the default ones. */
  readonly own?: (tools: StoreTools) => Partial<Store>;
}

/** The objects that the store methods share. */
export interface StoreTools {
  readonly sql: Statements;
  readonly runs: Runs;
  readonly oldVersions: OldVersions;
  readonly words: IndexQueue;
}

/** Makes the store over an open database. */
export function createStore({ db, path, upgraded, wall, dialect, customs: ownership, own: overrides }: StoreDeps): Store {
  const sql = new Statements(db, dialect);
  const file = fileId(path);
  const owner = ownerId(process.pid, file);
  const runs = new Runs(db, sql, { wall, file, customs: ownership });
  const backlogs = new Map<number, SqliteBacklog>();
  const cache = new BodyCache();
  const oldVersions = new OldVersions(db, sql);
  const words = new IndexQueue(db, sql);
  const backlogOf = (runId: number) => {
    const known = backlogs.get(runId) ?? new SqliteBacklog(db, sql, { runId, owner, file, wall });
    backlogs.set(runId, known);
    return known;
  };

  return {
    hashSeed: hashSeedOf(db),
    owner,
    path,
    upgrade: upgraded,
    maintenance: openMaintenance({ db, sql, runs }),
    history: openHistory(sql),
    links: openLinks(db, sql),
    lists: openLists(db, sql, runs),
    userData: openUserData(db, sql),
    metadata: openMetadata(db, sql),
    queue: openQueue(db, sql),
    service: openService(sql, file),
    keys: openKeys(sql),
    idempotency: openIdempotency(sql),
    contexts: openContexts(sql),
    exchanges: openExchanges(sql),
    search: openSearch(db, sql),
    rendering: openRendering(sql, wall),
    workers: noWorkers,
    rekey: async (version, keyed) => rekey(db, sql, version, keyed),
    site: async (url, key) => runs.sitesAt([{ url, key }])[0]!,
    sitesAt: async (places) => runs.sitesAt(places),
    sites: async () => runs.sites(),
    startRun: async (run) => runs.start(run),
    resumeRun: async (...given) => runs.resume(...given),
    endRun: async (runId, end) => {
      words.flush();
      runs.end(runId, end);
      oldVersions.removeBodies();
    },
    memory: async (runId) => runs.memory(runId),
    run: async (id) => runs.get(id),
    runs: async (filter) => runs.list(filter),
    isAlive: (run) => runs.isAlive(run),
    hasOtherRuns: async (run) => {
      // Also checks pages, because runs may have been removed while their pages stay.
      const select = sql.get(`SELECT 1 FROM run_site WHERE site_id = ?1 AND run_id <> ?2
        UNION ALL SELECT 1 FROM page WHERE site_id = ?1 AND (run_id < ?2 OR run_id > ?2) LIMIT 1`);
      return run.sites.some((site) => select.get(site.id, run.id) !== undefined);
    },

    backlog: backlogOf,
    forEachKnownUrl: async (runId, each) => reads.forEachKnownUrl(sql, runId, each),
    extraSeeds: async (runId) => extraSeedsOf(sql, runId),
    ledgerRows: async (runId, hashes) => hashes.map((hash) => reads.ledgerRow(sql, runId, hash)),
    findStored: async (siteIds, hash, reader) => reads.findStored(sql, siteIds, hash, reader),
    findDuplicates: async (runId, suspects) => suspects.map((suspect) => reads.findDuplicate(sql, runId, suspect)),
    simhashes: async (siteIds, limit, each) => {
      const select =
        "SELECT id, simhash FROM (SELECT p.id, v.simhash FROM page p JOIN page_version v ON v.id = p.version_id WHERE p.site_id = ? AND v.simhash <> '' ORDER BY p.id DESC LIMIT ?) ORDER BY id";
      const stored = "SELECT site_id FROM page_count WHERE stored > 0 AND site_id IN (SELECT value FROM json_each(?))";
      let left = limit;
      for (const { site_id } of sql.get(stored).all(JSON.stringify(siteIds)) as Row[]) {
        for (const row of left > 0 ? sql.each(select, Number(site_id), left) : []) {
          each(Number(row.id), String(row.simhash));
          left -= 1;
        }
      }
    },
    knownType: async (hash) => {
      const select = "SELECT page_type FROM page WHERE hash = ? AND page_type IS NOT NULL ORDER BY fetched_at DESC LIMIT 1";
      const row = sql.get(select).get(toInt64(hash)) as Row | undefined;
      return row && String(row.page_type);
    },
    forEachFailed: async (siteIds, each) => {
      const select = `SELECT (d.hash >> 32) & 0xffffffff AS hi, d.hash & 0xffffffff AS lo FROM decision d JOIN run r ON r.id = d.run_id
        WHERE d.run_id IN (${LATEST_RUNS} WHERE place <= 4)
          AND r.status <> 'running' AND d.verdict = 'failed' AND d.reason <> 'crash'`;
      for (const row of sql.each(select, JSON.stringify(siteIds))) each({ hi: Number(row.hi), lo: Number(row.lo) });
    },
    forEachRefusedType: async (siteIds, each) => {
      const select = `SELECT (d.hash >> 32) & 0xffffffff AS hi, d.hash & 0xffffffff AS lo, d.rule, d.at FROM decision d JOIN run r ON r.id = d.run_id
        WHERE d.run_id IN (${LATEST_RUNS} WHERE place <= 4)
          AND r.status <> 'running' AND d.verdict = 'skipped' AND d.reason = 'type' AND d.page_id IS NULL ORDER BY d.run_id`;
      for (const row of sql.each(select, JSON.stringify(siteIds)))
        each({ hi: Number(row.hi), lo: Number(row.lo) }, String(row.rule), Number(row.at));
    },
    packedLinks: async (pageId) => {
      const index = sql
        .get("SELECT v.link_index, v.nofollow FROM page p JOIN page_version v ON v.id = p.version_id WHERE p.id = ?")
        .get(pageId) as Row | undefined;
      if (!index?.link_index) return undefined;
      const links = () => {
        const row = sql.get("SELECT v.links FROM page p JOIN page_version v ON v.id = p.version_id WHERE p.id = ?").get(pageId) as Row;
        return row.links as Uint8Array;
      };
      return { index: index.link_index as Uint8Array, nofollow: index.nofollow === 1, links };
    },
    settle: async (settlement) => settle({ db, sql, backlog: backlogOf(settlement.runId), old: oldVersions, words }, settlement),
    defer: async (runId, host, reason: Reason, rule) => {
      const update = `UPDATE decision SET verdict = 'deferred', reason = ?, rule = ?
        WHERE run_id = ? AND verdict = 'queued' AND host_id = (SELECT id FROM host WHERE name = ?)`;
      return Number(sql.get(update).run(reason, rule, runId, host).changes);
    },
    async *undiscoveredPages(runId, siteIds) {
      const select = `SELECT p.id, p.url, p.depth, p.site_id, d.rule FROM page p LEFT JOIN decision d ON d.run_id = ? AND d.hash = p.hash
        WHERE p.site_id = ? AND p.is_gone = 0 AND p.run_id <> ? AND p.id > ? AND (d.id IS NULL OR d.verdict = 'skipped') ORDER BY p.id LIMIT 500`;
      for (const siteId of siteIds) {
        // In batches: a reader left open while its consumer writes is locked out by any other process that writes.
        for (let rows: Row[] = [], last = 0; rows.length > 0 || last === 0; last = Number(rows.at(-1)?.id ?? -1)) {
          rows = sql.get(select).all(runId, siteId, runId, last) as Row[];
          for (const row of rows) {
            const refusedBy = row.rule === null ? undefined : String(row.rule);
            yield { pageId: Number(row.id), url: String(row.url), depth: Number(row.depth), siteId: Number(row.site_id), refusedBy };
          }
        }
      }
    },
    async *pageObservations(siteIds) {
      yield* looks.pageObservations(sql, siteIds);
    },
    observationsOf: async (siteIds, hash) => looks.observationsOf(sql, siteIds, hash),
    forEachRequested: async (siteIds, sitemapsSince, each) => looks.forEachRequested(sql, siteIds, sitemapsSince, each),
    hints: async (siteIds) => looks.hints(sql, siteIds),
    markUnknown: async (runId, pages, at) =>
      inTransaction(db, () => {
        const mark = sql.get(
          "INSERT OR IGNORE INTO change (run_id, page_id, status, at, from_version, to_version, detail) SELECT ?, id, 'unknown', ?, version_id, NULL, ? FROM page WHERE id = ?",
        );
        let count = 0;
        for (const { pageId, rule } of pages) count += Number(mark.run(runId, at, rule, pageId).changes);
        return count;
      }),
    markUnreached: async (runId, siteIds, at) => {
      const mark = `INSERT OR IGNORE INTO change (run_id, page_id, status, at, from_version, to_version, detail)
        SELECT ?, id, 'unknown', ?, version_id, NULL, 'not reached' FROM page WHERE site_id = ? AND is_gone = 0 AND run_id <> ?`;
      let count = 0;
      for (const siteId of siteIds) count += Number(sql.get(mark).run(runId, at, siteId, runId).changes);
      return count;
    },
    releaseHosts: async (runId) => {
      sql.get("UPDATE host SET owner = NULL WHERE owner = ?").run(backlogOf(runId).owner);
      // Each request outside a run has its own id.
      backlogs.delete(runId);
    },
    noise: async (siteId, template) => {
      const row = sql.get("SELECT seen FROM noise WHERE site_id = ? AND template = ?").get(siteId, template) as Row | undefined;
      return row && String(row.seen);
    },
    noisyTemplates: async (siteId) =>
      (sql.get("SELECT template FROM noise WHERE site_id = ?").all(siteId) as Row[]).map(({ template }) => String(template)),
    saveNoise: async (siteId, template, text) => {
      sql.get("INSERT OR REPLACE INTO noise (site_id, template, seen) VALUES (?, ?, ?)").run(siteId, template, text);
    },

    modelAnswers: async (keys) => {
      const select = sql.get("SELECT text FROM answer WHERE key = ?");
      return new Map(keys.flatMap((key) => (select.all(key) as Row[]).map(({ text }) => [key, String(text)] as const)));
    },
    saveModelAnswers: async (answers, at) => {
      inTransaction(db, () => {
        const save = sql.get("INSERT OR REPLACE INTO answer (key, text, at) VALUES (?, ?, ?)");
        for (const { key, text } of answers) save.run(key, text, at);
      });
    },

    firstResolvedAs: async (name, here) => {
      const find = sql.get("SELECT met FROM met_name WHERE name = ?");
      if (!find.get(name)) sql.get("INSERT OR IGNORE INTO met_name (name, met) VALUES (?, ?)").run(name, here);
      // Another process may have inserted it first.
      return (find.get(name) as Row).met === "private" ? "private" : "public";
    },
    robots: async (origin) => {
      const row = sql.get("SELECT * FROM robots WHERE origin = ?").get(origin) as Row | undefined;
      if (!row) return undefined;
      return {
        origin,
        fetchedAt: Number(row.fetched_at),
        kind: row.kind as StoredRobots["kind"],
        why: String(row.why),
        text: Buffer.from(row.text as Uint8Array).toString(),
      };
    },
    saveRobots: async (robots) => {
      sql
        .get("INSERT OR REPLACE INTO robots (origin, fetched_at, kind, why, text) VALUES (?, ?, ?, ?, ?)")
        // As bytes: SQLite ends a text at its first NUL, and the rules behind it count too.
        .run(robots.origin, robots.fetchedAt, robots.kind, robots.why, Buffer.from(robots.text));
    },

    countPages: async (filter) => reads.countPages(sql, filter),
    async *pages(filter) {
      yield* reads.pages(sql, filter);
    },
    page: async (by) => reads.page(sql, by),
    versions: async (pageId) => reads.versions(sql, pageId),
    body: async (hash) => cache.get(hash, () => loadBody(sql, hash)),
    bodyUncached: async (hash) => loadBody(sql, hash),
    async *decisions(filter) {
      yield* reads.decisions(sql, filter);
    },
    decision: async (id) => reads.decision(sql, id),
    async *changes(runId, siteId) {
      yield* reads.changes(sql, runId, siteId);
    },
    async *linkDocuments({ siteId, runId, since }) {
      const select = `SELECT p.id, p.site_id, p.url, v.links FROM page p JOIN page_version v ON v.id = p.version_id
        WHERE v.links IS NOT NULL AND (:site IS NULL OR p.site_id = :site) AND (:run IS NULL OR p.run_id = :run) AND (:since IS NULL OR v.fetched_at >= :since) ORDER BY p.id`;
      for (const row of sql.each(select, { site: siteId ?? null, run: runId ?? null, since: since ?? null })) {
        yield { pageId: Number(row.id), siteId: Number(row.site_id), page: String(row.url), packed: row.links as Uint8Array };
      }
    },
    inlinks: async (hash, limit) => {
      const select = `SELECT p.url AS page, ls.text FROM link l JOIN link_source ls ON ls.link_id = l.id JOIN page p ON p.id = ls.page_id
        WHERE l.hash = ? AND ls.gone_run_id IS NULL LIMIT ?`;
      return (sql.get(select).all(toInt64(hash), limit) as Row[]).map((row) => ({ page: String(row.page), text: String(row.text) }));
    },
    check: async () => String((sql.get("PRAGMA integrity_check").get() as Row).integrity_check),
    close: async () => {
      try {
        words.flush();
      } finally {
        db.close();
      }
    },
    ...overrides?.({ sql, runs, oldVersions, words }),
  };
}

/** Each database seeds its hashes with a secret, so that nobody can construct URLs that collide. */
function hashSeedOf(db: Database): Hash64 {
  const read = () => db.prepare("SELECT value FROM meta WHERE key = 'hash_seed'").get() as { value: string } | undefined;
  if (!read()) db.prepare("INSERT OR IGNORE INTO meta (key, value) VALUES ('hash_seed', ?)").run(randomBytes(8).toString("hex"));
  const { value } = read()!;
  return { hi: Number.parseInt(value.slice(0, 8), 16), lo: Number.parseInt(value.slice(8), 16) };
}
