import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { createStore } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import { splitBodiesParameter } from "./body-directory.ts";
import { BodyFiles } from "./body-files.ts";
import { DatabaseRetry } from "./database-retry.ts";
import { openDnsCache } from "./dns-cache.ts";
import { leaseFromEnv } from "./lease-from-env.ts";
import { postgresMaintenance } from "./maintenance.ts";
import { migrate, refuseForeign } from "./migrate.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { SharedRuns } from "./shared-runs.ts";
import { sharedStore } from "./shared-store.ts";
import { SyncDatabase } from "./sync/sync-database.ts";
import { withBodies } from "./with-bodies.ts";
import { WorkerSession } from "./worker-session.ts";

export interface PostgresOptions {
  /** Called when the database goes away during work, and when it is back. */
  readonly say?: (line: string) => void;
  /** Replaces the database's clock for leases and turns; for tests. */
  readonly clock?: () => number;
  /** How many milliseconds a lease lasts without renewal. */
  readonly lease?: number;
}

const printLine = (line: string): void => void process.stderr.write(`${line}\n`);

/** Opens a PostgreSQL database and migrates it to the current version, unless it is read-only. */
export function openPostgres(url: string, wall = () => Date.now(), isReadOnly = false, options: PostgresOptions = {}): Store {
  const { say: log = printLine, clock, lease = leaseFromEnv(process.env.NUTHATCH_LEASE) } = options;
  const { url: address, directory } = splitBodiesParameter(url);
  const database = new SyncDatabase(address, isReadOnly);
  try {
    refuseForeign(database);
    if (!isReadOnly) migrate(database);
    const bodies = new BodyFiles(database, directory);
    const session = new WorkerSession(database, { clock, lease });
    const databaseRetry = new DatabaseRetry({ db: database, isWorking: () => session.isRegistered, log });
    const shared = new SharedRuns(session);
    const store = createStore({
      // It implements the part of the SQLite driver that the store uses.
      db: database as unknown as Database,
      path: database.address,
      upgraded: undefined,
      wall,
      dialect: postgresDialect(database, bodies),
      customs: shared.ownership,
      own: (tools) => sharedStore(tools, session, shared, databaseRetry),
    });
    const close = async () => {
      try {
        session.close();
      } finally {
        await store.close();
      }
    };
    const withBodyFiles = withBodies(
      { ...store, maintenance: { ...store.maintenance, ...postgresMaintenance(database, bodies) }, check: async () => "ok" },
      bodies,
    );
    return { ...databaseRetry.wrapStore(withBodyFiles), names: openDnsCache(session), close };
  } catch (cause) {
    database.close();
    throw cause;
  }
}
