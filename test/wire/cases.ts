/** What is served in the integrity suite: each combination is a path, and the path alone decides every byte of its body. */
import { createHash } from "node:crypto";

export const schemes = ["http", "tls1.2", "tls1.3"] as const;
export type Scheme = (typeof schemes)[number];

export const framings = ["length", "chunked", "close"] as const;
export type Framing = (typeof framings)[number];

export const writings = ["whole", "packets", "bytes", "pauses"] as const;
export type Writing = (typeof writings)[number];

export const KB = 1024;
export const MB = 1024 * KB;
export const sizes = [KB, 20 * KB, 64 * KB + 1, 150 * KB, MB, 9 * MB] as const;
/** A body that is sent a byte at a time is no larger than this. */
export const LARGEST_IN_BYTES = 20 * KB;

export interface Case {
  readonly coding: string;
  readonly framing: Framing;
  readonly size: number;
  readonly writing: Writing;
}

export const pathOf = ({ coding, framing, size, writing }: Case): string => `/${coding}/${framing}/${size}/${writing}`;

export function caseAt(path: string): Case {
  const [coding, framing, size, writing] = path.split("/").slice(1);
  return { coding: coding!, framing: framing as Framing, size: Number(size), writing: writing as Writing };
}

/** All combinations of these. */
export function combine(codings: readonly string[], some: { sizes: readonly number[]; writings?: readonly Writing[] }): Case[] {
  const all: Case[] = [];
  for (const coding of codings)
    for (const framing of framings)
      for (const size of some.sizes)
        for (const writing of some.writings ?? writings)
          if (writing !== "bytes" || size <= LARGEST_IN_BYTES) all.push({ coding, framing, size, writing });
  return all;
}

const BLOCK = 512;
let noise: Buffer | undefined;

/** A megabyte that does not compress, made by hashing a counter: the same in every run. */
function noiseBytes(): Buffer {
  noise ??= Buffer.concat(Array.from({ length: MB / 32 }, (_, index) => createHash("sha256").update(`noise ${index}`).digest()));
  return noise;
}

/**
 * Half text that compresses, half noise that does not. Each block names its path and its number, so bytes that come from another
 * body, or from another place of the same one, are never the right ones by accident.
 */
export function contentOf(path: string, size: number): Buffer {
  const source = noiseBytes();
  const bytes = Buffer.alloc(size);
  const salt = createHash("sha256").update(path).digest().readUInt32LE(0);
  for (let at = 0, block = 0; at < size; at += BLOCK, block++) {
    const half = Math.min(BLOCK / 2, size - at);
    bytes.fill(`<p>Block ${block} of ${path}, which is only text.</p>\n`, at, at + half);
    const from = (salt + block * 7919) % (source.length - BLOCK);
    source.copy(bytes, at + half, from, from + Math.min(BLOCK / 2, size - at - half));
  }
  return bytes;
}

/** Where two bodies differ, in words; undefined when they do not. */
export function difference(got: Uint8Array, served: Uint8Array): string | undefined {
  if (Buffer.compare(got, served) === 0) return undefined;
  const length = Math.min(got.length, served.length);
  let at = 0;
  while (at < length && got[at] === served[at]) at++;
  return `${got.length} bytes instead of ${served.length}, the first difference at ${at}`;
}
