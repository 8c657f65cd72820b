import { existsSync } from "node:fs";
import { join } from "node:path";
import { relevanceOf } from "../src/crawl/index.ts";
import { FrontierOptions } from "../src/frontier/options.ts";
import { type Harvest, harvestOf } from "../src/operations/harvest.ts";
import { type RecordedWeb, type ReplayOrder, replay, replayOrders } from "../src/operations/replay.ts";
import { openScorer } from "../src/score/index.ts";
import { handbooks, openHandbook, webOfHandbook } from "./focus-docs.ts";
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

const first = Number(process.env.FIRST ?? 1);
const seeds = Number(process.argv[2] ?? 20);
const only = process.argv[3] ?? "";
const brief = process.env.BRIEF !== undefined;
const overall: number[][] = [[], []];

function show(kind: string, webs: Iterable<RecordedWeb>): void {
  if (!kind.includes(only)) return;
  const results = new Map<ReplayOrder, Harvest[]>(replayOrders.map((order) => [order, []]));
  const began = performance.now();
  let seed = first;
  for (const web of webs) {
    for (const order of brief ? (["breadth", "url words", "nuthatch"] as const) : replayOrders) {
      const visited = replay(web, order, FrontierOptions.parse({ seed }));
      results.get(order)!.push(harvestOf(visited.map(({ isTarget }) => isTarget)));
    }
    seed += 1;
  }
  const [{ requests, targets } = { requests: 0, targets: 0 }] = results.get("breadth")!;
  const to90 = (order: ReplayOrder) => results.get(order)!.map(({ requestsTo90 }) => requestsTo90);
  if (!brief) console.log(`\n${kind}: ${requests} pages, ${targets} targets (${Math.round(performance.now() - began)} ms)`);
  for (const order of brief ? (["nuthatch"] as const) : replayOrders) {
    const versus = (other: ReplayOrder) => {
      const ratios = to90(order).map((value, at) => value / to90(other)[at]!);
      return `${(100 * mean(ratios)).toFixed(0)} ± ${(100 * error(ratios)).toFixed(1)} %`;
    };
    const auc = mean(results.get(order)!.map(({ recallAuc }) => recallAuc));
    if (order === "nuthatch") {
      overall[0]!.push(mean(to90(order).map((value, at) => value / to90("breadth")[at]!)));
      overall[1]!.push(mean(to90(order).map((value, at) => value / to90("url words")[at]!)));
    }
    console.log(
      `  ${(brief ? kind : order).padEnd(brief ? 34 : 10)} to90 ${mean(to90(order)).toFixed(0).padStart(5)}  auc ${auc.toFixed(3)}  of breadth ${versus("breadth")}  of url words ${versus("url words")}`,
    );
  }
}

if (process.argv[1]?.endsWith("focus.js")) main();
function main() {
  for (const [kind, make] of Object.entries(kindsOfSites))
    show(
      kind,
      Array.from({ length: seeds }, (_, index) => webOf(make(first + index))),
    );
  const docs = process.env.NUTHATCH_DOCS ?? "/usr/share/doc";
  for (const { name, folder, topics } of handbooks) {
    if (!existsSync(join(docs, folder))) continue;
    const book = openHandbook(join(docs, folder));
    show(
      name,
      topics.map((topic) => webOfHandbook(book, topic)),
    );
  }
  console.log("overall", overall.map((each) => mean(each).toFixed(3)).join(" "));
}
