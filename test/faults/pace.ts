import type { LoggedRequest } from "../site/index.ts";

/** The most requests that reached a server within any stretch of time so long. */
export function mostWithin(log: readonly LoggedRequest[], stretch: number): number {
  const times = log.map(({ at }) => at).sort((a, b) => a - b);
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last]! - times[first]! >= stretch) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
