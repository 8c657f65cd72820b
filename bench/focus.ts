/**
 * How soon each crawl order finds the relevant pages. `npm run bench -- focus` replays generated sites and, if Debian's packages
 * python3.11-doc and sqlite3-doc are installed (below /usr/share/doc, or in NUTHATCH_DOCS), two handbooks; `-- --write` writes
 * docs/focus.md.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FrontierOptions } from "../src/engine/frontier/options.ts";
import { harvestOf } from "../src/features/focus/harvest.ts";
import { type RecordedWeb, type ReplayOrder, replay, replayOrders } from "../src/features/focus/replay.ts";
import { handbooks, openHandbook, webOfHandbook } from "./focus-docs.ts";
import { inLines, inMarkdown, type Sample, type SiteResult } from "./focus-report.ts";
import { kindsOfSites, webOf } from "./focus-sites.ts";

const SEEDS = 20;
/** Repetitions for each topic of a handbook, because the selector and the random order depend on chance. */
const TIMES = 2;

function sampleOf(web: RecordedWeb, seeds: readonly number[]): Sample {
  const harvests = (order: ReplayOrder) =>
    seeds.map((seed) => harvestOf(replay(web, order, FrontierOptions.parse({ seed })).map(({ isTarget }) => isTarget)));
  return Object.fromEntries(replayOrders.map((order) => [order, harvests(order)])) as unknown as Sample;
}

function* measure(isWanted: (name: string) => boolean): Generator<SiteResult> {
  for (const [name, make] of Object.entries(kindsOfSites)) {
    if (!isWanted(name)) continue;
    yield { name, samples: Array.from({ length: SEEDS }, (_, index) => sampleOf(webOf(make(index + 1)), [index + 1])) };
  }
  const folders = process.env.NUTHATCH_DOCS ?? "/usr/share/doc";
  for (const { name, folder, topics } of handbooks) {
    if (!isWanted(name)) continue;
    if (!existsSync(join(folders, folder))) {
      console.error(`${name} is left out: there is no ${join(folders, folder)}`);
      continue;
    }
    const book = openHandbook(join(folders, folder));
    const seeds = Array.from({ length: TIMES }, (_, index) => index + 1);
    yield { name, samples: topics.map((topic) => sampleOf(webOfHandbook(book, topic), seeds)) };
  }
}

const given = process.argv.slice(2);
const only = given.find((word) => !word.startsWith("--")) ?? "";
const results: SiteResult[] = [];
for (const result of measure((name) => name.includes(only))) {
  results.push(result);
  console.log(inLines(result));
}
if (given.includes("--write")) writeFileSync("docs/focus.md", inMarkdown(results));
