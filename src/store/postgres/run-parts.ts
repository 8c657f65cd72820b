import { plusCounts } from "../counts.ts";
import type { Counters } from "../run.ts";

/** What a run has counted, with what is still beside it. Links are not counted by those who find them, but looked up: the last word holds. */
export function withParts(total: Counters, parts: readonly string[]): Counters {
  return parts.reduce((sum, text) => {
    const { links = sum.links, ...part } = JSON.parse(text) as Counters;
    return { ...plusCounts(sum, part), ...(links && { links }) };
  }, total);
}
