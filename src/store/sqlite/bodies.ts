import { brotliDecompressSync } from "node:zlib";
import type { StoredBody } from "../../records.ts";
import type { Row, Statements } from "./rows.ts";

/** Each body once, however many pages and answers have it. Answers whether it is here. */
export function keepBody(sql: Statements, { hash, size, coding, data }: StoredBody): boolean {
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
  return row.coding === "br" ? brotliDecompressSync(data, { chunkSize: Math.max(LEAST_CHUNK, Number(row.size) + 1) }) : data;
}

const LEAST_CHUNK = 64;
