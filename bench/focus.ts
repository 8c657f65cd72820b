import { FrontierOptions } from "../src/frontier/options.ts";
import { relevanceOf } from "../src/crawl/index.ts";
import { type Harvest, harvestOf } from "../src/operations/harvest.ts";
import { type RecordedWeb, type ReplayOrder, replay, replayOrders } from "../src/operations/replay.ts";
import { openScorer } from "../src/score/index.ts";
import { kindsOfSites, type MadeSite } from "./focus-sites.ts";

/** A made-up site as a recorded crawl of it would be. */
export function webOf({ keyword, seed, pages }: MadeSite): RecordedWeb {
  const scorer = openScorer([keyword]);
  const weights = { keywords: [[keyword, 1]] as const, scoreRatio: 0.5 };
  const recorded = [...pages.values()].map(({ url, title, text, isTarget, links }) => {
    const said = { title: { value: title }, description: undefined, text };
    const scored = links.map((link) => ({ url: link.url, score: Math.min(1, scorer.match(link)[0]!) }));
    return { url, isTarget, relevance: relevanceOf(said, scorer, weights), links: scored };
  });
  const urlScore = (url: string) => scorer.match({ text: "", url })[0]!;
  return { seeds: [seed], urlScore, pages: new Map(recorded.map((page) => [page.url, page])) };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const error = (values: readonly number[]) => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)) / Math.max(1, values.length - 1));
};

const seeds = Number(process.argv[2] ?? 20);
const only = process.argv[3];
for (const [kind, make] of Object.entries(kindsOfSites)) {
  if (only && !kind.includes(only)) continue;
  const results = new Map<ReplayOrder, Harvest[]>(replayOrders.map((order) => [order, []]));
  const began = performance.now();
  for (let seed = 1; seed <= seeds; seed++) {
    const web = webOf(make(seed));
    for (const order of replayOrders) {
      const visited = replay(web, order, FrontierOptions.parse({ seed }));
      results.get(order)!.push(harvestOf(visited.map(({ isTarget }) => isTarget)));
    }
  }
  const [first] = results.get("breadth")!;
  console.log(`\n${kind}: ${first!.requests} pages, ${first!.targets} targets (${Math.round(performance.now() - began)} ms)`);
  const to90 = (order: ReplayOrder) => results.get(order)!.map(({ requestsTo90 }) => requestsTo90);
  for (const order of replayOrders) {
    const versus = (other: ReplayOrder) => {
      const ratios = to90(order).map((value, at) => value / to90(other)[at]!);
      return `${(100 * mean(ratios)).toFixed(0)} ± ${(100 * error(ratios)).toFixed(1)} %`;
    };
    const auc = mean(results.get(order)!.map(({ recallAuc }) => recallAuc));
    console.log(`  ${order.padEnd(10)} to90 ${mean(to90(order)).toFixed(0).padStart(5)}  auc ${auc.toFixed(3)}  of breadth ${versus("breadth")}  of url words ${versus("url words")}`);
  }
}
