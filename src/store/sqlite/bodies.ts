import { brotliDecompressSync } from "node:zlib";
import type { StoredBody } from "../../records.ts";
import type { Row, Statements } from "./rows.ts";

/** Each body once, however many pages and answers have it. Answers whether it is here. */
export function keepBody(sql: Statements, { hash, size, coding, data }: StoredBody): boolean {
  if (sql.get("SELECT 1 FROM body WHERE hash = ?").get(hash)) return true;
  if (!data) return false;
  sql.get("INSERT INTO body (hash, size, coding, data) VALUES (?, ?, ?, ?)").run(hash, size, coding, data);
  return true;
}

export function bodyOf(sql: Statements, hash: string): Uint8Array | undefined {
  const row = sql.get("SELECT coding, size, data FROM body WHERE hash = ?").get(hash) as Row | undefined;
  if (row?.coding !== "br") return row?.data as Uint8Array | undefined;
  // A buffer of just its size: a larger one would stay as long as the body does.
  return brotliDecompressSync(row.data as Uint8Array, { chunkSize: Math.max(64, Number(row.size)) });
}
