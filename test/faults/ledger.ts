import { DatabaseSync } from "@photostructure/sqlite";
import { expect } from "vitest";

type Row = Record<string, unknown>;

/** Reads the data file the way a person with the sqlite3 command would. */
export function query(db: string, sql: string): Row[] {
  const database = new DatabaseSync(db);
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

export const count = (db: string, sql: string): number => Number(Object.values(query(db, `SELECT count(*) ${sql}`)[0]!)[0]);

export const pathsOf = (db: string): string[] =>
  query(db, "SELECT url FROM page WHERE version_id IS NOT NULL ORDER BY url").map(({ url }) => new URL(String(url)).pathname);

export const isSound = (db: string): void => expect(query(db, "PRAGMA integrity_check")[0]).toEqual({ integrity_check: "ok" });

/** How each URL of these verdicts ended. */
export const reasonsFor = (db: string, verdict: string): Row[] =>
  query(db, `SELECT url, reason, rule FROM decision WHERE verdict = '${verdict}' ORDER BY url`);

/** The counters of a run, counted again from the rows it left. Bytes are those of bodies that came without a coding. */
export function recount(db: string, runId = 1) {
  const visits = `FROM decision WHERE run_id = ${runId} AND seq IS NOT NULL`;
  const pages = `${visits} AND kind = 'page' AND page_id IS NOT NULL AND target IS NULL`;
  const groups = (sql: string) => Object.fromEntries(query(db, sql).map((row) => [String(row.name), Number(row.number)]));
  const same = count(db, `FROM page WHERE run_id = ${runId} AND change = 'same'`);
  const unchanged = { new: 0, changed: 0, same, gone: 0, unlinked: 0, unknown: 0 };
  return {
    pages: count(db, `${pages} AND verdict IN ('fetched', 'not-modified')`),
    fetched: count(db, `${pages} AND verdict = 'fetched'`),
    notModified: count(db, `${pages} AND verdict = 'not-modified'`),
    redirects: count(db, `${visits} AND target IS NOT NULL`),
    gone: count(db, `${visits} AND status IN (404, 410)`),
    failed: count(db, `${visits} AND verdict = 'failed' AND coalesce(status, 0) NOT IN (404, 410)`),
    bytes: Number(query(db, `SELECT coalesce(sum(bytes), 0) AS sum FROM page WHERE run_id = ${runId}`)[0]!.sum),
    changes: { ...unchanged, ...groups(`SELECT status AS name, count(*) AS number FROM change WHERE run_id = ${runId} GROUP BY 1`) },
    skipped: groups(`SELECT reason AS name, count(*) AS number FROM decision WHERE run_id = ${runId} AND verdict = 'skipped' GROUP BY 1`),
    status: groups(
      `SELECT iif(status = 304, '304', (status / 100) || 'xx') AS name, count(*) AS number ${visits} AND status IS NOT NULL GROUP BY 1`,
    ),
  };
}
