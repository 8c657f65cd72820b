import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StoredBody } from "../../records.ts";
import { type BodyShelf, unpackBody } from "../sqlite/bodies.ts";
import { type BodyPlace, clearParts, findPlace, settlePlace } from "./body-place.ts";
import { writeWhole, writeWholeNow } from "./body-write.ts";
import { Columns } from "./columns.ts";
import type { Row, SyncDatabase } from "./sync-database.ts";

const rows = new Columns({ hash: "text", size: "bigint", coding: "text" });
const KEEP = `INSERT INTO body (${rows.names}, data) SELECT b.*, ''::bytea FROM ${rows.table("b")} ORDER BY b.hash ON CONFLICT (hash) DO NOTHING`;

const OUTSIDE = "SELECT id, hash FROM body WHERE id > $1 AND size > 0 AND length(data) = 0 ORDER BY id LIMIT 10000";

/**
 * Bodies of a shared database: stored in it, or in a directory that all its workers share, as `ab/cd/<hash>`, with the suffix `.br` or
 * `.gz` if compressed. For a body in the directory the database has a row without data, committed only after the file is on disk under its
 * final name.
 */
export class BodyFiles implements BodyShelf {
  readonly #db: SyncDatabase;
  /** The directory given to this process. */
  readonly #directory: string | undefined;
  #place: BodyPlace | undefined;

  constructor(db: SyncDatabase, directory: string | undefined) {
    this.#db = db;
    this.#directory = directory;
    if (directory !== undefined) this.#place = findPlace(db, directory);
  }

  /** Fixes the body directory in the database. Called before the first body is stored, so that all workers use the same one. */
  settle(): void {
    this.#place = settlePlace(this.#db, this.#directory);
    if (this.#place) clearParts(this.#place);
  }

  /** Does the slow writes before the transaction that references the bodies. */
  async write(bodies: readonly StoredBody[]): Promise<void> {
    const place = this.#place;
    if (!place) return;
    const missing = bodies.flatMap((body) => (body.data && !this.#has(place, body.hash) ? [[nameOf(body), body.data] as const] : []));
    if (missing.length > 0) await writeWhole(place.directory, missing);
  }

  get isInUse(): boolean {
    return this.#place !== undefined;
  }

  /** Within a transaction, during which no other process removes bodies: writes files that are missing by now. */
  keep(bodies: readonly StoredBody[]): void {
    const place = this.#place!;
    const here = bodies.filter(({ data }) => data !== undefined);
    if (here.length > 0)
      this.#db.send(KEEP, rows.values(here.map(({ hash, size, coding }) => ({ hash, size, coding }))), this.#db.nameOf(KEEP));
    for (const body of here) if (!this.#has(place, body.hash)) writeWholeNow(place.directory, nameOf(body), body.data!);
  }

  load(hash: string): Uint8Array | undefined {
    this.#place ??= findPlace(this.#db, undefined);
    if (!this.#place) return undefined;
    for (const coding of codings) {
      const data = read(join(this.#place.directory, fileOf(hash, coding)));
      if (data) return unpackBody(coding, data);
    }
    return undefined;
  }

  /**
   * Safe even if the transaction is rolled back: no page references these bodies, and a later page with the same body writes the file
   * again.
   */
  remove(hashes: readonly string[]): void {
    this.#place ??= findPlace(this.#db, undefined);
    if (!this.#place) return;
    for (const hash of hashes) for (const coding of codings) rmSync(join(this.#place.directory, fileOf(hash, coding)), { force: true });
  }

  /** Problems found, in words: rows whose file is missing. */
  problems(): string[] {
    const place = findPlace(this.#db, this.#directory);
    let missing = 0;
    for (let last = 0, rows = this.#outside(last); place && rows.length > 0; rows = this.#outside(last)) {
      missing += rows.filter(({ hash }) => !this.#has(place, String(hash))).length;
      last = Number(rows.at(-1)!.id);
    }
    return missing === 0 ? [] : [`${missing} bodies are not in ${place!.directory}`];
  }

  #outside(after: number): Row[] {
    return this.#db.ask(OUTSIDE, [after], this.#db.nameOf(OUTSIDE)).rows;
  }

  #has({ directory }: BodyPlace, hash: string): boolean {
    return codings.some((coding) => existsSync(join(directory, fileOf(hash, coding))));
  }
}

const endings = { br: ".br", gzip: ".gz", identity: "" } as const;
const codings = Object.keys(endings) as StoredBody["coding"][];

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
