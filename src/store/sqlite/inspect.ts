import { statSync } from "node:fs";
import { DatabaseSync } from "@photostructure/sqlite";
import { MAX_CHECKED_BYTES } from "./files/open-file.ts";
import { SCHEMA_VERSION } from "./schema/schema.ts";

/** Findings about a data file, read without changing it. */
export interface FileFindings {
  readonly isOurs: boolean;
  readonly version: number;
  /** The schema version that this nuthatch writes. */
  readonly today: number;
  readonly journal: string;
  /** `ok`, or the damage SQLite found; undefined if a check of the whole file would take too long. */
  readonly finding: string | undefined;
  readonly latestRunAt: number | undefined;
}

/** Opens the file read-only: nothing is migrated, repaired or created. Throws SQLite's error if it cannot be read. */
export function inspectSqlite(path: string): FileFindings {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.exec("PRAGMA busy_timeout = 5000");
    const readValue = (sql: string) => Object.values(db.prepare(sql).get() as Record<string, unknown>)[0];
    const isOurs = readValue("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'decision'") === 1;
    const latest = isOurs ? readValue("SELECT max(started_at) FROM run") : null;
    return {
      isOurs,
      version: Number(readValue("PRAGMA user_version")),
      today: SCHEMA_VERSION,
      journal: String(readValue("PRAGMA journal_mode")),
      finding: statSync(path).size > MAX_CHECKED_BYTES ? undefined : String(readValue("PRAGMA quick_check(1)")),
      latestRunAt: latest === null ? undefined : Number(latest),
    };
  } finally {
    db.close();
  }
}
