import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WrongLocationError } from "../store.ts";
import { PARTS_FOLDER } from "./body-write.ts";
import type { SyncDatabase } from "./sync/sync-database.ts";

/**
 * The body directory of a database. The database and a marker file in the directory hold the same id, because the path may differ on each
 * machine.
 */
export interface BodyDirectory {
  readonly place: string;
  readonly directory: string;
}

const MARKER = "nuthatch-bodies.json";
const DAY = 86_400_000;
const HINT = "mount the directory that its other workers use, and name it with --bodies";

/** The body directory that the database names, if any: at `directory`, or else at the path where it was created. */
export function findBodyDirectory(db: SyncDatabase, directory: string | undefined): BodyDirectory | undefined {
  const stored = storedDirectory(db);
  if (!stored) return undefined;
  const here = directory ?? stored.directory;
  const found = markerIn(here);
  if (found === stored.place) return { place: stored.place, directory: here };
  const trouble = directory === undefined ? `is not at ${here} on this machine` : `is not ${here}`;
  throw new WrongLocationError(`the directory that this database keeps its bodies in ${trouble}: ${describeDirectory(here, found)}`, HINT);
}

/** Like `findBodyDirectory`, for a process that writes bodies: the first directory given becomes the database's. */
export function fixBodyDirectory(db: SyncDatabase, directory: string | undefined): BodyDirectory | undefined {
  if (directory === undefined || storedDirectory(db)) return findBodyDirectory(db, directory);
  // Several workers may start at once; only one may create it.
  db.exec("BEGIN EXCLUSIVE");
  try {
    if (!storedDirectory(db)) createMarker(db, directory);
    db.exec("COMMIT");
  } catch (cause) {
    db.exec("ROLLBACK");
    throw cause;
  }
  return findBodyDirectory(db, directory);
}

function createMarker(db: SyncDatabase, directory: string): void {
  const other = markerIn(directory);
  if (other !== undefined)
    throw new WrongLocationError(
      `${directory} keeps the bodies of another database`,
      `name an empty directory with --bodies; if no database needs that one any more, remove ${MARKER} in it`,
    );
  const place = randomUUID();
  db.query("INSERT INTO meta (key, value) VALUES ('bodies', $1)", [JSON.stringify({ place, directory })]);
  try {
    mkdirSync(join(directory, PARTS_FOLDER), { recursive: true });
    const about = "Bodies of pages of a Nuthatch database. Removing one loses it.";
    writeFileSync(join(directory, MARKER), `${JSON.stringify({ place, about })}\n`, { flag: "wx", flush: true });
  } catch (cause) {
    throw new WrongLocationError(
      `cannot keep bodies in ${directory}: ${(cause as Error).message}`,
      "name a directory with --bodies that can be written to",
      {
        cause,
      },
    );
  }
}

function storedDirectory(db: SyncDatabase): BodyDirectory | undefined {
  const row = db.query("SELECT value FROM meta WHERE key = 'bodies'", []).rows[0];
  return row && (JSON.parse(String(row.value)) as BodyDirectory);
}

function markerIn(directory: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(directory, MARKER), "utf8")) as BodyDirectory).place;
  } catch (cause) {
    if (cause instanceof SyntaxError || (cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new WrongLocationError(`cannot read ${join(directory, MARKER)}: ${(cause as Error).message}`, HINT, { cause });
  }
}

function describeDirectory(directory: string, found: string | undefined): string {
  if (found !== undefined) return "that one is another database's";
  return statSync(directory, { throwIfNoEntry: false }) ? `there is no ${MARKER} in it` : "there is no such directory";
}

/** Removes partial files of killed processes. */
export function removePartFiles({ directory }: BodyDirectory): void {
  mkdirSync(join(directory, PARTS_FOLDER), { recursive: true });
  const before = Date.now() - DAY;
  for (const name of readdirSync(join(directory, PARTS_FOLDER))) {
    const path = join(directory, PARTS_FOLDER, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && found.mtimeMs < before) rmSync(path, { force: true });
  }
}

/** Separates the body directory from the database URL. */
export function splitBodiesParameter(url: string): { readonly url: string; readonly directory: string | undefined } {
  const [place = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  const directory = parameters.get("bodies") ?? undefined;
  if (directory === undefined) return { url, directory };
  parameters.delete("bodies");
  return { url: parameters.size === 0 ? place : `${place}?${parameters}`, directory };
}
