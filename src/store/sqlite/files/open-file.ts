import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { type DatabaseSyncInstance as Database, DatabaseSync } from "@photostructure/sqlite";
import { StorageError, type Upgrade } from "../../store.ts";
import { refuseForeign, SCHEMA_VERSION, versionOf } from "../schema/schema.ts";
import { upgrade } from "../schema/upgrade.ts";
import { createForOwner } from "./own-file.ts";

const BUSY_TIMEOUT_MS = 5000;

export function openFile(path: string): { db: Database; upgraded: Upgrade | undefined } {
  let db: Database | undefined;
  try {
    createForOwner(path);
    db = new DatabaseSync(path);
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    refuseForeign(db, path);
    refuseDamaged(db, path);
    db.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 4000",
    );
    return { db, upgraded: upgrade(db, path, BUSY_TIMEOUT_MS) };
  } catch (cause) {
    if (db?.isOpen) db.close();
    if (cause instanceof StorageError) throw cause;
    if (isUnwritable(path))
      throw new StorageError(
        `${path} is where nothing can be written`,
        "this command needs a data file that it can write: name another with --db; pages, show, search, changes and export work with this one",
        { cause },
      );
    throw storageError(path, cause);
  }
}

/** A connection that cannot write. The schema is current, because a writer has migrated it, or else nobody can migrate it. */
export function openToRead(path: string): { db: Database; upgraded: undefined } {
  let db: Database | undefined;
  try {
    const isReadOnly = isUnwritable(path);
    db = new DatabaseSync(isReadOnly ? readOnlyName(path) : path, { readOnly: true });
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA cache_size = -16000; PRAGMA mmap_size = 268435456`);
    if (!isReadOnly) db.exec("PRAGMA query_only = ON");
    // Such a file was not checked by a writer before.
    if (isReadOnly) refuseForeign(db, path);
    if (isReadOnly && versionOf(db) < SCHEMA_VERSION) refuseOlder(versionOf(db), path);
    return { db, upgraded: undefined };
  } catch (cause) {
    if (db?.isOpen) db.close();
    if (cause instanceof StorageError) throw cause;
    throw storageError(path, cause);
  }
}

/** Whether nothing can be written next to a data file: it is on a read-only disk, or in a folder of another user. */
export function isUnwritable(path: string): boolean {
  if (!existsSync(path)) return false;
  const real = realpathSync(path);
  // If a write-ahead log exists already, SQLite need not create one.
  return !mayWrite(real) || (!mayWrite(dirname(real)) && !existsSync(`${real}-wal`));
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** SQLite needs a log beside the file even for readers, unless it is opened as immutable. */
function readOnlyName(path: string): string | URL {
  const real = realpathSync(path);
  if (mayWrite(dirname(real))) return path;
  const log = statSync(`${real}-wal`, { throwIfNoEntry: false });
  if (log && log.size > 0 && !existsSync(`${real}-shm`))
    throw new StorageError(
      `${path} cannot be read where nothing can be written: its latest changes are still in ${path}-wal`,
      "copy both files to a folder that can be written, and name the copy with --db",
    );
  if (log && log.size > 0) return path;
  return new URL(`${pathToFileURL(real)}?immutable=1`);
}

function refuseOlder(version: number, path: string): never {
  throw new StorageError(
    `${path} is of schema ${version}, and cannot be brought to ${SCHEMA_VERSION} where nothing can be written`,
    "copy it to a folder that can be written, and name the copy with --db",
  );
}

/** Checking a larger file would take longer than users wait for a command. */
export const MAX_CHECKED_BYTES = 128 * 1024 * 1024;
const DAMAGE_HINT = "move the file away and start anew, or restore a copy";

/**
 * Checks for damage before anything is written, because SQLite notices it only where it reads, and writes elsewhere meanwhile. Checked
 * table by table: a check of the whole file would also verify every entry of the full-text index, which takes twenty times as long as its
 * pages do.
 */
function refuseDamaged(db: Database, path: string): void {
  const { size } = db.prepare("SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size").get() as { size: number };
  if (size > MAX_CHECKED_BYTES) return;
  const select = `SELECT q.quick_check AS finding FROM sqlite_master t, pragma_quick_check(t.name) q
    WHERE t.type = 'table' AND t.rootpage > 0 AND q.quick_check <> 'ok' LIMIT 1`;
  const found = db.prepare(select).get() as { finding: string } | undefined;
  if (!found) return;
  throw new StorageError(`${path} is damaged: ${found.finding.replace(/\s+/g, " ")}`, `nothing was changed: ${DAMAGE_HINT}`);
}

export function sqliteVersion(): string {
  const db = new DatabaseSync(":memory:");
  const { version } = db.prepare("SELECT sqlite_version() AS version").get() as { version: string };
  db.close();
  return version;
}

/** SQLite's message, with a hint what to do. */
export function storageError(path: string, cause: unknown): StorageError {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return new StorageError(`${path} is a folder`, "name the data file in it with --db");
  const text = cause instanceof Error ? cause.message : String(cause);
  const hints: readonly [RegExp, string][] = [
    [/not a database|malformed|corrupt|decompress|end of file/i, DAMAGE_HINT],
    [/readonly|read-only|permission/i, "this command writes: make the file and its folder writable, or name a copy with --db"],
    [/full/i, "free some disk space and run the same command again: nothing settled is lost"],
    [/locked|busy/i, "another program holds the file: close it and try again"],
    [/unable to open|directory|ENOENT/i, "check that the folder of --db exists, and that you may read and write the file"],
  ];
  const hint = hints.find(([pattern]) => pattern.test(text))?.[1] ?? "check the file and the disk it is on";
  return new StorageError(`cannot use ${path}: ${text}`, hint, { cause });
}
