import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { type DatabaseSyncInstance as Database, DatabaseSync } from "@photostructure/sqlite";
import { StorageError } from "../store.ts";
import { makeForOwner } from "./own-file.ts";

/** A copy under way. It has its name only when it is whole, so that a crash never leaves half a copy under a good name. */
export interface Copy {
  /** Gives it its name; refuses a name that is taken. */
  keep(path: string): void;
  discard(): void;
}

/** A consistent copy of what is committed, though others write meanwhile. Free space is left behind. */
export function copyOf(db: Database, part: string): Copy {
  const discard = () => rmSync(part, { force: true });
  let isBegun = false;
  try {
    discard(); // what somebody left who was killed
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

/** The same through a connection of its own, for one that is in the middle of a transaction. */
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
    renameSync(part, path); // a disk without links
  }
}
