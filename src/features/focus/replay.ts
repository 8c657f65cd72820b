import { handedOn, sharkScore } from "../../analysis/score/index.ts";
import { queuePlaceOf, RelevanceEstimator } from "../../engine/crawl/index.ts";
import { BackQueue, type FrontierOptions, type Place, queuedOf, seededRandom } from "../../engine/frontier/index.ts";

/** A recorded page: its relevance, and its links with the scores of their words, each 0–1. */
export interface RecordedPage {
  readonly url: string;
  readonly relevance: number;
  readonly isTarget: boolean;
  readonly links: readonly { readonly url: string; readonly score: number }[];
}

export interface RecordedWeb {
  readonly seeds: readonly string[];
  readonly pages: ReadonlyMap<string, RecordedPage>;
  /** Score of a URL by its own words. */
  readonly urlScore: (url: string) => number;
}

export const replayOrders = ["breadth", "depth", "random", "url words", "shark", "nuthatch", "oracle"] as const;
export type ReplayOrder = (typeof replayOrders)[number];

/** Determines the queue position of a URL, and how a visit changes positions. */
interface Policy {
  place(url: string, id: number, from: RecordedPage, score: number): Place;
  again?(url: string, id: number, from: RecordedPage, score: number): Place | undefined;
  visit?(page: RecordedPage, id: number): void;
  moved?(): Iterable<readonly [id: number, place: Place]>;
}

/** The share of the keywords that a URL contains literally: the heuristic of simple crawlers. */
export function keywordsInUrl(keywords: readonly string[]): (url: string) => number {
  const spellings = keywords.map((word) => word.toLowerCase().split(/\s+/));
  return (url) => {
    const text = url.toLowerCase();
    return spellings.filter((words) => words.every((word) => text.includes(word))).length / Math.max(1, spellings.length);
  };
}

const hashOf = (id: number) => ({ hi: 0, lo: id });
const ranked = (priority: number): Place => ({ level: 0, priority });

/** The pages of a recorded crawl in the order in which this policy would visit them: real queue and priorities, no network. */
export function replay(web: RecordedWeb, order: ReplayOrder, options: FrontierOptions): RecordedPage[] {
  const random = seededRandom(options.seed);
  const policy = policyOf(web, order, options, random);
  const queue = new BackQueue();
  const ids = new Map<string, number>();
  const urls: string[] = [];
  const visited: RecordedPage[] = [];
  const noPage: RecordedPage = { url: "", relevance: 0, isTarget: false, links: [] };
  const parents = new Map<number, string>();

  function add(url: string, from: RecordedPage, score: number): void {
    const id = urls.push(url);
    ids.set(url, id);
    parents.set(id, from.url);
    const place = from === noPage ? ranked(2) : policy.place(url, id, from, score);
    const rest = { key: url, hash: hashOf(id), host: "", kind: "page", hops: 0, via: "link", parent: from.url, siteId: 1 } as const;
    queue.hold(queuedOf({ ...rest, id, url, depth: 0, attempts: 0, ...place }));
  }

  function move(id: number, place: Place): void {
    const item = queue.remove(id);
    if (item) queue.hold(Object.assign(item, place));
  }

  for (const seed of web.seeds) if (web.pages.has(seed) && !ids.has(seed)) add(seed, noPage, 0);
  for (let next = queue.take(0, random); next; next = queue.take(0, random)) {
    const page = web.pages.get(next.url)!;
    visited.push(page);
    policy.visit?.(page, next.id);
    for (const { url, score } of page.links) {
      const id = ids.get(url);
      const place = id === undefined ? undefined : policy.again?.(url, id, page, score);
      if (id !== undefined && place) move(id, place);
      else if (id === undefined && web.pages.has(url)) add(url, page, score);
    }
    for (const [id, place] of policy.moved?.() ?? []) move(id, place);
  }
  return visited;
}

function policyOf(web: RecordedWeb, order: ReplayOrder, options: FrontierOptions, random: () => number): Policy {
  switch (order) {
    case "breadth":
    case "depth":
      return plainPolicy({ ...options, order });
    case "random":
      return { place: () => ranked(random()) };
    case "url words":
      return { place: (url) => ranked(web.urlScore(url)) };
    case "shark":
      return sharkPolicy();
    case "nuthatch":
      return nuthatchPolicy(options);
    case "oracle":
      return oraclePolicy(web);
    default:
      return order satisfies never;
  }
}

/** As in a crawl with --order breadth or depth. */
function plainPolicy(frontier: FrontierOptions): Policy {
  const setup = { frontier, estimator: undefined, movedToFront: new Set<string>(), clock: { wall: () => 0 }, hooks: undefined };
  const depths = new Map<string, number>();
  let mentionNumber = 0;
  return {
    visit: ({ links }) => {
      mentionNumber += 2 * links.length;
    },
    place: (url, id, from) => {
      const depth = (depths.get(from.url) ?? 0) + 1;
      depths.set(url, depth);
      // In depth order the last discovered URL goes first, so a page's links are numbered backwards.
      mentionNumber -= 1;
      return queuePlaceOf(setup, { url, hash: hashOf(id), depth, lastmod: undefined, isNofollow: false }, mentionNumber, 1);
    },
  };
}

function sharkPolicy(): Policy {
  const inherited = new Map<string, number>();
  const best = new Map<number, number>();
  const rank = (id: number, from: RecordedPage, score: number): Place => {
    const worth = sharkScore(score, handedOn(from.relevance, inherited.get(from.url) ?? 0));
    best.set(id, Math.max(best.get(id) ?? 0, worth));
    return ranked(best.get(id)!);
  };
  return {
    place: (url, id, from, score) => {
      inherited.set(url, handedOn(from.relevance, inherited.get(from.url) ?? 0));
      return rank(id, from, score);
    },
    again: (_, id, from, score) => rank(id, from, score),
  };
}

/** As in a crawl with keywords. */
function nuthatchPolicy(frontier: FrontierOptions): Policy {
  const estimator = new RelevanceEstimator({ keywords: [], scorer: "lexical", scoreRatio: 0 });
  const setup = { frontier, estimator, movedToFront: new Set<string>(), clock: { wall: () => 0 }, hooks: undefined };
  const depths = new Map<string, number>();
  const mentions = new Map<number, number>();
  const parents = new Map<string, string>();
  const clue = (from: RecordedPage, score: number) => ({ score, inherited: estimator.inheritedFrom(from.url) });
  return {
    place: (url, id, from, score) => {
      const depth = (depths.get(from.url) ?? 0) + 1;
      depths.set(url, depth);
      parents.set(url, from.url);
      const mention = { url, key: url, hash: hashOf(id), kind: "page", via: "link", depth, hops: 0, lastmod: undefined } as const;
      estimator.track({ ...mention, isNofollow: false, clue: () => clue(from, score) }, from.url);
      mentions.set(id, 1);
      return queuePlaceOf(setup, { ...mention, isNofollow: false }, 0, 1);
    },
    again: (_, id, from, score) => {
      mentions.set(id, (mentions.get(id) ?? 1) + 1);
      estimator.addMention(hashOf(id), () => clue(from, score), from.url);
      return undefined;
    },
    visit: ({ url, relevance }, id) => estimator.learn({ hash: hashOf(id), url, parent: parents.get(url) }, relevance),
    *moved() {
      for (const tracked of estimator.changedEstimates()) {
        const id = tracked.hash.lo;
        yield [id, queuePlaceOf(setup, tracked, 0, mentions.get(id) ?? 1)];
      }
    },
  };
}

/** Knows the whole graph: a target is worth 1, and a page leading to it less with each click. */
function oraclePolicy(web: RecordedWeb): Policy {
  const distances = new Map<string, number>();
  const linkingPages = new Map<string, string[]>();
  for (const page of web.pages.values())
    for (const { url } of page.links) linkingPages.set(url, [...(linkingPages.get(url) ?? []), page.url]);
  let boundary = [...web.pages.values()].filter(({ isTarget }) => isTarget).map(({ url }) => url);
  for (let distance = 0; boundary.length > 0; distance++) {
    for (const url of boundary) distances.set(url, distance);
    boundary = [...new Set(boundary.flatMap((url) => linkingPages.get(url) ?? []))].filter((url) => !distances.has(url));
  }
  return { place: (url) => ranked(-(distances.get(url) ?? Number.POSITIVE_INFINITY)) };
}
