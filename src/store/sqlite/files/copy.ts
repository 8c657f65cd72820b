import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { type DatabaseSyncInstance as Database, DatabaseSync } from "@photostructure/sqlite";
import { StorageError } from "../../store.ts";
import { createForOwner } from "./own-file.ts";

/** A copy in progress. It gets its final name only when it is complete, so that a crash never leaves a partial copy under that name. */
export interface Copy {
  /** Renames it to `path`; fails if the file exists. */
  saveAs(path: string): void;
  discard(): void;
}

/** A consistent copy of the committed data, even while others write. Free space is not copied. */
export function createCopy(db: Database, partPath: string): Copy {
  const discard = () => rmSync(partPath, { force: true });
  let hasStarted = false;
  try {
    discard(); // left by a killed process
    hasStarted = true;
    createForOwner(partPath);
    db.prepare("VACUUM INTO ?").run(partPath);
  } catch (cause) {
    if (hasStarted) discard();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StorageError(
      `no copy can be made: ${why}`,
      "check the folder, and that the disk has room for a second file; nothing was changed",
      { cause },
    );
  }
  return { saveAs: (path) => rename(partPath, path), discard };
}

/** Like `copyOf`, through a second connection, for a connection that is inside a transaction. */
export function copyInNewConnection(path: string, partPath: string): Copy {
  const reader = new DatabaseSync(path, { readOnly: true });
  try {
    return createCopy(reader, partPath);
  } finally {
    reader.close();
  }
}

function rename(partPath: string, path: string): void {
  try {
    linkSync(partPath, path); // unlike a rename, it never replaces a file
    rmSync(partPath);
  } catch (cause) {
    const isTaken = (cause as NodeJS.ErrnoException).code === "EEXIST" || existsSync(path);
    if (isTaken) throw new StorageError(`${path} exists already`, "choose another name: a copy never replaces a file", { cause });
    renameSync(partPath, path); // the file system has no hard links
  }
}
