import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import type { StopReason } from "../../core/records.ts";
import { isNamedBy, type Seed } from "../../core/seed.ts";
import { withTimeUnits } from "../../core/units.ts";
import type { Keyword } from "../links.ts";
import type { Counters, Run, RunKind, RunStatus, Site } from "../run.ts";
import { RunningError, StorageError, type Store } from "../store.ts";
import { LEASE_MS } from "./backlog.ts";
import { isOwnerAlive, ownerId, pidOf } from "./files/owner.ts";
import { setKeywords } from "./links.ts";
import { inTransaction, type Row, type Statements, uuidv7 } from "./rows.ts";

export const noCounts = (): Counters => ({
  pages: 0,
  fetched: 0,
  notModified: 0,
  redirects: 0,
  errors: 0,
  gone: 0,
  refused: 0,
  failed: 0,
  bytes: 0,
  changes: { new: 0, changed: 0, same: 0, gone: 0, unlinked: 0, unknown: 0 },
  skipped: {},
  status: {},
  scripted: 0,
  looksAgain: 0,
});

/** Earlier versions counted skipped URLs as refused, and refused URLs as skipped. */
function withErrorCounts<T extends Pick<Run, "counters">>(run: T): T {
  const { counters } = run;
  if (counters.errors !== undefined) return run;
  const isFromServer = (reason: string) => reason.startsWith("http.");
  const skipped = Object.fromEntries(Object.entries(counters.skipped).filter(([reason]) => !isFromServer(reason)));
  const refused = Object.entries(counters.skipped).reduce((sum, [reason, urls]) => sum + (isFromServer(reason) ? urls : 0), 0);
  return { ...run, counters: { ...counters, skipped, refused, errors: counters.gone + counters.failed + refused } };
}

const siteFrom = (row: Row): Site => ({ id: Number(row.id), uid: String(row.uid), url: String(row.url) });

/** Run-ownership policy; replaced by PostgreSQL for runs with several processes. */
export interface RunOwnership {
  /** The owner of a run that is started or resumed now. */
  owner(): string;
  isOwnerAlive(owner: string, aliveAt: number): boolean;
  /** Within a transaction: until it ends, no other process starts or resumes a run of these sites. */
  lockSites(siteIds: readonly number[]): void;
  /** Within a transaction: visits in flight when the run ended uncleanly go back into the queue. */
  requeueInFlight(runId: number, at: number): void;
  /** The counters in the run's row, plus those not added to it yet. */
  countsOf(row: Row): Pick<Run, "counters" | "seq">;
}

/**
 * How often a run may end uncleanly with a page in flight before the page is given up. Many pages are in flight at once, and a person
 * or the system may kill a crawl several times in a row, so a few such ends say little about a page.
 */
export const MAX_CRASHES = 10;
export const crashRule = `the crawler died ${MAX_CRASHES} times while this page was in flight`;

/** A visit in flight when a run ended uncleanly goes to the end of its queue, and fails after too many such ends. */
const REQUEUE_IN_FLIGHT = `UPDATE decision SET crashes = crashes + 1, level = 7, priority = -1e9 - crashes,
    verdict = iif(crashes + 1 >= ${MAX_CRASHES}, 'failed', verdict), reason = iif(crashes + 1 >= ${MAX_CRASHES}, 'crash', reason),
    rule = iif(crashes + 1 >= ${MAX_CRASHES}, '${crashRule}', rule), at = iif(crashes + 1 >= ${MAX_CRASHES}, ?, at)
  WHERE id IN (SELECT value FROM json_each((SELECT out FROM run WHERE id = ?))) AND verdict = 'queued' RETURNING verdict`;

const COUNT_FAILED = `UPDATE run SET counters = json_set(counters, '$.failed', json_extract(counters, '$.failed') + ?1,
  '$.errors', coalesce(json_extract(counters, '$.errors'), 0) + ?1) WHERE id = ?2`;

function requeueInFlight(sql: Statements, runId: number, at: number): void {
  const requeued = sql.get(REQUEUE_IN_FLIGHT).all(at, runId) as Row[];
  const givenUp = requeued.filter(({ verdict }) => verdict === "failed").length;
  if (givenUp > 0) sql.get(COUNT_FAILED).run(givenUp, runId);
}

/** A SQLite file has one process per run. */
const singleProcess = (sql: Statements, file: string | undefined, wall: () => number): RunOwnership => ({
  owner: () => ownerId(process.pid, file),
  isOwnerAlive: (other, aliveAt) => isOwnerAlive(other, { file, wasHeardLately: wall() - aliveAt < LEASE_MS }),
  lockSites: () => undefined,
  requeueInFlight: (runId, at) => requeueInFlight(sql, runId, at),
  countsOf: ({ counters, seq }) => ({ counters: JSON.parse(String(counters)), seq: Number(seq) }),
});

/** Sites and their runs. */
export class Runs {
  readonly #db: Database;
  readonly #sql: Statements;
  readonly #ownership: RunOwnership;
  readonly #wall: () => number;

  constructor(
    db: Database,
    sql: Statements,
    {
      wall,
      file,
      customs: ownership = singleProcess(sql, file, wall),
    }: { wall: () => number; file: string | undefined; customs?: RunOwnership | undefined },
  ) {
    this.#db = db;
    this.#sql = sql;
    this.#ownership = ownership;
    this.#wall = wall;
  }

  sitesAt(places: readonly { readonly url: string; readonly key: string }[]): Site[] {
    const keys = JSON.stringify(places.map(({ key }) => key));
    const find = this.#sql.get("SELECT * FROM site WHERE key IN (SELECT value FROM json_each(?))");
    const known = () => new Map((find.all(keys) as Row[]).map((row) => [String(row.key), siteFrom(row)]));
    const all = (sites: ReadonlyMap<string, Site>) => places.map(({ key }) => sites.get(key)!);
    const before = known();
    const missing = places.filter(({ key }) => !before.has(key));
    if (missing.length === 0) return all(before);
    return inTransaction(this.#db, () => {
      const at = this.#wall();
      const add = this.#sql.get("INSERT OR IGNORE INTO site (uid, url, key, created_at) VALUES (?, ?, ?, ?)");
      for (const { url, key } of missing) add.run(uuidv7(at), url, key, at);
      return all(known());
    });
  }

  sites(): Site[] {
    return (this.#sql.get("SELECT * FROM site ORDER BY id").all() as Row[]).map(siteFrom);
  }

  start(run: Parameters<Store["startRun"]>[0]): Run {
    return inTransaction(this.#db, () => {
      this.#ownership.lockSites(run.sites.map(({ id }) => id));
      this.#refuseIfAlive(run.sites);
      const row = this.#sql
        .get(
          `INSERT INTO run (id, uid, kind, status, started_at, alive_at, seeds, options, counters, owner, ledger_from)
           VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(id), 0) FROM decision)) RETURNING id`,
        )
        .get(
          this.#sql.dialect.ids.start(this.#sql, "run")(),
          uuidv7(run.at),
          run.kind ?? "crawl",
          run.at,
          run.at,
          JSON.stringify(run.seeds.slice(0, 1).map(({ url }) => url)),
          JSON.stringify(run.options),
          JSON.stringify(noCounts()),
          this.#ownership.owner(),
        ) as Row;
      const addSite = this.#sql.get("INSERT INTO run_site (run_id, site_id, position) VALUES (?, ?, ?)");
      for (const [position, site] of run.sites.entries()) addSite.run(Number(row.id), site.id, position);
      const addSeed = this.#sql.get("INSERT INTO run_seed (run_id, position, url, named_by) VALUES (?, ?, ?, ?)");
      for (const [position, seed] of run.seeds.entries()) addSeed.run(Number(row.id), position, seed.url, seed.namedBy);
      this.#setKeywords(run.sites, run.keywords);
      return this.get(Number(row.id))!;
    });
  }

  isAlive(run: Pick<Run, "id">): boolean {
    const row = this.#sql.get("SELECT owner, alive_at FROM run WHERE id = ? AND status = 'running'").get(run.id) as Row | undefined;
    return row !== undefined && this.#ownership.isOwnerAlive(String(row.owner), Number(row.alive_at));
  }

  /** The runs that a process is working on. */
  alive(): { id: number; siteIds: number[] }[] {
    const rows = this.#sql.get("SELECT id FROM run WHERE status = 'running'").all() as Row[];
    const sites = this.#sql.get("SELECT site_id FROM run_site WHERE run_id = ?");
    return rows
      .map(({ id }) => ({ id: Number(id), siteIds: (sites.all(id as number) as Row[]).map((row) => Number(row.site_id)) }))
      .filter((run) => this.isAlive(run));
  }

  /** One crawl per site at a time: two would disagree about which pages are gone. */
  #refuseIfAlive(sites: readonly Site[]): void {
    const select = `SELECT r.id, r.owner, r.alive_at, min(s.url) AS url FROM run r
      JOIN run_site rs ON rs.run_id = r.id JOIN site s ON s.id = rs.site_id
      WHERE r.status = 'running' AND rs.site_id IN (SELECT value FROM json_each(?)) GROUP BY r.id, r.owner, r.alive_at`;
    for (const row of this.#sql.get(select).all(JSON.stringify(sites.map(({ id }) => id))) as Row[]) {
      const owner = String(row.owner);
      if (!this.#ownership.isOwnerAlive(owner, Number(row.alive_at))) continue;
      throw new RunningError(
        `run ${row.id} of ${row.url} is still at work (process ${pidOf(owner)})`,
        `wait for it, stop it with nuthatch runs stop ${row.id}, or use another file with --db`,
      );
    }
  }

  #setKeywords(sites: readonly Site[], keywords: readonly Keyword[] = []): void {
    if (keywords.length > 0) for (const { id } of sites) setKeywords(this.#sql, id, keywords);
  }

  resume(runId: number, at: number, { keywords, options, seeds = [] }: Parameters<Store["resumeRun"]>[2] = {}): Run {
    return inTransaction(this.#db, () => {
      const run = this.get(runId)!;
      this.#ownership.lockSites(run.sites.map(({ id }) => id));
      this.#refuseIfAlive(run.sites);
      if (run.prunedAt !== undefined) {
        const again = `crawl again: nuthatch crawl ${run.seeds.join(" ")}`;
        throw new StorageError(`run ${runId} cannot be taken up again: its ledger was removed`, again);
      }
      this.#ownership.requeueInFlight(runId, at);
      this.#sql
        .get("UPDATE decision SET verdict = 'queued', reason = 'ok', rule = '', attempts = 0 WHERE run_id = ? AND verdict = 'deferred'")
        .run(runId);
      this.#sql.get("DELETE FROM change WHERE run_id = ? AND detail = 'not reached'").run(runId);
      this.#sql
        .get(
          "UPDATE run SET status = 'running', stop_reason = NULL, ended_at = NULL, out = '[]', stop_wanted = 0, owner = ?, alive_at = ? WHERE id = ?",
        )
        .run(this.#ownership.owner(), at, runId);
      this.#setKeywords(run.sites, keywords);
      const nameSeed = this.#sql.get("UPDATE run_seed SET named_by = ? WHERE run_id = ? AND url = ?");
      for (const { url, namedBy } of seeds) nameSeed.run(namedBy, runId, url);
      if (options) this.#sql.get("UPDATE run SET options = ? WHERE id = ?").run(JSON.stringify(options), runId);
      return this.get(runId)!;
    });
  }

  end(
    runId: number,
    end: { status: RunStatus; stopReason: StopReason; at: number; counters: Counters; state: Record<string, unknown> },
  ): void {
    this.#sql
      .get("UPDATE run SET status = ?, stop_reason = ?, ended_at = ?, counters = ?, state = ?, out = '[]', owner = NULL WHERE id = ?")
      .run(end.status, end.stopReason, end.at, JSON.stringify(end.counters), JSON.stringify(end.state), runId);
    this.#sql.get("DELETE FROM meta WHERE key = 'memory.' || ?").run(String(runId));
    // Moves the log into the file, as far as no reader prevents it, so that the file alone is complete.
    this.#sql.get("PRAGMA wal_checkpoint(TRUNCATE)").all();
  }

  memory(runId: number): unknown {
    const row = this.#sql.get("SELECT value FROM meta WHERE key = 'memory.' || ?").get(String(runId)) as Row | undefined;
    return row && JSON.parse(String(row.value));
  }

  get(id: number): Run | undefined {
    const row = this.#sql.get(`SELECT * FROM run WHERE id = ?`).get(id) as Row | undefined;
    return row && this.#from(row);
  }

  list({ kind, siteId, before, limit }: Parameters<Store["runs"]>[0]): Run[] {
    const rows = this.#sql
      .get(
        `SELECT * FROM run r WHERE (:site IS NULL OR EXISTS (SELECT 1 FROM run_site WHERE run_id = r.id AND site_id = :site))
         AND (:kind IS NULL OR r.kind = :kind) AND (:before IS NULL OR r.id < :before) ORDER BY id DESC LIMIT :limit`,
      )
      .all({ kind: kind ?? null, site: siteId ?? null, before: before ?? null, limit: limit ?? -1 }) as Row[];
    return rows.map((row) => this.#from(row));
  }

  #sitesOf(runId: number): Site[] {
    const select = "SELECT s.* FROM run_site rs JOIN site s ON s.id = rs.site_id WHERE rs.run_id = ? ORDER BY rs.position";
    return (this.#sql.get(select).all(runId) as Row[]).map(siteFrom);
  }

  #seedsOf(runId: number): Seed[] {
    const rows = this.#sql.get("SELECT url, named_by FROM run_seed WHERE run_id = ? ORDER BY position").all(runId) as Row[];
    return rows.map(({ url, named_by }) => {
      const word = String(named_by);
      return { url: String(url), namedBy: isNamedBy(word) ? word : "unknown" };
    });
  }

  #from(row: Row): Run {
    const id = Number(row.id);
    let sites: readonly Site[] | undefined;
    let seeds: readonly Seed[] | undefined;
    let urls: readonly string[] | undefined;
    const readSites = () => this.#sitesOf(id);
    const readSeeds = () => this.#seedsOf(id);
    return {
      id,
      uid: String(row.uid),
      kind: row.kind as RunKind,
      status: row.status as RunStatus,
      stopReason: (row.stop_reason ?? undefined) as StopReason | undefined,
      startedAt: Number(row.started_at),
      endedAt: row.ended_at === null ? undefined : Number(row.ended_at),
      options: withTimeUnits(JSON.parse(String(row.options)), "ms"),
      ...withErrorCounts(this.#ownership.countsOf(row)),
      owner: row.owner === null ? undefined : String(row.owner),
      // Read only when needed: there may be many seeds, and callers that only want the status poll every second.
      get seeds() {
        urls ??= this.namedSeeds.map(({ url }) => url);
        return urls;
      },
      get namedSeeds() {
        seeds ??= readSeeds();
        return seeds;
      },
      get sites() {
        sites ??= readSites();
        return sites;
      },
      // Parsed only when needed: it is long for a stopped run, and few callers read it.
      get state() {
        return JSON.parse(String(row.state));
      },
      prunedAt: row.pruned_at === null ? undefined : Number(row.pruned_at),
    };
  }
}
