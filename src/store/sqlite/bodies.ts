import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { StoredBody } from "../../core/records.ts";
import type { Row, Statements } from "./rows.ts";

/** Bodies that are stored outside the database, with a row that has no data. */
export interface BodyStore {
  /** Whether new bodies are stored there. */
  readonly isInUse: boolean;
  /** Within a transaction: writes rows without data, and any missing files. */
  save(bodies: readonly StoredBody[]): void;
  /** The body of a row without data. */
  load(hash: string): Uint8Array | undefined;
  /** Within an exclusive transaction that has removed their rows. */
  remove(hashes: readonly string[]): void;
}

/** With several writers, versions with ids lower than the highest may not be committed yet; at most this many. */
const MAX_UNCOMMITTED = 100_000;

/** Versions that are stored later have a higher id. */
export function lastVersion(sql: Statements): number {
  const { last } = sql.get("SELECT coalesce(max(id), 0) AS last FROM page_version").get() as Row;
  return Number(last) - (sql.dialect.bodies ? MAX_UNCOMMITTED : 0);
}

/** Stores each body once, however many pages and responses have it. Returns whether it is stored. */
export function saveBody(sql: Statements, body: StoredBody): boolean {
  const { hash, size, coding, data } = body;
  if (sql.dialect.bodies?.isInUse && data) {
    sql.dialect.bodies.save([body]);
    return true;
  }
  if (sql.get("SELECT 1 FROM body WHERE hash = ?").get(hash)) return true;
  if (!data) return false;
  sql.get("INSERT OR IGNORE INTO body (hash, size, coding, data) VALUES (?, ?, ?, ?)").run(hash, size, coding, data);
  return true;
}

/** The unpacked body. The buffer gets the exact size: zlib's default is larger, and stays allocated as long as the body. */
export function loadBody(sql: Statements, hash: string): Uint8Array | undefined {
  const row = sql.get("SELECT size, coding, data FROM body WHERE hash = ?").get(hash) as Row | undefined;
  if (!row) return undefined;
  const data = row.data as Uint8Array;
  if (sql.dialect.bodies && data.length === 0 && Number(row.size) > 0) return sql.dialect.bodies.load(hash);
  return unpackBody(row.coding as StoredBody["coding"], data, Number(row.size));
}

export function unpackBody(coding: StoredBody["coding"], data: Uint8Array, size?: number): Uint8Array {
  const options = size === undefined ? {} : { chunkSize: Math.max(MIN_CHUNK_SIZE, size + 1) };
  switch (coding) {
    case "identity":
      return data;
    case "br":
      return brotliDecompressSync(data, options);
    case "gzip":
      return gunzipSync(data, options);
    default:
      return coding satisfies never;
  }
}

const MIN_CHUNK_SIZE = 64;
