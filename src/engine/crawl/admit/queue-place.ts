import { type FrontierOptions, type PageType, type Place, placeOf } from "../../frontier/index.ts";
import type { Hooks } from "../hooks.ts";
import { hashText, type Mention } from "./mention.ts";
import type { RelevanceEstimator } from "./relevance-estimator.ts";

export interface QueuePlaceSetup {
  readonly frontier: FrontierOptions;
  /** URLs moved to the front; later mentions do not change their position. */
  readonly movedToFront: Set<string>;
  /** Undefined without keywords, or if the order is not "best". */
  readonly estimator: RelevanceEstimator | undefined;
  readonly clock: { wall(): number };
  readonly hooks: Hooks | undefined;
}

export const frontPlace = (depth: number): Place => ({ level: 0, priority: 1 + depth / 1000 });

/** Factor that puts keywords first: other signals decide only among equally relevant URLs. */
const RELEVANCE_FACTOR = 256;

/** The queue position of a URL within its host. */
export function queuePlaceOf(
  { frontier: { order, priority }, movedToFront, estimator, clock, hooks }: QueuePlaceSetup,
  mention: Pick<Mention, "hash" | "url" | "depth" | "lastmod" | "isNofollow">,
  mentionNumber: number,
  mentions: number,
  type?: PageType,
): Place {
  if (movedToFront.size > 0 && movedToFront.has(hashText(mention.hash))) return frontPlace(mention.depth);
  const age = mention.lastmod === undefined ? undefined : clock.wall() - mention.lastmod;
  const relevance = estimator?.estimateOf(mention.hash) ?? 0;
  const signals = { url: mention.url, depth: mention.depth, age, mentions, relevance, type };
  const weights = estimator ? { ...priority, relevance: priority.relevance * RELEVANCE_FACTOR } : priority;
  const place = placeOf(signals, order, weights, mentionNumber, hooks?.bonus);
  return mention.isNofollow && order === "best" ? { level: Math.max(place.level, 6), priority: place.priority } : place;
}
