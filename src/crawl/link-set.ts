import type { Hash64, Link, LinkTable } from "../records.ts";
import type { WordMatch } from "../store/index.ts";
import { CANONICAL, REFRESH, UNLOVED, wholeUrl } from "./link-table.ts";

/** The links of a page as admission looks at them: hashes first, and URLs only for those that are new. */
export interface LinkSet {
  readonly count: number;
  /** Whether asking for a URL means to unpack them all. */
  readonly isPacked: boolean;
  /** Two numbers each, high half first. */
  readonly hashes: Uint32Array;
  hash(index: number): Hash64;
  url(index: number): string;
  /** Empty if it is the URL. */
  key(index: number): string;
  isRefresh(index: number): boolean;
  isCanonical(index: number): boolean;
  isUnloved(index: number): boolean;
  /** Which keywords apply, by hash, where they were asked for; what was just read has its matches apart. */
  readonly stored?: ReadonlyMap<string, readonly WordMatch[]> | undefined;
}

/** Unpacked when first asked for. A URL is a new string each time, so whoever needs it more than once keeps it. */
type Lists = Pick<LinkSet, "url" | "key">;

const setOf = (hashes: Uint32Array, flags: Uint8Array, lists: () => Lists, isPacked: boolean): LinkSet => ({
  count: flags.length,
  isPacked,
  hashes,
  hash: (index) => ({ hi: hashes[2 * index]!, lo: hashes[2 * index + 1]! }),
  url: (index) => lists().url(index),
  key: (index) => lists().key(index),
  isRefresh: (index) => (flags[index]! & 3) === REFRESH,
  isCanonical: (index) => (flags[index]! & 3) === CANONICAL,
  isUnloved: (index) => (flags[index]! & UNLOVED) !== 0,
});

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export const readLinks = ({ hashes, flags, origin, urls, keys }: LinkTable): LinkSet =>
  setOf(
    hashes,
    flags,
    once(() => {
      const lines = urls.split("\n");
      const given = keys === "" ? [] : keys.split("\n");
      return { url: (index) => wholeUrl(origin, lines[index]!), key: (index) => given[index] ?? "" };
    }),
    false,
  );

/** Hashes and flags as one blob, so that a page that did not change costs no unpacking where all its links are known. */
export function packIndex({ hashes, flags }: LinkTable): Uint8Array {
  const index = new Uint8Array(hashes.byteLength + flags.length);
  index.set(new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength));
  index.set(flags, hashes.byteLength);
  return index;
}

export function storedLinks(index: Uint8Array, unpack: () => readonly Link[]): LinkSet {
  const count = index.length / 9;
  const hashes = new Uint32Array(index.slice(0, 8 * count).buffer);
  const lists = once(() => {
    const links = unpack();
    return { url: (index: number) => links[index]!.url, key: (index: number) => links[index]!.key };
  });
  return setOf(hashes, index.subarray(8 * count), lists, true);
}
