import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { StorageError } from "../../store.ts";
import { version1 } from "./version-1.ts";
import { version2 } from "./version-2.ts";
import { version3 } from "./version-3.ts";
import { version4 } from "./version-4.ts";
import { version5 } from "./version-5.ts";
import { version6 } from "./version-6.ts";
import { version7 } from "./version-7.ts";
import { version8 } from "./version-8.ts";
import { version9 } from "./version-9.ts";
import { version10 } from "./version-10.ts";
import { version11 } from "./version-11.ts";
import { version12 } from "./version-12.ts";

/** Each entry migrates to the next version. A released entry never changes; new ones are added. */
export const migrations: readonly string[] = [
  version1,
  version2,
  version3,
  version4,
  version5,
  version6,
  version7,
  version8,
  version9,
  version10,
  version11,
  version12,
];

export const SCHEMA_VERSION = migrations.length;

export const versionOf = (db: Database): number => (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;

/** Called before anything is written: a database of another program, or of a later nuthatch, is refused unchanged. */
export function refuseForeign(db: Database, path: string): void {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
  if (tables.length > 0 && !tables.some(({ name }) => name === "decision")) {
    throw new StorageError(`${path} is a database of another program`, "choose another file with --db; nothing was changed");
  }
  refuseNewer(versionOf(db), path);
}

export function refuseNewer(version: number, path: string): void {
  if (version <= SCHEMA_VERSION) return;
  throw new StorageError(
    `${path} was written by a newer nuthatch (schema ${version}, this one knows ${SCHEMA_VERSION})`,
    "update nuthatch, or choose another file with --db; nothing was changed",
  );
}
