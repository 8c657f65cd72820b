import { existsSync } from "node:fs";
import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { StorageError, type Upgrade } from "../../store.ts";
import { LEASE_MS } from "../backlog.ts";
import { type Copy, copyInNewConnection } from "../files/copy.ts";
import { fileId, isOwnerAlive, pidOf } from "../files/owner.ts";
import type { Row } from "../rows.ts";
import { migrations, refuseNewer, SCHEMA_VERSION, versionOf } from "./schema.ts";

/** Copying a large file takes a while, and other processes that open it wait meanwhile. */
const COPY_TIMEOUT_MS = 600_000;

/**
 * Migrates to the current version in one transaction, so that a crash leaves the old one. A file of an earlier version is copied first,
 * while the write lock is held, so that the copy is the unchanged file.
 */
export function upgrade(db: Database, path: string, busyTimeout: number): Upgrade | undefined {
  if (versionOf(db) === SCHEMA_VERSION) return undefined;
  db.exec(`PRAGMA busy_timeout = ${COPY_TIMEOUT_MS}; BEGIN IMMEDIATE`);
  let copy: Copy | undefined;
  try {
    const from = versionOf(db); // another process may have migrated first
    refuseNewer(from, path);
    if (from > 0 && from < SCHEMA_VERSION) {
      refuseWhileRunning(db, path);
      if (path !== ":memory:") copy = copyInNewConnection(path, `${path}.v${from}.bak.part`);
    }
    for (const migration of migrations.slice(from)) db.exec(migration);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    const backup = copy && freeBackupName(path, from);
    if (backup !== undefined) copy?.saveAs(backup);
    db.exec("COMMIT");
    return from > 0 && from < SCHEMA_VERSION ? { from, to: SCHEMA_VERSION, backup } : undefined;
  } catch (cause) {
    if (db.isTransaction) db.exec("ROLLBACK");
    copy?.discard();
    throw cause;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
  }
}

/** An earlier nuthatch that is crawling does not know the new schema. */
function refuseWhileRunning(db: Database, path: string): void {
  const runs = db.prepare("SELECT id, owner, alive_at FROM run WHERE status = 'running'").all() as Row[];
  const runningRun = runs.find(({ owner, alive_at }) =>
    isOwnerAlive(String(owner), { file: fileId(path), wasHeardLately: Date.now() - Number(alive_at) < LEASE_MS }),
  );
  if (!runningRun) return;
  throw new StorageError(
    `${path} cannot be brought to the schema of this nuthatch while an earlier one crawls into it (run ${runningRun.id})`,
    `wait until process ${pidOf(String(runningRun.owner))} has ended, or stop it with Ctrl-C; nothing was changed`,
  );
}

/** `nuthatch.db.v1.bak`, or with a number: an earlier copy is never replaced. */
function freeBackupName(path: string, version: number): string {
  for (let number = 1; ; number++) {
    const name = `${path}.v${version}${number === 1 ? "" : `.${number}`}.bak`;
    if (!existsSync(name)) return name;
  }
}
