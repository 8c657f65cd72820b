import { constants, gunzipSync, gzipSync } from "node:zlib";

/** Characters of a gzip member: large enough to pack well, small enough to lose little when we are killed. */
const MEMBER = 256 * 1024;

export const isPacked = (path: string): boolean => /\.gz$/i.test(path);

/** The name of what is packed. */
export const unpackedName = (path: string): string => path.replace(/\.gz$/i, "");

/** Gathers what is written and hands it on as gzip members: a file of several is as good as one of one, and can be added to. */
export function packing(write: (bytes: Uint8Array) => void): { write(data: string | Uint8Array): void; close(isNew: boolean): void } {
  let waiting: Uint8Array[] = [];
  let size = 0;
  const flush = () => {
    write(gzipSync(Buffer.concat(waiting)));
    waiting = [];
    size = 0;
  };
  return {
    write: (data) => {
      const bytes = Buffer.from(data as string);
      waiting.push(bytes);
      size += bytes.length;
      if (size >= MEMBER) flush();
    },
    // A file without any member is not a gzip file.
    close: (isNew) => {
      if (size > 0 || isNew) flush();
    },
  };
}

/** How a packed file begins, though its end may be missing; undefined if it is something else. */
export function beginningOf(packed: Uint8Array): Buffer | undefined {
  if (packed.length === 0) return Buffer.alloc(0);
  try {
    return gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return undefined;
  }
}
