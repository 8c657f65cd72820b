import { type DatabaseSyncInstance as Database, DatabaseSync } from "@photostructure/sqlite";
import type { Row } from "./rows.ts";
import { migrations } from "./schema/schema.ts";

const isPage = "seq IS NOT NULL AND kind = 'page' AND target IS NULL AND page_id IS NOT NULL";

const RECOUNT = `SELECT coalesce(sum(${isPage} AND verdict IN ('fetched', 'not-modified')), 0) AS pages,
    coalesce(sum(${isPage} AND verdict = 'fetched'), 0) AS fetched, coalesce(sum(${isPage} AND verdict = 'not-modified'), 0) AS "notModified"
  FROM decision WHERE run_id = ?`;

/** The counters that follow from a run's ledger, to compare with the run's own. */
export function recount(db: Database, runId: number): Record<string, number> {
  const row = db.prepare(RECOUNT).get(runId) as Row;
  return Object.fromEntries(Object.entries(row).map(([name, rows]) => [name, Number(rows)]));
}

/** Dangling references that no foreign key checks, and stored counts that are wrong. */
const REFERENCE_CHECKS: readonly [select: string, problem: (count: number) => string][] = [
  [
    "SELECT count(*) AS count FROM page p WHERE version_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM page_version WHERE id = p.version_id AND page_id = p.id)",
    (count) => `${count} pages name a version that is not there`,
  ],
  [
    "SELECT count(*) AS count FROM decision d WHERE NOT EXISTS (SELECT 1 FROM run WHERE id = d.run_id AND ledger_from < d.id)",
    (count) => `${count} rows of ledgers lie before the beginning of theirs`,
  ],
  [
    "SELECT count(*) AS count FROM link_keyword k WHERE NOT EXISTS (SELECT 1 FROM link WHERE id = k.link_id)",
    (count) => `${count} matches of keywords name a link that is not there`,
  ],
  [
    "SELECT count(*) AS count FROM exchange e WHERE body_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM body WHERE hash = e.body_hash)",
    (count) => `${count} answers kept for archives name a body that is not there`,
  ],
  [
    `SELECT count(*) AS count FROM site s LEFT JOIN page_count n ON n.site_id = s.id
      LEFT JOIN (SELECT site_id, count(*) AS stored, sum(is_gone) AS gone FROM page WHERE version_id IS NOT NULL GROUP BY site_id) p ON p.site_id = s.id
      WHERE coalesce(n.stored, 0) <> coalesce(p.stored, 0) OR coalesce(n.gone, 0) <> coalesce(p.gone, 0)`,
    (count) => `${count} sites have other pages than were counted`,
  ],
  [
    `SELECT count(*) AS count FROM keyword k
      WHERE links <> (SELECT count(*) FROM link_keyword lk WHERE lk.site_id = k.site_id AND lk.word_id = k.word_id AND lk.match > 0)`,
    (count) => `${count} keywords apply to other links than were counted`,
  ],
  [
    "SELECT count(*) AS count FROM rendered_version r WHERE picture_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM body WHERE hash = r.picture_hash)",
    (count) => `${count} versions name a picture that is not there`,
  ],
];

/** Checks the whole file as one consistent snapshot, because a crawl may be running. It takes as long as reading the file. */
export function problemsIn(db: Database): string[] {
  db.exec("BEGIN");
  try {
    const found = db.prepare("PRAGMA integrity_check").all() as Row[];
    const broken = found.map((row) => String(row.integrity_check)).filter((text) => text !== "ok");
    // Rows read from a damaged tree are meaningless.
    if (broken.length > 0) return broken.map((text) => text.replace(/\s+/g, " "));
    return [...missingParts(db), ...brokenReferences(db), ...contradictions(db)];
  } finally {
    db.exec("COMMIT");
  }
}

/** Contradictions between rows, in any database. */
export const contradictions = (db: Database): string[] => [...checkReferences(db), ...checkCounts(db)];

/** Tables, indexes, triggers and views that a new file would have and this one lacks. */
function missingParts(db: Database): string[] {
  const names = "SELECT type || ' ' || name AS part FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'";
  const parts = (of: Database) => (of.prepare(names).all() as Row[]).map((row) => String(row.part));
  const reference = new DatabaseSync(":memory:");
  for (const migration of migrations) reference.exec(migration);
  const here = new Set(parts(db));
  const missing = parts(reference).filter((part) => !here.has(part));
  reference.close();
  return missing.map((part) => `the ${part} is missing`);
}

function brokenReferences(db: Database): string[] {
  const rows = db.prepare('SELECT "table", parent, count(*) AS count FROM pragma_foreign_key_check GROUP BY 1, 2').all() as Row[];
  return rows.map((row) => `${row.count} rows of ${row.table} name a ${row.parent} that is not there`);
}

function checkReferences(db: Database): string[] {
  return REFERENCE_CHECKS.flatMap(([select, problem]) => {
    const count = Number((db.prepare(select).get() as Row).count);
    return count > 0 ? [problem(count)] : [];
  });
}

/** Runs whose ledger was removed cannot be counted. */
function checkCounts(db: Database): string[] {
  const runs = db.prepare("SELECT id, status, seq, counters FROM run WHERE pruned_at IS NULL").all() as Row[];
  const ends = "SELECT coalesce(max(seq), 0) AS seq, coalesce(sum(verdict = 'queued'), 0) AS queued FROM decision WHERE run_id = ?";
  return runs.flatMap(({ id, status, seq, counters }) => {
    const stored = JSON.parse(String(counters)) as Record<string, number>;
    const counted = Object.entries(recount(db, Number(id))).filter(([name, rows]) => stored[name] !== rows);
    const wrong = counted.map(([name, rows]) => `run ${id} says ${name} ${stored[name]}, its ledger says ${rows}`);
    const end = db.prepare(ends).get(Number(id)) as Row;
    if (Number(end.seq) > Number(seq)) wrong.push(`run ${id} says it has settled ${seq} visits, its ledger says ${end.seq}`);
    if (status === "finished" && Number(end.queued) > 0) wrong.push(`run ${id} is finished, but ${end.queued} URLs still wait`);
    return wrong;
  });
}
