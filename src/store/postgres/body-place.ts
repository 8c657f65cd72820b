import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WrongPlaceError } from "../store.ts";
import { PARTS } from "./body-write.ts";
import type { SyncDatabase } from "./sync-database.ts";

/**
 * The body directory of a database. The database and a marker file in the directory hold the same id, because the path may differ on each
 * machine.
 */
export interface BodyPlace {
  readonly place: string;
  readonly directory: string;
}

const MARKER = "nuthatch-bodies.json";
const DAY = 86_400_000;
const HINT = "mount the directory that its other workers use, and name it with --bodies";

/** The body directory that the database names, if any: at `directory`, or else at the path where it was created. */
export function findPlace(db: SyncDatabase, directory: string | undefined): BodyPlace | undefined {
  const fact = factOf(db);
  if (!fact) return undefined;
  const here = directory ?? fact.directory;
  const found = placeIn(here);
  if (found === fact.place) return { place: fact.place, directory: here };
  const trouble = directory === undefined ? `is not at ${here} on this machine` : `is not ${here}`;
  throw new WrongPlaceError(`the directory that this database keeps its bodies in ${trouble}: ${whatIs(here, found)}`, HINT);
}

/** Like `findPlace`, for a process that writes bodies: the first directory given becomes the database's. */
export function settlePlace(db: SyncDatabase, directory: string | undefined): BodyPlace | undefined {
  if (directory === undefined || factOf(db)) return findPlace(db, directory);
  // Several workers may start at once; only one may create it.
  db.exec("BEGIN EXCLUSIVE");
  try {
    if (!factOf(db)) make(db, directory);
    db.exec("COMMIT");
  } catch (cause) {
    db.exec("ROLLBACK");
    throw cause;
  }
  return findPlace(db, directory);
}

function make(db: SyncDatabase, directory: string): void {
  const other = placeIn(directory);
  if (other !== undefined)
    throw new WrongPlaceError(
      `${directory} keeps the bodies of another database`,
      `name an empty directory with --bodies; if no database needs that one any more, remove ${MARKER} in it`,
    );
  const place = randomUUID();
  db.ask("INSERT INTO meta (key, value) VALUES ('bodies', $1)", [JSON.stringify({ place, directory })]);
  try {
    mkdirSync(join(directory, PARTS), { recursive: true });
    const about = "Bodies of pages of a Nuthatch database. Removing one loses it.";
    writeFileSync(join(directory, MARKER), `${JSON.stringify({ place, about })}\n`, { flag: "wx", flush: true });
  } catch (cause) {
    throw new WrongPlaceError(
      `cannot keep bodies in ${directory}: ${(cause as Error).message}`,
      "name a directory with --bodies that can be written to",
      {
        cause,
      },
    );
  }
}

function factOf(db: SyncDatabase): BodyPlace | undefined {
  const row = db.ask("SELECT value FROM meta WHERE key = 'bodies'", []).rows[0];
  return row && (JSON.parse(String(row.value)) as BodyPlace);
}

function placeIn(directory: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(directory, MARKER), "utf8")) as BodyPlace).place;
  } catch (cause) {
    if (cause instanceof SyntaxError || (cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new WrongPlaceError(`cannot read ${join(directory, MARKER)}: ${(cause as Error).message}`, HINT, { cause });
  }
}

function whatIs(directory: string, found: string | undefined): string {
  if (found !== undefined) return "that one is another database's";
  return statSync(directory, { throwIfNoEntry: false }) ? `there is no ${MARKER} in it` : "there is no such directory";
}

/** Removes partial files of killed processes. */
export function clearParts({ directory }: BodyPlace): void {
  mkdirSync(join(directory, PARTS), { recursive: true });
  const before = Date.now() - DAY;
  for (const name of readdirSync(join(directory, PARTS))) {
    const path = join(directory, PARTS, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && found.mtimeMs < before) rmSync(path, { force: true });
  }
}

/** Separates the body directory from the database URL. */
export function takeBodies(url: string): { readonly url: string; readonly directory: string | undefined } {
  const [place = "", query = ""] = url.split("?", 2);
  const said = new URLSearchParams(query);
  const directory = said.get("bodies") ?? undefined;
  if (directory === undefined) return { url, directory };
  said.delete("bodies");
  return { url: said.size === 0 ? place : `${place}?${said}`, directory };
}
