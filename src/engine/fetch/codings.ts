import * as zlib from "node:zlib";
import type { CodedBody } from "../../core/records.ts";
import { ByteCollector } from "./byte-collector.ts";
import { type Coding, Decoder, hasZlibHeader, zstd } from "./decoder.ts";

/** The result of decoding. `over`: larger than the cap, with the bytes up to it. `broken`: truncated, corrupt or in another coding. */
export type Decoded =
  | { readonly kind: "whole" | "over"; readonly bytes: Uint8Array; readonly coded?: CodedBody | undefined }
  | { readonly kind: "broken"; readonly detail: string };

const knownCodings = new Map<string, Coding>([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"], // RFC 9110 §8.4.1.3: the same as gzip
  ["br", "br"],
  ["deflate", "deflate"],
  ...(zstd.createZstdDecompress ? [["zstd", "zstd"] as const] : []),
]);

/** Sent with every request: what this Node version can decode, best first. */
export const acceptEncoding = ["gzip", "br", "deflate", "zstd"].filter((name) => knownCodings.has(name)).join(", ");

/** Each coding multiplies the size a byte can expand to, so few may be stacked. */
const MAX_CODINGS = 3;
/** Sizes that can be decoded synchronously without blocking for more than a few milliseconds. */
const MAX_SYNC_INPUT = 256 * 1024;
const MAX_SYNC_OUTPUT = 1024 * 1024;

/** The codings in the order they were applied (RFC 9110 §8.4), or undefined if one is unknown or there are too many. */
export function parseCodings(contentEncoding: string): readonly Coding[] | undefined {
  const codings: Coding[] = [];
  for (const part of contentEncoding.split(",")) {
    const name = part.trim().toLowerCase();
    if (name === "" || name === "identity") continue;
    const coding = knownCodings.get(name);
    if (coding === undefined || codings.length === MAX_CODINGS) return undefined;
    codings.push(coding);
  }
  return codings;
}

/** Decodes a whole body by its Content-Encoding. Unknown codings give `broken`. */
export async function decodeBody(bytes: Uint8Array, contentEncoding: string, maxBytes: number): Promise<Decoded> {
  const codings = parseCodings(contentEncoding);
  if (codings === undefined) return { kind: "broken", detail: "unknown or too many content codings" };
  const decodedSync = decodeSync(bytes, codings, maxBytes);
  if (decodedSync !== undefined) return decodedSync;
  return new Promise((resolve) => {
    const collector = new ByteCollector(maxBytes, 0);
    const decoder = new Decoder(codings, bytes, {
      chunk(part) {
        if (collector.add(part)) return true;
        decoder.stop();
        resolve({ kind: "over", bytes: collector.take() });
        return false;
      },
      end: () => resolve({ kind: "whole", bytes: collector.take() }),
      broken: (detail) => resolve({ kind: "broken", detail }),
    });
    decoder.end();
  });
}

export const canDecodeSync = (size: number): boolean => size <= MAX_SYNC_INPUT;

/** Decodes small bodies synchronously, for a fraction of the cost of a stream. Undefined if the body is too large for that. */
export function decodeSync(bytes: Uint8Array, codings: readonly Coding[], maxBytes: number): Decoded | undefined {
  // An empty body is valid, although no coding produces it.
  if (codings.length === 0 || bytes.length === 0) {
    return bytes.length > maxBytes ? { kind: "over", bytes: bytes.subarray(0, maxBytes) } : { kind: "whole", bytes };
  }
  if (!canDecodeSync(bytes.length)) return undefined;
  const maxOutputLength = Math.min(maxBytes, MAX_SYNC_OUTPUT);
  let decoded = bytes;
  for (const coding of codings.toReversed()) {
    try {
      decoded = decodeOne(coding, decoded, { maxOutputLength });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return code === "ERR_BUFFER_TOO_LARGE" ? undefined : { kind: "broken", detail: message };
    }
  }
  return { kind: "whole", bytes: trimmed(decoded), coded: codedBodyToStore(bytes, codings, decoded.length) };
}

/** A body stored as received need not be compressed again. */
function codedBodyToStore(bytes: Uint8Array, codings: readonly Coding[], size: number): CodedBody | undefined {
  const [coding] = codings;
  return codings.length === 1 && bytes.length < size && (coding === "gzip" || coding === "br") ? { coding, bytes } : undefined;
}

/** The bytes without unused buffer memory, which would stay allocated as long as they do. */
const trimmed = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength - bytes.length <= SPARE_BYTES
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    : new Uint8Array(bytes);

/** With a buffer slightly larger than the output, zlib makes only one buffer and knows that it is done. */
const SPARE_BYTES = 1;
const TYPICAL_RATIO = 5;

/** The size in the last four bytes of gzip (RFC 1952 §2.3.1), else an estimate: fewer buffers to join. */
function expectedSize(coding: Coding, bytes: Uint8Array, maxSize: number): number {
  const estimate = bytes.length * TYPICAL_RATIO;
  const expected =
    coding === "gzip" && bytes.length >= 18 ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true) : estimate;
  return Math.max(MIN_CHUNK_BYTES, Math.min(expected, maxSize)) + SPARE_BYTES;
}

const MIN_CHUNK_BYTES = 16 * 1024;

function decodeOne(coding: Coding, bytes: Uint8Array, limits: { maxOutputLength: number }): Uint8Array {
  const options = { ...limits, chunkSize: expectedSize(coding, bytes, limits.maxOutputLength) };
  switch (coding) {
    case "gzip":
      return zlib.gunzipSync(bytes, options);
    case "br":
      return zlib.brotliDecompressSync(bytes, options);
    case "zstd":
      return zstd.zstdDecompressSync!(bytes, limits);
    case "deflate":
      return hasZlibHeader(bytes) ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options);
    default:
      return coding satisfies never;
  }
}
