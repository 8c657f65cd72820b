import { type DatabaseSyncInstance as Database, DatabaseSync } from "@photostructure/sqlite";
import type { Row } from "./rows.ts";
import { migrations } from "./schema.ts";

/** What the ledger of each run says, counted again beside what the run says of itself. A ledger that was removed says nothing. */
const RECOUNT = `SELECT r.id, r.seq, r.counters, r.status,
    coalesce(sum(d.isPage AND d.verdict IN ('fetched', 'not-modified')), 0) AS pages,
    coalesce(sum(d.isPage AND d.verdict = 'fetched'), 0) AS fetched,
    coalesce(sum(d.isPage AND d.verdict = 'not-modified'), 0) AS notModified,
    coalesce(sum(d.target IS NOT NULL), 0) AS redirects,
    coalesce(sum(d.verdict = 'queued'), 0) AS queued, coalesce(max(d.seq), 0) AS lastSeq
  FROM run r LEFT JOIN (SELECT run_id, verdict, target, seq, seq IS NOT NULL AND kind = 'page' AND target IS NULL AND page_id IS NOT NULL AS isPage
    FROM decision) d ON d.run_id = r.id
  WHERE r.pruned_at IS NULL GROUP BY r.id`;

const COUNTERS = ["pages", "fetched", "notModified", "redirects"] as const;

/** Rows that name what is not there, though no foreign key watches over them. */
const LOOSE_ENDS: readonly [select: string, problem: (count: number) => string][] = [
  [
    "SELECT count(*) AS count FROM page p WHERE version_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM page_version WHERE id = p.version_id AND page_id = p.id)",
    (count) => `${count} pages name a version that is not there`,
  ],
  [
    "SELECT count(*) AS count FROM decision d WHERE NOT EXISTS (SELECT 1 FROM run WHERE id = d.run_id AND ledger_from < d.id)",
    (count) => `${count} rows of ledgers lie before the beginning of theirs`,
  ],
];

/** Looks through the whole file: it takes as long as reading it. */
export function problemsIn(db: Database): string[] {
  const broken = (db.prepare("PRAGMA integrity_check").all() as Row[])
    .map((row) => String(row.integrity_check))
    .filter((text) => text !== "ok");
  // What is read from a broken tree means nothing.
  if (broken.length > 0) return broken.map((text) => text.replace(/\s+/g, " "));
  return [...missingParts(db), ...brokenReferences(db), ...looseEnds(db), ...miscounts(db)];
}

/** What a new file would have and this one has not. */
function missingParts(db: Database): string[] {
  const names = "SELECT type || ' ' || name AS part FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'";
  const parts = (of: Database) => (of.prepare(names).all() as Row[]).map((row) => String(row.part));
  const model = new DatabaseSync(":memory:");
  for (const migration of migrations) model.exec(migration);
  const here = new Set(parts(db));
  const missing = parts(model).filter((part) => !here.has(part));
  model.close();
  return missing.map((part) => `the ${part} is missing`);
}

function brokenReferences(db: Database): string[] {
  const rows = db.prepare('SELECT "table", parent, count(*) AS count FROM pragma_foreign_key_check GROUP BY 1, 2').all() as Row[];
  return rows.map((row) => `${row.count} rows of ${row.table} name a ${row.parent} that is not there`);
}

function looseEnds(db: Database): string[] {
  return LOOSE_ENDS.flatMap(([select, problem]) => {
    const count = Number((db.prepare(select).get() as Row).count);
    return count > 0 ? [problem(count)] : [];
  });
}

function miscounts(db: Database): string[] {
  return (db.prepare(RECOUNT).all() as Row[]).flatMap((row) => {
    const counters = JSON.parse(String(row.counters)) as Record<(typeof COUNTERS)[number], number>;
    const wrong = COUNTERS.filter((name) => counters[name] !== Number(row[name])).map(
      (name) => `run ${row.id} says ${name} ${counters[name]}, its ledger says ${row[name]}`,
    );
    if (Number(row.lastSeq) > Number(row.seq)) wrong.push(`run ${row.id} has settled ${row.lastSeq} visits, but says ${row.seq}`);
    if (row.status === "finished" && Number(row.queued) > 0) wrong.push(`run ${row.id} is finished, but ${row.queued} URLs still wait`);
    return wrong;
  });
}
