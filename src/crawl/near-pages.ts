import { bands, isNear } from "../dedupe/index.ts";

const SLOTS = 0x10000;

/**
 * Which page has nearly the same text as this one? For each of the four bands of the simhash the latest page with that band is
 * remembered, so the memory is the same for ten pages and for ten million; of a large family the latest is found.
 */
export class NearPages {
  readonly #pageIds = new Uint32Array(4 * SLOTS);
  readonly #simhashes: (string | undefined)[] = new Array<string | undefined>(4 * SLOTS);

  find(simhash: string): number | undefined {
    for (const slot of slotsOf(simhash)) {
      const other = this.#simhashes[slot];
      if (other !== undefined && isNear(other, simhash)) return this.#pageIds[slot];
    }
    return undefined;
  }

  add(pageId: number, simhash: string): void {
    for (const slot of slotsOf(simhash)) {
      this.#pageIds[slot] = pageId;
      this.#simhashes[slot] = simhash;
    }
  }
}

const slotsOf = (simhash: string): number[] => (simhash === "" ? [] : bands(simhash).map((band, index) => index * SLOTS + band));
