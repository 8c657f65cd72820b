import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { type DatabaseSyncInstance as Database, DatabaseSync } from "@photostructure/sqlite";
import { StorageError } from "../store.ts";
import { makeForOwner } from "./own-file.ts";

/** A copy in progress. It gets its final name only when it is complete, so that a crash never leaves a partial copy under that name. */
export interface Copy {
  /** Renames it to `path`; fails if the file exists. */
  keep(path: string): void;
  discard(): void;
}

/** A consistent copy of the committed data, even while others write. Free space is not copied. */
export function copyOf(db: Database, part: string): Copy {
  const discard = () => rmSync(part, { force: true });
  let isBegun = false;
  try {
    discard(); // left by a killed process
    isBegun = true;
    makeForOwner(part);
    db.prepare("VACUUM INTO ?").run(part);
  } catch (cause) {
    if (isBegun) discard();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StorageError(
      `no copy can be made: ${why}`,
      "check the folder, and that the disk has room for a second file; nothing was changed",
      { cause },
    );
  }
  return { keep: (path) => rename(part, path), discard };
}

/** Like `copyOf`, through a second connection, for a connection that is inside a transaction. */
export function copyAside(path: string, part: string): Copy {
  const reader = new DatabaseSync(path, { readOnly: true });
  try {
    return copyOf(reader, part);
  } finally {
    reader.close();
  }
}

function rename(part: string, path: string): void {
  try {
    linkSync(part, path); // unlike a rename, it never replaces a file
    rmSync(part);
  } catch (cause) {
    const isTaken = (cause as NodeJS.ErrnoException).code === "EEXIST" || existsSync(path);
    if (isTaken) throw new StorageError(`${path} exists already`, "choose another name: a copy never replaces a file", { cause });
    renameSync(part, path); // the file system has no hard links
  }
}
