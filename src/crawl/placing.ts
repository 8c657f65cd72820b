import { type FrontierOptions, type PageType, type Place, placeOf } from "../frontier/index.ts";
import type { Aim } from "./aim.ts";
import type { Hooks } from "./hooks.ts";
import { keyText, type Mention } from "./mention.ts";

export interface PlacingSetup {
  readonly frontier: FrontierOptions;
  /** URLs moved to the front; later mentions do not change their position. */
  readonly hurried: Set<string>;
  /** Undefined without keywords, or if the order is not "best". */
  readonly aim: Aim | undefined;
  readonly clock: { wall(): number };
  readonly hooks: Hooks | undefined;
}

export const urgent = (depth: number): Place => ({ level: 0, priority: 1 + depth / 1000 });

/** Factor that puts keywords first: other signals decide only among equally relevant URLs. */
const KEYWORDS_FIRST = 256;

/** The queue position of a URL within its host. */
export function placing(
  { frontier: { order, priority }, hurried, aim, clock, hooks }: PlacingSetup,
  mention: Pick<Mention, "hash" | "url" | "depth" | "lastmod" | "isUnloved">,
  heardAt: number,
  mentions: number,
  type?: PageType,
): Place {
  if (hurried.size > 0 && hurried.has(keyText(mention.hash))) return urgent(mention.depth);
  const age = mention.lastmod === undefined ? undefined : clock.wall() - mention.lastmod;
  const relevance = aim?.promiseOf(mention.hash) ?? 0;
  const signals = { url: mention.url, depth: mention.depth, age, mentions, relevance, type };
  const weights = aim ? { ...priority, relevance: priority.relevance * KEYWORDS_FIRST } : priority;
  const place = placeOf(signals, order, weights, heardAt, hooks?.bonus);
  return mention.isUnloved && order === "best" ? { level: Math.max(place.level, 6), priority: place.priority } : place;
}
