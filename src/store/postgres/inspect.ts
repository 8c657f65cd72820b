import { SCHEMA_VERSION } from "../sqlite/schema/schema.ts";
import { versionOf } from "./migrate.ts";
import { SyncDatabase } from "./sync/sync-database.ts";

/** Findings about a database, read without changing it. */
export interface PostgresFindings {
  /** The server's own version string. */
  readonly server: string;
  /** Version of our schema; 0 if the database has none. */
  readonly version: number;
  /** The schema version that this nuthatch writes. */
  readonly today: number;
  readonly latestRunAt: number | undefined;
}

export function inspect(url: string): PostgresFindings {
  const db = new SyncDatabase(url, true);
  try {
    const server = String(db.query("SELECT current_setting('server_version') AS server").rows[0]!.server);
    const version = versionOf(db);
    const latest = version > 0 ? db.query("SELECT max(started_at) AS latest FROM run").rows[0]!.latest : null;
    return { server, version, today: SCHEMA_VERSION, latestRunAt: latest === null ? undefined : Number(latest) };
  } finally {
    db.close();
  }
}
