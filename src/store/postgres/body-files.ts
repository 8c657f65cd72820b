import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import type { StoredBody } from "../../records.ts";
import type { BodyShelf } from "../sqlite/bodies.ts";
import { type BodyPlace, clearParts, findPlace, settlePlace } from "./body-place.ts";
import { writeWhole, writeWholeNow } from "./body-write.ts";
import type { SyncDatabase } from "./sync-database.ts";

/** Who keeps a body and who removes one do not meet: many may keep at once, and whoever removes is alone until its transaction has ended. */
const LOCK = 7043;

const GUARD = `WITH guard AS (SELECT pg_advisory_xact_lock_shared(${LOCK})) INSERT INTO body (hash, size, coding, data)`;
const KEEP_INSIDE = `${GUARD} SELECT $1::text, $2::bigint, $3::text, $4::bytea FROM guard ON CONFLICT (hash) DO NOTHING`;
const KEEP = `${GUARD} SELECT b.hash, b.size, b.coding, ''::bytea
  FROM guard, unnest($1::text[], $2::bigint[], $3::text[]) AS b (hash, size, coding) ORDER BY b.hash ON CONFLICT (hash) DO NOTHING`;
const OUTSIDE = "SELECT hash FROM body WHERE hash = ANY ($1::text[]) AND size > 0 AND length(data) = 0";
const AT_ONCE = 8;

/**
 * Bodies of a shared database: in it, or in a directory that all its workers see, as `ab/cd/<hash>`, with `.br` behind it where it is packed. There the
 * row in the database says that there is one, with nothing in it, and is committed after its file lies on disk under its name.
 */
export class BodyFiles implements BodyShelf {
  readonly #db: SyncDatabase;
  /** As it was named for this process. */
  readonly #directory: string | undefined;
  #place: BodyPlace | undefined;

  constructor(db: SyncDatabase, directory: string | undefined) {
    this.#db = db;
    this.#directory = directory;
    if (directory !== undefined) this.#place = findPlace(db, directory);
  }

  /** Called by whoever is going to keep bodies, before there are any: from then on all know where they are. */
  settle(): void {
    this.#place = settlePlace(this.#db, this.#directory);
    if (this.#place) clearParts(this.#place);
  }

  /** What takes long, before the transaction that names them. */
  async write(bodies: readonly StoredBody[]): Promise<void> {
    const place = this.#place;
    if (!place) return;
    const missing = bodies.filter((body) => body.data !== undefined && !this.#has(place, body.hash));
    const waiting = missing[Symbol.iterator]();
    const work = async () => {
      for (const body of waiting) await writeWhole(place.directory, nameOf(body), body.data!);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Within a transaction. Whoever removed one of them meanwhile has ended by now, so what lacks its file gets it. */
  keep(bodies: readonly StoredBody[]): void {
    const place = this.#place;
    const here = bodies.filter(({ data }) => data !== undefined);
    if (!place) {
      for (const { hash, size, coding, data } of here) this.#db.ask(KEEP_INSIDE, [hash, size, coding, data], "keep-body");
      return;
    }
    if (here.length === 0) return;
    const values = [here.map(({ hash }) => hash), here.map(({ size }) => size), here.map(({ coding }) => coding)];
    this.#db.ask(KEEP, values, "keep-bodies");
    const outside = new Set(this.#db.ask(OUTSIDE, [values[0]], "outside-bodies").rows.map(({ hash }) => String(hash)));
    for (const body of here)
      if (outside.has(body.hash) && !this.#has(place, body.hash)) writeWholeNow(place.directory, nameOf(body), body.data!);
  }

  load(hash: string): Uint8Array | undefined {
    this.#place ??= findPlace(this.#db, undefined);
    if (!this.#place) return undefined;
    const packed = read(join(this.#place.directory, pathOf(`${hash}.br`)));
    return packed ? brotliDecompressSync(packed) : read(join(this.#place.directory, pathOf(hash)));
  }

  /** Within the transaction that will remove rows, before it looks which. */
  beginRemoval(): void {
    this.#db.ask(`SELECT pg_advisory_xact_lock(${LOCK})`, []);
  }

  /** Of rows that this transaction has removed. Should it not be committed after all, they are named by nobody, and written anew by whoever has the like. */
  remove(hashes: readonly string[]): void {
    this.#place ??= findPlace(this.#db, undefined);
    if (!this.#place) return;
    for (const hash of hashes) for (const name of [`${hash}.br`, hash]) rmSync(join(this.#place.directory, pathOf(name)), { force: true });
  }

  #has({ directory }: BodyPlace, hash: string): boolean {
    return existsSync(join(directory, pathOf(`${hash}.br`))) || existsSync(join(directory, pathOf(hash)));
  }
}

const nameOf = ({ hash, coding }: StoredBody): string => pathOf(coding === "br" ? `${hash}.br` : hash);

/** Hashes are ours; what is none of them leads to no file. */
function pathOf(name: string): string {
  if (!/^[0-9a-f]{8,128}(\.br)?$/.test(name)) throw new Error(`${name.slice(0, 100)} is no name of a body`);
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
