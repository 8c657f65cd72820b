import { changeFeed } from "nuthatch";
import { tempFolder } from "../cli.ts";
import { crawl } from "../near-library.ts";
import { serveSite } from "../site/index.ts";
import { type Edit, lookAt, type TruthSite } from "./site.ts";

export interface Verdict {
  readonly edits: number;
  readonly missed: readonly string[];
  /** Visits of pages that nobody had edited, and those that were told all the same. */
  readonly quiet: number;
  readonly false: readonly string[];
  readonly looksAgain: number;
}

const pathOf = (url: string) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Six runs of the crawler over a site, and what was told held against what was done. */
export async function judge(
  site: TruthSite,
  { address, seed, runs = 6 }: { address: string; seed: number; runs?: number },
): Promise<Verdict> {
  using folder = tempFolder();
  const db = folder.file("site.db");
  let [run, requests] = [1, 0];
  const server = await serveSite(
    ({ path }) => {
      requests += 1;
      return site.page(lookAt(path, run, requests, seed));
    },
    { address },
  );
  const [missed, wrong]: [string[], string[]] = [[], []];
  let [edits, quiet, looksAgain] = [0, 0, 0];
  try {
    for (; run <= runs; run += 1) {
      const done = run === 1 ? [] : site.edit(run);
      const changed = new Set<string>();
      const visited = new Set<string>();
      await using crawled = crawl(`${server.origin}/`, { db, rateLimit: "none", perHost: 8, maxConcurrent: 8 });
      for await (const { url, change } of crawled) {
        visited.add(pathOf(url));
        if (change === "changed") changed.add(pathOf(url));
      }
      const result = await crawled.result;
      if (run === 1) continue;
      looksAgain += result.stats.looksAgain;
      const feed = await changeFeed(db);
      const told = new Map<string, string>();
      for (const { url, diff, alsoOn } of feed.pages) for (const each of [url, ...alsoOn]) told.set(pathOf(each), JSON.stringify(diff));
      missed.push(...missedOf(done, told, changed).map((what) => `run ${run}: ${what}`));
      edits += done.length;
      const touched = new Set(done.flatMap(({ on, also = [] }) => [...on, ...also]));
      quiet += [...visited].filter((path) => !touched.has(path)).length;
      for (const path of new Set([...told.keys(), ...changed]))
        if (!touched.has(path) && (told.has(path) ? changed.has(path) : true)) wrong.push(`run ${run}: ${path} ${told.get(path) ?? ""}`);
    }
  } finally {
    await server.close();
  }
  return { edits, missed, quiet, false: wrong, looksAgain };
}

function missedOf(done: readonly Edit[], told: ReadonlyMap<string, string>, changed: ReadonlySet<string>): string[] {
  return done.flatMap(({ what, on, says }) => {
    const untold = on.filter((path) => !told.has(path));
    if (untold.length > 0)
      return [`${what}: ${untold.length} of ${on.length} pages, ${changed.has(untold[0]!) ? "called changed" : "not"} (${untold[0]})`];
    const isSaid = says === undefined || on.some((path) => told.get(path)!.includes(says));
    return isSaid ? [] : [`${what}: nothing says ${says}, but ${told.get(on[0]!)}`];
  });
}
