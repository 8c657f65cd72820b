/** How long the API's lists take on a data file of a million rows, at any depth: `npm run bench:lists`. */
import { existsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cursorOf } from "../src/api/cursor.ts";
import { routes } from "../src/api/index.ts";
import { openApp } from "../src/app.ts";
import { SCHEMA_VERSION } from "../src/store/index.ts";
import { makeListsFile } from "./lists-file.ts";

const SIZE = { pages: 100_000, links: 1_000_000, decisions: 1_000_000 };
const CALLS = 200;

type Values = Readonly<Record<string, string>>;
interface Call {
  readonly about: string;
  readonly route: string;
  readonly params?: Values;
  readonly query?: Values;
  /** Somewhere in the list, and how its cursor is marked. */
  readonly place?: (at: number) => readonly [mark: string, ...place: number[]];
  readonly body?: unknown;
  readonly calls?: number;
}

const some = (most: number) => (at: number) => 1 + Math.floor(at * (most - 1));
const [aPage, aLink, aDecision] = [some(SIZE.pages), some(SIZE.links), some(SIZE.decisions)];
const score = (at: number) => Math.round(at * 990) / 1000;

const calls: readonly Call[] = [
  { about: "sites", route: "listSites" },
  { about: "pages, any place", route: "listPages", place: (at) => ["pages id", aPage(at)] },
  { about: "pages, backwards", route: "listPages", query: { sort: "-id" }, place: (at) => ["pages -id", aPage(at)] },
  { about: "pages of a site", route: "listSitePages", params: { id: "1" }, place: (at) => ["pages id", aPage(at)] },
  { about: "pages, seen last", route: "listPages", query: { sort: "-seen" }, place: (at) => ["pages -seen", 2, aPage(at), aPage(at)] },
  { about: "pages of a run", route: "listCrawlPages", params: { id: "2" }, place: (at) => ["pages seen", aPage(at), aPage(at)] },
  { about: "pages, 1,000 rows", route: "listPages", query: { limit: "1000" }, place: (at) => ["pages id", aPage(at)], calls: 50 },
  { about: "pages that changed", route: "listPages", query: { change: "changed" }, place: (at) => ["pages id", aPage(at)] },
  { about: "pages of a topic", route: "listPages", query: { topic: "topic-7" }, place: (at) => ["pages id", aPage(at)] },
  { about: "pages by URL", route: "listPages", query: { url: "https://town.test/1" } },
  { about: "one page", route: "getPage", params: { id: "777" } },
  {
    about: "links of a site, the best",
    route: "listSiteLinks",
    params: { id: "1" },
    place: (at) => ["links -score", score(at), aLink(at)],
  },
  { about: "links of all sites", route: "listLinks", place: (at) => ["links -score", score(at), 1, aLink(at)] },
  { about: "links, by number", route: "listLinks", query: { sort: "id" }, place: (at) => ["links id", 1, aLink(at)] },
  { about: "links of a keyword", route: "listSiteLinks", params: { id: "1" }, query: { keyword: "agenda", minScore: "0.5" }, calls: 50 },
  { about: "links of a rare keyword", route: "listSiteLinks", params: { id: "1" }, query: { keyword: "audit" } },
  { about: "links that are new", route: "listSiteLinks", params: { id: "1" }, query: { new: "true" } },
  { about: "links to PDFs", route: "listSiteLinks", params: { id: "1" }, query: { type: "pdf" } },
  { about: "sources of a link", route: "listLinkSources", params: { id: "777" } },
  { about: "keywords", route: "listKeywords", params: { id: "1" } },
  { about: "decisions", route: "listDecisions", params: { id: "2" }, place: (at) => ["decisions id", aDecision(at)] },
  {
    about: "decisions: robots",
    route: "listDecisions",
    params: { id: "2" },
    query: { reason: "robots" },
    place: (at) => ["decisions id", aDecision(at)],
  },
  { about: "errors", route: "listCrawlErrors", params: { id: "2" } },
  { about: "changes", route: "listSiteChanges", params: { id: "1" }, place: (at) => ["changes -crawl", 2, aPage(at)] },
  { about: "changes: changed", route: "listCrawlChanges", params: { id: "2" }, query: { change: "changed" } },
  { about: "history", route: "listSiteHistory", params: { id: "1" } },
  {
    about: "decisions in groups (all looked at)",
    route: "listDecisions",
    params: { id: "2" },
    query: { groupBy: "verdict,reason" },
    calls: 5,
  },
  {
    about: "decisions, counted (all looked at)",
    route: "listDecisions",
    params: { id: "2" },
    query: { count: "true", verdict: "skipped" },
    calls: 5,
  },
  { about: "links that are pinned: none", route: "listSiteLinks", params: { id: "1" }, query: { pinned: "true" } },
  { about: "links, nothing found (all looked at)", route: "listSiteLinks", params: { id: "1" }, query: { type: "zip" }, calls: 5 },
  { about: "tree (all looked at)", route: "getSiteTree", params: { id: "1" }, calls: 5 },
  { about: "inlinks, none (all looked at)", route: "listPageInlinks", params: { id: "5" }, calls: 5 },
  { about: "graph of 500", route: "getSiteGraph", params: { id: "1" }, calls: 20 },
  {
    about: "keywords, previewed (all looked at)",
    route: "previewKeywords",
    params: { id: "1" },
    body: { keywords: [{ word: "agenda", weight: 1 }] },
    calls: 5,
  },
];

const path = process.argv[2] ?? join(tmpdir(), `nuthatch-lists-v${SCHEMA_VERSION}.db`);
if (!existsSync(path)) await makeListsFile(path, SIZE);
console.log(`${path}: ${Math.round(statSync(path).size / 1e6)} MB, ${JSON.stringify(SIZE)}`);
const app = await openApp({ db: path, isReadOnly: true });

/** The longest that this thread answers nobody else meanwhile. */
let longest = 0;
let last = performance.now();
const beat = () => {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
  heart = setImmediate(beat);
};
let heart = setImmediate(beat);

for (const call of calls) {
  const times: number[] = [];
  let size = 0;
  longest = 0;
  const before = process.cpuUsage();
  for (let index = 0; index < (call.calls ?? CALLS); index += 1) {
    await new Promise(setImmediate);
    const began = performance.now();
    size = await answer(call, Math.random());
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(before);
  const cpu = (user + system) / 1000 / times.length;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!.toFixed(1).padStart(8);
  console.log(
    `${call.about.padEnd(40)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   CPU ${cpu.toFixed(1).padStart(7)} ms   held up ${longest.toFixed(0).padStart(4)} ms   ${size} bytes`,
  );
}
clearImmediate(heart);
await app.close();

async function answer({ route: id, params = {}, query = {}, place, body }: Call, at: number): Promise<number> {
  const route = routes.find((one) => one.id === id)!;
  const [mark, ...keys] = place?.(at) ?? [];
  const given = { ...query, ...(mark !== undefined && { cursor: cursorOf(keys as number[], mark as string) }) };
  const input = {
    params: route.params?.parse(params),
    query: route.query?.parse(given),
    body: route.body?.parse(body),
    asked: { url: "/" },
  };
  if (route.at === "events") throw new Error("events are no list");
  const reply = await route.work({ app, signal: new AbortController().signal } as never, input as never);
  return JSON.stringify(reply.data).length;
}
