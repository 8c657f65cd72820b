import { type DatabaseSyncInstance as Database, DatabaseSync } from "@photostructure/sqlite";
import { StorageError, type Upgrade } from "../store.ts";
import { makeForOwner } from "./own-file.ts";
import { refuseForeign } from "./schema.ts";
import { upgrade } from "./upgrade.ts";

const BUSY_TIMEOUT = 5000;

export function openFile(path: string): { db: Database; upgraded: Upgrade | undefined } {
  let db: Database | undefined;
  try {
    makeForOwner(path);
    db = new DatabaseSync(path);
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    refuseForeign(db, path);
    refuseDamaged(db, path);
    db.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 4000",
    );
    return { db, upgraded: upgrade(db, path, BUSY_TIMEOUT) };
  } catch (cause) {
    if (db?.isOpen) db.close();
    if (cause instanceof StorageError) throw cause;
    throw storageError(path, cause);
  }
}

/** A connection that cannot write. Whoever opened the file to write has brought it to today's version. */
export function openToRead(path: string): { db: Database; upgraded: undefined } {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA query_only = ON; PRAGMA cache_size = -16000; PRAGMA mmap_size = 268435456`);
    return { db, upgraded: undefined };
  } catch (cause) {
    throw storageError(path, cause);
  }
}

/** A file larger than this would take longer to look through than people wait for a command. */
export const LOOKED_THROUGH = 128 * 1024 * 1024;
const INSTEAD = "move the file away and start anew, or restore a copy";

/**
 * Looked for before anything is written: SQLite notices damage only where it reads, and writes elsewhere meanwhile. Table by table: of the whole
 * file SQLite would also work through the index of words, entry by entry, which takes twenty times as long as its pages do.
 */
function refuseDamaged(db: Database, path: string): void {
  const { size } = db.prepare("SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size").get() as { size: number };
  if (size > LOOKED_THROUGH) return;
  const select = `SELECT q.quick_check AS finding FROM sqlite_master t, pragma_quick_check(t.name) q
    WHERE t.type = 'table' AND t.rootpage > 0 AND q.quick_check <> 'ok' LIMIT 1`;
  const found = db.prepare(select).get() as { finding: string } | undefined;
  if (!found) return;
  throw new StorageError(`${path} is damaged: ${found.finding.replace(/\s+/g, " ")}`, `nothing was changed: ${INSTEAD}`);
}

export function sqliteVersion(): string {
  const db = new DatabaseSync(":memory:");
  const { version } = db.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  db.close();
  return version;
}

/** SQLite's own words, with what to do about them. */
export function storageError(path: string, cause: unknown): StorageError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const hints: readonly [RegExp, string][] = [
    [/not a database|malformed|corrupt|decompress|end of file/i, INSTEAD],
    [/readonly|read-only|permission/i, "make the file and its folder writable, or choose another file with --db"],
    [/full/i, "free some disk space and run the same command again: nothing settled is lost"],
    [/locked|busy/i, "another program holds the file: close it and try again"],
    [/unable to open|directory|ENOENT/i, "check that the folder of --db exists and can be written"],
  ];
  const hint = hints.find(([pattern]) => pattern.test(text))?.[1] ?? "check the file and the disk it is on";
  return new StorageError(`cannot use ${path}: ${text}`, hint, { cause });
}
