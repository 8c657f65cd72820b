import type { Hash64 } from "../../core/records.ts";

/** Mention counts at which a URL's priority is updated. */
export const isWrittenDown = (mentions: number): boolean => mentions === 2 || mentions === 8 || mentions === 64;

/** Above any real depth: marks a URL whose mention was discarded. */
const DISCARDED_DEPTH = 0xffff;
const MAX_DEPTH = DISCARDED_DEPTH - 1;

/**
 * The URLs found in a run, with their smallest depth and how often they were mentioned: an exact set of 64-bit hashes in flat arrays (open
 * addressing, 11 bytes a slot). Beyond its capacity it stops growing and answers "unsure"; then the store's unique key decides.
 */
export class Seen {
  #hi: Uint32Array;
  #lo: Uint32Array;
  #depth: Uint16Array;
  /** 0 = empty slot, else mentions, up to 255. */
  #mentions: Uint8Array;
  #size = 0;
  readonly #capacity: number;

  constructor(capacity = 20_000_000, slots = 1 << 12) {
    this.#capacity = capacity;
    this.#hi = new Uint32Array(slots);
    this.#lo = new Uint32Array(slots);
    this.#depth = new Uint16Array(slots);
    this.#mentions = new Uint8Array(slots);
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size >= this.#capacity;
  }

  #slotOf(hash: Hash64): number {
    return this.#slotAt(hash.hi, hash.lo);
  }

  #slotAt(hi: number, lo: number): number {
    const mask = this.#hi.length - 1;
    let slot = (lo ^ (hi >>> 7)) & mask;
    while (this.#mentions[slot] !== 0 && (this.#lo[slot] !== lo || this.#hi[slot] !== hi)) slot = (slot + 1) & mask;
    return slot;
  }

  /** The smallest depth found, or undefined for a URL not in memory. */
  depthOf(hash: Hash64): number | undefined {
    const slot = this.#slotOf(hash);
    return this.#mentions[slot] === 0 ? undefined : this.#depth[slot];
  }

  mentionsOf(hash: Hash64): number {
    return this.#mentions[this.#slotOf(hash)]!;
  }

  /**
   * Counts a mention without further consequences: the URL is known, the depth is not smaller, and the count is not one that is stored.
   * Otherwise returns false and counts nothing. The hash is passed in an array, high half first, to avoid an object for each link.
   */
  isCounted(hashes: Uint32Array, at: number, depth: number): boolean {
    const slot = this.#slotAt(hashes[at]!, hashes[at + 1]!);
    const mentions = this.#mentions[slot]!;
    if (mentions === 0 || depth < this.#depth[slot]!) return false;
    if (mentions === 255) return true;
    if (isWrittenDown(mentions + 1)) return false;
    this.#mentions[slot] = mentions + 1;
    return true;
  }

  /**
   * Records one mention. `new`: found for the first time; `nearer`: known, with a greater depth; `known`; `unsure`: not in memory, and no
   * room.
   */
  mention(hash: Hash64, depth: number, mentions = 1): "new" | "nearer" | "known" | "unsure" {
    const slot = this.#slotOf(hash);
    const cappedDepth = Math.min(depth, MAX_DEPTH);
    if (this.#mentions[slot] !== 0 && this.#depth[slot] === DISCARDED_DEPTH) {
      this.learn(hash, { depth, mentions });
      return "new";
    }
    if (this.#mentions[slot] !== 0) {
      this.#mentions[slot] = Math.min(255, this.#mentions[slot]! + mentions);
      if (cappedDepth >= this.#depth[slot]!) return "known";
      this.#depth[slot] = cappedDepth;
      return "nearer";
    }
    if (this.isFull) return "unsure";
    this.#hi[slot] = hash.hi;
    this.#lo[slot] = hash.lo;
    this.#depth[slot] = cappedDepth;
    this.#mentions[slot] = Math.min(255, mentions);
    this.#size += 1;
    if (this.#size * 5 > this.#hi.length * 3) this.#grow();
    return "new";
  }

  /** Replaces the remembered values by those of the ledger. */
  learn(hash: Hash64, { depth, mentions }: { depth: number; mentions: number }): void {
    const slot = this.#slotOf(hash);
    if (this.#mentions[slot] === 0) return;
    this.#depth[slot] = Math.min(depth, MAX_DEPTH);
    this.#mentions[slot] = Math.min(255, mentions);
  }

  /** The mention was not stored, so the next mention of this URL counts as the first. */
  forget(hash: Hash64): void {
    this.#depth[this.#slotOf(hash)] = DISCARDED_DEPTH;
  }

  #grow(): void {
    const [hi, lo, depth, mentions] = [this.#hi, this.#lo, this.#depth, this.#mentions];
    const slots = hi.length * 2;
    this.#hi = new Uint32Array(slots);
    this.#lo = new Uint32Array(slots);
    this.#depth = new Uint16Array(slots);
    this.#mentions = new Uint8Array(slots);
    for (let old = 0; old < hi.length; old++) {
      if (mentions[old] === 0) continue;
      const slot = this.#slotAt(hi[old]!, lo[old]!);
      this.#hi[slot] = hi[old]!;
      this.#lo[slot] = lo[old]!;
      this.#depth[slot] = depth[old]!;
      this.#mentions[slot] = mentions[old]!;
    }
  }
}
