import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StoredBody } from "../../core/records.ts";
import { type BodyStore, unpackBody } from "../sqlite/bodies.ts";
import { type BodyDirectory, findBodyDirectory, fixBodyDirectory, removePartFiles } from "./body-directory.ts";
import { writeAtomically, writeAtomicallySync } from "./body-write.ts";
import { Columns } from "./columns.ts";
import type { Row, SyncDatabase } from "./sync/sync-database.ts";

const rows = new Columns({ hash: "text", size: "bigint", coding: "text" });
const SAVE = `INSERT INTO body (${rows.names}, data) SELECT b.*, ''::bytea FROM ${rows.table("b")} ORDER BY b.hash ON CONFLICT (hash) DO NOTHING`;

const BODIES_IN_FILES = "SELECT id, hash FROM body WHERE id > $1 AND size > 0 AND length(data) = 0 ORDER BY id LIMIT 10000";

/**
 * Bodies of a shared database: stored in it, or in a directory that all its workers share, as `ab/cd/<hash>`, with the suffix `.br` or
 * `.gz` if compressed. For a body in the directory the database has a row without data, committed only after the file is on disk under its
 * final name.
 */
export class BodyFiles implements BodyStore {
  readonly #db: SyncDatabase;
  /** The directory given to this process. */
  readonly #directory: string | undefined;
  #location: BodyDirectory | undefined;

  constructor(db: SyncDatabase, directory: string | undefined) {
    this.#db = db;
    this.#directory = directory;
    if (directory !== undefined) this.#location = findBodyDirectory(db, directory);
  }

  /** Fixes the body directory in the database. Called before the first body is stored, so that all workers use the same one. */
  fixDirectory(): void {
    this.#location = fixBodyDirectory(this.#db, this.#directory);
    if (this.#location) removePartFiles(this.#location);
  }

  /** Does the slow writes before the transaction that references the bodies. */
  async write(bodies: readonly StoredBody[]): Promise<void> {
    const location = this.#location;
    if (!location) return;
    const missing = bodies.flatMap((body) => (body.data && !this.#has(location, body.hash) ? [[nameOf(body), body.data] as const] : []));
    if (missing.length > 0) await writeAtomically(location.directory, missing);
  }

  get isInUse(): boolean {
    return this.#location !== undefined;
  }

  /** Within a transaction, during which no other process removes bodies: writes files that are missing by now. */
  save(bodies: readonly StoredBody[]): void {
    const location = this.#location!;
    const withData = bodies.filter(({ data }) => data !== undefined);
    if (withData.length > 0)
      this.#db.send(SAVE, rows.values(withData.map(({ hash, size, coding }) => ({ hash, size, coding }))), this.#db.nameOf(SAVE));
    for (const body of withData) if (!this.#has(location, body.hash)) writeAtomicallySync(location.directory, nameOf(body), body.data!);
  }

  load(hash: string): Uint8Array | undefined {
    this.#location ??= findBodyDirectory(this.#db, undefined);
    if (!this.#location) return undefined;
    for (const coding of knownCodings) {
      const data = read(join(this.#location.directory, fileOf(hash, coding)));
      if (data) return unpackBody(coding, data);
    }
    return undefined;
  }

  /**
   * Safe even if the transaction is rolled back: no page references these bodies, and a later page with the same body writes the file
   * again.
   */
  remove(hashes: readonly string[]): void {
    this.#location ??= findBodyDirectory(this.#db, undefined);
    if (!this.#location) return;
    for (const hash of hashes)
      for (const coding of knownCodings) rmSync(join(this.#location.directory, fileOf(hash, coding)), { force: true });
  }

  /** Problems found, in words: rows whose file is missing. */
  problems(): string[] {
    const location = findBodyDirectory(this.#db, this.#directory);
    let missing = 0;
    for (let last = 0, rows = this.#bodiesInFiles(last); location && rows.length > 0; rows = this.#bodiesInFiles(last)) {
      missing += rows.filter(({ hash }) => !this.#has(location, String(hash))).length;
      last = Number(rows.at(-1)!.id);
    }
    return missing === 0 ? [] : [`${missing} bodies are not in ${location!.directory}`];
  }

  #bodiesInFiles(after: number): Row[] {
    return this.#db.query(BODIES_IN_FILES, [after], this.#db.nameOf(BODIES_IN_FILES)).rows;
  }

  #has({ directory }: BodyDirectory, hash: string): boolean {
    return knownCodings.some((coding) => existsSync(join(directory, fileOf(hash, coding))));
  }
}

const endings = { br: ".br", gzip: ".gz", identity: "" } as const;
const knownCodings = Object.keys(endings) as StoredBody["coding"][];

const nameOf = ({ hash, coding }: StoredBody): string => fileOf(hash, coding);

const fileOf = (hash: string, coding: StoredBody["coding"]): string => pathOf(`${hash}${endings[coding]}`);

/** Anything that is not a hash or a hash with a known suffix is refused, so that no path can leave the directory. */
function pathOf(name: string): string {
  if (!/^[0-9a-f]{8,128}(\.br|\.gz)?$/.test(name)) throw new Error(`${name.slice(0, 100)} is no name of a body`);
  return join(name.slice(0, 2), name.slice(2, 4), name);
}

function read(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cause;
  }
}
