/**
 * Has a page changed, and when should it be visited again? A page is compared with its stored fingerprint; a page that nothing names any
 * more is probed once, when the run has seen everything else. An incomplete run never reports "gone". A page that differs only by noise
 * (`noise.ts`) has not changed. The looks at a page and at similar pages give its change rate, and the rates decide how the visits of a
 * day are distributed.
 */
export { type Hunk, hunksBetween } from "../alignment.ts";
export { type Bounds, priceFor, unbounded, visitRate, type Wish } from "./allocate.ts";
export { afterProbe, type ComparedBy, compare } from "./change.ts";
export { contentOf } from "./content.ts";
export { chanceOf, type HintCount, shareWith, trustOf, worthOf } from "./hints.ts";
export { type Ignored, type IgnoredKind, ignoredKinds, type Mask, maskOf, saysSomething, withoutIgnored } from "./ignored.ts";
export { isMovingLink } from "./link-places.ts";
export { type Look, looksOf, withLook } from "./looks.ts";
export { type HeadChange, type News, newsBetween, type TextHunk } from "./news.ts";
export { judgePlaces, type NoiseKnown, type PlaceVerdict } from "./noise.ts";
export { NoiseMemory } from "./noise-memory.ts";
export type { RecrawlOptions } from "./options.ts";
export { type Content, type ContentLink, type Place, placesBetween } from "./places.ts";
export type { PriorSource } from "./priors.ts";
export { intervalsOf, rateOf } from "./rate.ts";
export { type Forecast, type Known, planVisits, Schedule, SOONEST } from "./schedule.ts";
export { placeKeysIn } from "./units.ts";
