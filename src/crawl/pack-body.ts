import { contentHash } from "../dedupe/index.ts";
import type { StoredBody } from "../records.ts";
import { pack } from "./pack.ts";

/** A body as it is kept. */
export function packBody(bytes: Uint8Array): StoredBody {
  const packed = pack(bytes);
  const isWorthIt = packed.length < bytes.length;
  return { hash: contentHash(bytes), size: bytes.length, coding: isWorthIt ? "br" : "identity", data: isWorthIt ? packed : bytes };
}

/** Its name alone. */
export const nameBody = (bytes: Uint8Array): StoredBody => namedBody(contentHash(bytes), bytes.length);

export const namedBody = (hash: string, size: number): StoredBody => ({ hash, size, coding: "identity", data: undefined });
