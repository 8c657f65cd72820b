import type { Hash64, Link, LinkTable } from "../../../core/records.ts";
import type { WordMatch } from "../../../store/index.ts";
import { CANONICAL, fullUrl, NOFOLLOW, REFRESH } from "./link-table.ts";

type StoredMatches = ReadonlyMap<string, readonly WordMatch[]>;

/** Unpacked on first use. A URL is a new string on each call, so callers that need it more than once keep it. */
interface UnpackedLinks {
  url(index: number): string;
  /** Empty if the key equals the URL. */
  key(index: number): string;
}

/** The links of a page as admission needs them: hashes at once, and URLs only for new links. */
export class LinkSet {
  readonly count: number;
  /** Two 32-bit halves per link, the high half first. */
  readonly hashes: Uint32Array;
  /** Whether reading a URL unpacks all of them. */
  readonly isPacked: boolean;
  readonly nofollow: boolean;
  /** Stored matches by hash, if requested; a page just read has its matches in the reading. */
  readonly stored: StoredMatches | undefined;
  readonly #flags: Uint8Array;
  readonly #unpack: () => UnpackedLinks;
  #lists: UnpackedLinks | undefined;

  constructor(
    hashes: Uint32Array,
    flags: Uint8Array,
    unpack: () => UnpackedLinks,
    stored?: { nofollow: boolean; matched: StoredMatches | undefined },
  ) {
    this.count = flags.length;
    this.hashes = hashes;
    this.isPacked = stored !== undefined;
    this.nofollow = stored?.nofollow ?? false;
    this.stored = stored?.matched;
    this.#flags = flags;
    this.#unpack = unpack;
  }

  hash(index: number): Hash64 {
    return { hi: this.hashes[2 * index]!, lo: this.hashes[2 * index + 1]! };
  }

  url(index: number): string {
    return this.#unpacked().url(index);
  }

  key(index: number): string {
    return this.#unpacked().key(index);
  }

  isRefresh(index: number): boolean {
    return (this.#flags[index]! & 3) === REFRESH;
  }

  isCanonical(index: number): boolean {
    return (this.#flags[index]! & 3) === CANONICAL;
  }

  isNofollow(index: number): boolean {
    return (this.#flags[index]! & NOFOLLOW) !== 0;
  }

  #unpacked(): UnpackedLinks {
    this.#lists ??= this.#unpack();
    return this.#lists;
  }
}

export const readLinks = ({ hashes, flags, origin, urls, keys }: LinkTable): LinkSet =>
  new LinkSet(hashes, flags, () => {
    const lines = urls.split("\n");
    const given = keys === "" ? [] : keys.split("\n");
    return { url: (index) => fullUrl(origin, lines[index]!), key: (index) => given[index] ?? "" };
  });

/** Hashes and flags as one blob, so that an unchanged page whose links are all known needs no unpacking. */
export function packIndex({ hashes, flags }: LinkTable): Uint8Array {
  const index = new Uint8Array(hashes.byteLength + flags.length);
  index.set(new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength));
  index.set(flags, hashes.byteLength);
  return index;
}

export function storedLinks(
  index: Uint8Array,
  unpack: () => readonly Link[],
  stored: { nofollow: boolean; matched: StoredMatches | undefined },
): LinkSet {
  const count = index.length / 9;
  const hashes = new Uint32Array(index.slice(0, 8 * count).buffer);
  const lists = () => {
    const links = unpack();
    return { url: (index: number) => links[index]!.url, key: (index: number) => links[index]!.key };
  };
  return new LinkSet(hashes, index.subarray(8 * count), lists, stored);
}
