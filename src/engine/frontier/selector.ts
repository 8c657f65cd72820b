import { LEVELS } from "../../core/records.ts";

/** A small seeded generator (mulberry32): the same seed gives the same crawl. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const weights = Array.from({ length: LEVELS }, (_, level) => 4 ** -level);

/**
 * The queue selector: picks one of the non-empty levels, each four times as likely as the next, so that the high levels go first and the
 * low ones are never starved.
 */
export function selectLevel(isFilled: (level: number) => boolean, random: () => number): number {
  let total = 0;
  for (let level = 0; level < LEVELS; level++) if (isFilled(level)) total += weights[level]!;
  let point = random() * total;
  let last = -1;
  for (let level = 0; level < LEVELS; level++) {
    if (!isFilled(level)) continue;
    last = level;
    point -= weights[level]!;
    if (point <= 0) return level;
  }
  return last;
}
