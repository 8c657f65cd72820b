import { bands, isNear } from "../../../analysis/dedupe/index.ts";

const SLOTS_PER_BAND = 0x10000;

/**
 * Finds a page with nearly the same text. For each of the four bands of the simhash the two latest pages with that band are remembered, so
 * memory is constant; of a large family the latest is found. Two, because the latest may be an earlier version of the same page.
 */
export class NearDuplicates {
  readonly #latest = new Slots();
  readonly #before = new Slots();

  /** `self`: the id of the page itself, if it is known. */
  find(simhash: string, self?: number): number | undefined {
    for (const slot of slotsOf(simhash)) {
      for (const { pageIds, simhashes } of [this.#latest, this.#before]) {
        const other = simhashes[slot];
        if (other !== undefined && pageIds[slot] !== self && isNear(other, simhash)) return pageIds[slot];
      }
    }
    return undefined;
  }

  add(pageId: number, simhash: string): void {
    for (const slot of slotsOf(simhash)) {
      if (this.#latest.simhashes[slot] !== undefined && this.#latest.pageIds[slot] !== pageId) this.#before.copy(slot, this.#latest);
      this.#latest.pageIds[slot] = pageId;
      this.#latest.simhashes[slot] = simhash;
    }
  }
}

class Slots {
  readonly pageIds = new Uint32Array(4 * SLOTS_PER_BAND);
  readonly simhashes: (string | undefined)[] = new Array<string | undefined>(4 * SLOTS_PER_BAND);

  copy(slot: number, from: Slots): void {
    this.pageIds[slot] = from.pageIds[slot]!;
    this.simhashes[slot] = from.simhashes[slot];
  }
}

const slotsOf = (simhash: string): number[] => (simhash === "" ? [] : bands(simhash).map((band, index) => index * SLOTS_PER_BAND + band));
