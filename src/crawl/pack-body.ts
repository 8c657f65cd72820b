import { contentHash } from "../dedupe/index.ts";
import type { CodedBody, StoredBody } from "../records.ts";
import { pack } from "./pack.ts";

/** A body as it is kept: as it was sent, if that was compressed. */
export function packBody(bytes: Uint8Array, coded?: { coding: CodedBody["coding"]; bytes?: Uint8Array | undefined }): StoredBody {
  if (coded) return { hash: contentHash(bytes), size: bytes.length, coding: coded.coding, data: coded.bytes };
  const packed = pack(bytes);
  const isWorthIt = packed.length < bytes.length;
  return { hash: contentHash(bytes), size: bytes.length, coding: isWorthIt ? "br" : "identity", data: isWorthIt ? packed : bytes };
}

/** Its name alone. */
export const nameBody = (bytes: Uint8Array): StoredBody => namedBody(contentHash(bytes), bytes.length);

export const namedBody = (hash: string, size: number): StoredBody => ({ hash, size, coding: "identity", data: undefined });
