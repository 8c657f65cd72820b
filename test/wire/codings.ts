/** Encoders for the bodies of the integrity suite: every coding by itself, and the unusual bodies that the rules allow. */
import { promisify } from "node:util";
import * as zlib from "node:zlib";

type Encode = (bytes: Uint8Array) => Promise<Uint8Array>;
interface Coded {
  /** The value of Content-Encoding. */
  readonly header: string;
  readonly encode: Encode;
}

const fast = { level: 1 };
const gzip: Encode = (bytes) => promisify(zlib.gzip)(bytes, fast);
const deflate: Encode = (bytes) => promisify(zlib.deflate)(bytes, fast);
const deflateRaw: Encode = (bytes) => promisify(zlib.deflateRaw)(bytes, fast);
const br: Encode = (bytes) => promisify(zlib.brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
const inTurn =
  (...steps: Encode[]): Encode =>
  async (bytes) => {
    let coded = bytes;
    for (const step of steps) coded = await step(coded);
    return coded;
  };

/** RFC 1952 §2.2: a gzip file is a series of members. */
async function members(bytes: Uint8Array): Promise<Uint8Array> {
  const third = Math.ceil(bytes.length / 3);
  return Buffer.concat(await Promise.all([0, 1, 2].map((part) => gzip(bytes.subarray(part * third, (part + 1) * third)))));
}

const plain: Readonly<Record<string, Coded>> = {
  identity: { header: "", encode: async (bytes) => bytes },
  gzip: { header: "gzip", encode: gzip },
  br: { header: "br", encode: br },
  deflate: { header: "deflate", encode: deflate },
  "deflate-raw": { header: "deflate", encode: deflateRaw },
};

const unusual: Readonly<Record<string, Coded>> = {
  "x-gzip": { header: "X-GZip", encode: gzip },
  "gzip-members": { header: "gzip", encode: members },
  "gzip-garbage": { header: "gzip", encode: async (bytes) => Buffer.concat([await gzip(bytes), Buffer.alloc(300, "\0garbage")]) },
  "gzip-then-br": { header: "gzip, br", encode: inTurn(gzip, br) },
  "deflate-then-gzip": { header: "deflate, gzip", encode: inTurn(deflate, gzip) },
  "raw-then-gzip": { header: "deflate, gzip", encode: inTurn(deflateRaw, gzip) },
  "br-then-deflate": { header: "br,deflate", encode: inTurn(br, deflate) },
  "three-deep": { header: "gzip, identity, br , gzip", encode: inTurn(gzip, br, gzip) },
};

/** No byte at all under a coding, although no encoder would make it so: servers send it for empty files. */
const empty: Readonly<Record<string, Coded>> = Object.fromEntries(
  ["gzip", "br", "deflate"].map((header) => [`${header}-empty`, { header, encode: async () => new Uint8Array(0) }]),
);

const { zstdCompress } = zlib as { zstdCompress?: (bytes: Uint8Array, then: (error: Error | null, coded: Buffer) => void) => void };
const zstd: Readonly<Record<string, Coded>> =
  zstdCompress === undefined ? {} : { zstd: { header: "zstd", encode: (bytes) => promisify(zstdCompress)(bytes) } };

export const hasZstd = zstdCompress !== undefined;
export const codings: readonly string[] = Object.keys(plain);
export const unusualCodings: readonly string[] = Object.keys(unusual);
/** Only for a size of 0. */
export const emptyCodings: readonly string[] = Object.keys(empty);

const all = new Map(Object.entries({ ...plain, ...unusual, ...empty, ...zstd }));

export function codingNamed(name: string): Coded {
  const found = all.get(name);
  if (found === undefined) throw new Error(`no coding is named ${name}`);
  return found;
}
