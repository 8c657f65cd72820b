import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { storeOn } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import { BodyFiles } from "./body-files.ts";
import { takeBodies } from "./body-place.ts";
import { postgresCare } from "./care.ts";
import { givenLease } from "./given-lease.ts";
import { migrate, refuseForeign } from "./migrate.ts";
import { openNames } from "./names.ts";
import { Patience } from "./patience.ts";
import { Presence } from "./presence.ts";
import { SharedRuns } from "./shared-runs.ts";
import { sharedStore } from "./shared-store.ts";
import { SyncDatabase } from "./sync-database.ts";
import { postgresWays } from "./ways.ts";
import { withBodies } from "./with-bodies.ts";

export interface Circumstances {
  /** Called when the database goes away during work, and when it is back. */
  readonly say?: (line: string) => void;
  /** Replaces the database's clock for leases and turns; for tests. */
  readonly clock?: () => number;
  /** How many milliseconds a lease lasts without renewal. */
  readonly lease?: number;
}

const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** Opens a PostgreSQL database and migrates it to the current version, unless it is read-only. */
export function openPostgres(url: string, wall = () => Date.now(), isReadOnly = false, circumstances: Circumstances = {}): Store {
  const { say = tell, clock, lease = givenLease(process.env.NUTHATCH_LEASE) } = circumstances;
  const { url: address, directory } = takeBodies(url);
  const sync = new SyncDatabase(address, isReadOnly);
  try {
    refuseForeign(sync);
    if (!isReadOnly) migrate(sync);
    const bodies = new BodyFiles(sync, directory);
    const presence = new Presence(sync, { clock, lease });
    const patience = new Patience({ db: sync, isAtWork: () => presence.isKnown, say });
    const shared = new SharedRuns(presence);
    const store = storeOn({
      // It implements the part of the SQLite driver that the store uses.
      db: sync as unknown as Database,
      path: sync.place,
      upgraded: undefined,
      wall,
      ways: postgresWays(sync, bodies),
      customs: shared.customs,
      own: (tools) => sharedStore(tools, presence, shared, patience),
    });
    const close = async () => {
      try {
        presence.close();
      } finally {
        await store.close();
      }
    };
    const whole = withBodies({ ...store, care: { ...store.care, ...postgresCare(sync, bodies) }, check: async () => "ok" }, bodies);
    return { ...patience.overStore(whole), names: openNames(presence), close };
  } catch (cause) {
    sync.close();
    throw cause;
  }
}
