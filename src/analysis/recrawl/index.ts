/**
 * Has a page changed, and when should it be visited again? A page is compared with its stored fingerprint; a page that nothing names any
 * more is probed once, when the run has seen everything else. An incomplete run never reports "gone". A page that differs only by noise
 * (`noise.ts`) has not changed. The looks at a page and at similar pages give its change rate, and the rates decide how the visits of a
 * day are distributed.
 */
export { type Hunk, hunksBetween } from "../../core/alignment.ts";
export { type Bounds, type PageDemand, priceFor, unbounded, visitRate } from "./allocate.ts";
export { afterProbe, type ComparedBy, compare } from "./change.ts";
export { type ChangedPlace, type Content, type ContentLink, placesBetween } from "./changed-places.ts";
export { contentOf } from "./content.ts";
export { type ContentChanges, changesBetween, type HeadChange, type TextHunk } from "./content-changes.ts";
export { changeProbability, type HintCount, hintWorth, intervalShare, maxHintedPages } from "./hints.ts";
export { hasLetterOrDigit, type Ignored, type IgnoredKind, ignoredKinds, type Mask, maskOf, withoutIgnored } from "./ignored.ts";
export { hasChangingToken } from "./link-places.ts";
export { judgePlaces, type NoiseKnowledge, type PlaceVerdict } from "./noise.ts";
export { NoiseMemory } from "./noise-memory.ts";
export { addObservation, type Observation, observationsOf } from "./observations.ts";
export type { RecrawlOptions } from "./options.ts";
export type { PriorSource } from "./priors.ts";
export { intervalsOf, rateOf } from "./rate.ts";
export { type Forecast, type KnownPage, MIN_INTERVAL_MS, planVisits, Schedule } from "./schedule.ts";
export { placeKeysIn } from "./units.ts";
