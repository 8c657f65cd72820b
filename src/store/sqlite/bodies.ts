import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { StoredBody } from "../../records.ts";
import type { Row, Statements } from "./rows.ts";

/** Bodies that the database names and does not hold. */
export interface BodyShelf {
  /** Whether those that come are to be kept there. */
  readonly isInUse: boolean;
  /** Within a transaction: the rows, which hold nothing, and what they stand for. */
  keep(bodies: readonly StoredBody[]): void;
  /** Of a row that holds nothing. */
  load(hash: string): Uint8Array | undefined;
  /** Within a transaction that is alone, and has removed their rows. */
  remove(hashes: readonly string[]): void;
}

/** Where many write at once, versions with lower numbers than the last may yet be on their way: not more than this. */
const ON_THEIR_WAY = 100_000;

/** Versions that are not there yet have a higher number. */
export function lastVersion(sql: Statements): number {
  const { last } = sql.get("SELECT coalesce(max(id), 0) AS last FROM page_version").get() as Row;
  return Number(last) - (sql.ways.bodies ? ON_THEIR_WAY : 0);
}

/** Each body once, however many pages and answers have it. Answers whether it is here. */
export function keepBody(sql: Statements, body: StoredBody): boolean {
  const { hash, size, coding, data } = body;
  if (sql.ways.bodies?.isInUse && data) {
    sql.ways.bodies.keep([body]);
    return true;
  }
  if (sql.get("SELECT 1 FROM body WHERE hash = ?").get(hash)) return true;
  if (!data) return false;
  sql.get("INSERT OR IGNORE INTO body (hash, size, coding, data) VALUES (?, ?, ?, ?)").run(hash, size, coding, data);
  return true;
}

/** As it came. Room is made for just as much: what unpacks it takes more by itself, and keeps it as long as the body. */
export function loadBody(sql: Statements, hash: string): Uint8Array | undefined {
  const row = sql.get("SELECT size, coding, data FROM body WHERE hash = ?").get(hash) as Row | undefined;
  if (!row) return undefined;
  const data = row.data as Uint8Array;
  if (sql.ways.bodies && data.length === 0 && Number(row.size) > 0) return sql.ways.bodies.load(hash);
  return unpackBody(row.coding as StoredBody["coding"], data, Number(row.size));
}

export function unpackBody(coding: StoredBody["coding"], data: Uint8Array, size?: number): Uint8Array {
  const options = size === undefined ? {} : { chunkSize: Math.max(LEAST_CHUNK, size + 1) };
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

const LEAST_CHUNK = 64;
