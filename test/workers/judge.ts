/** What the servers of a crawl have seen, held against what they have. */
import type { Asked, ManyHosts } from "./site.ts";

export interface Judgement {
  /** What nobody asked for, and what nobody should have. */
  readonly missing: readonly string[];
  readonly foreign: readonly string[];
  /** Requests beyond the first for a URL, robots.txt aside. */
  readonly repeats: number;
  /** The shortest time between two requests to one host, robots.txt included. */
  readonly closest: number;
}

export async function judge(site: ManyHosts): Promise<Judgement> {
  const log = await site.log();
  const expected = new Set(site.urls);
  const asked = new Map<string, number>();
  for (const [host, path] of log) {
    const url = `http://${host}:${site.port}${path}`;
    if (path !== "/robots.txt") asked.set(url, (asked.get(url) ?? 0) + 1);
  }
  return {
    missing: site.urls.filter((url) => !asked.has(url)),
    foreign: [...asked.keys()].filter((url) => !expected.has(url)),
    repeats: [...asked.values()].reduce((sum, times) => sum + times - 1, 0),
    closest: closest(log),
  };
}

function closest(log: readonly Asked[]): number {
  const before = new Map<string, number>();
  let least = Number.POSITIVE_INFINITY;
  for (const [host, , at] of log) {
    least = Math.min(least, at - (before.get(host) ?? Number.NEGATIVE_INFINITY));
    before.set(host, at);
  }
  return least;
}
