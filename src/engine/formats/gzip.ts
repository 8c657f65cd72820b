import { constants, gunzipSync, gzipSync } from "node:zlib";

/** Bytes per gzip member before compression: large enough to compress well, small enough to lose little if the process is killed. */
const MEMBER_BYTES = 256 * 1024;

export const isGzipName = (path: string): boolean => /\.gz$/i.test(path);

/** The file name without `.gz`. */
export const unpackedName = (path: string): string => path.replace(/\.gz$/i, "");

/** Buffers output and writes it as gzip members: a file of several members is valid, and can be appended to. */
export function gzipWriter(write: (bytes: Uint8Array) => void): { write(data: string | Uint8Array): void; close(isNew: boolean): void } {
  let buffered: Uint8Array[] = [];
  let size = 0;
  const flush = () => {
    write(gzipSync(Buffer.concat(buffered)));
    buffered = [];
    size = 0;
  };
  return {
    write: (data) => {
      const bytes = Buffer.from(data as string);
      buffered.push(bytes);
      size += bytes.length;
      if (size >= MEMBER_BYTES) flush();
    },
    // A file without any member is not a valid gzip file.
    close: (isNew) => {
      if (size > 0 || isNew) flush();
    },
  };
}

/** The readable beginning of a gzip file, which may be truncated; undefined if it is not gzip. */
export function readableStart(compressed: Uint8Array): Buffer | undefined {
  if (compressed.length === 0) return Buffer.alloc(0);
  try {
    return gunzipSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}
