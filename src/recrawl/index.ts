/**
 * Same as last time? A page is compared by its fingerprint with what was stored; a page that nobody mentioned any more is
 * probed once when the run has seen everything else. An unfinished run never says "gone". Where a page differs only in what differs
 * by itself (`noise.ts`), it has not changed.
 */
export { type Hunk, hunksBetween } from "./alignment.ts";
export { afterProbe, type ComparedBy, compare } from "./change.ts";
export { judgePlaces, type NoiseKnown, type PlaceVerdict } from "./noise.ts";
export { NoiseMemory } from "./noise-memory.ts";
export type { RecrawlOptions } from "./options.ts";
export { type Content, type ContentLink, type Place, placesBetween } from "./places.ts";
export { valueKeysIn } from "./units.ts";
