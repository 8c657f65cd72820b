import { contentHash } from "../../../analysis/dedupe/index.ts";
import type { CodedBody, StoredBody } from "../../../core/records.ts";
import { pack } from "./pack.ts";

/** A body as stored: as the server compressed it, else compressed by us if that is smaller. */
export function packBody(bytes: Uint8Array, coded?: { coding: CodedBody["coding"]; bytes?: Uint8Array | undefined }): StoredBody {
  if (coded) return { hash: contentHash(bytes), size: bytes.length, coding: coded.coding, data: coded.bytes };
  const packed = pack(bytes);
  const isWorthIt = packed.length < bytes.length;
  return { hash: contentHash(bytes), size: bytes.length, coding: isWorthIt ? "br" : "identity", data: isWorthIt ? packed : bytes };
}

/** Name and size only, without data. */
export const hashOnlyBody = (bytes: Uint8Array): StoredBody => bodyReference(contentHash(bytes), bytes.length);

export const bodyReference = (hash: string, size: number): StoredBody => ({ hash, size, coding: "identity", data: undefined });
