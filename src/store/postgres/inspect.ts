import { versionOf } from "./migrate.ts";
import { SyncDatabase } from "./sync-database.ts";
import { POSTGRES_VERSION } from "./version.ts";

/** What can be said of a database without changing it. */
export interface PostgresFindings {
  /** As the server calls its own. */
  readonly server: string;
  /** Of our schema; 0 where there is nothing of ours. */
  readonly version: number;
  /** The version that this nuthatch writes. */
  readonly today: number;
  readonly latestRunAt: number | undefined;
}

export function inspect(url: string): PostgresFindings {
  const db = new SyncDatabase(url, true);
  try {
    const server = String(db.ask("SELECT current_setting('server_version') AS server").rows[0]!.server);
    const version = versionOf(db);
    const latest = version > 0 ? db.ask("SELECT max(started_at) AS latest FROM run").rows[0]!.latest : null;
    return { server, version, today: POSTGRES_VERSION, latestRunAt: latest === null ? undefined : Number(latest) };
  } finally {
    db.close();
  }
}
