/** Evidence for lists of topics, and for each topic on them. */

import { urlOf } from "../parsed-url.ts";
import { likelihood, type Weights } from "../weigh.ts";
import { normaliseTopic, slug, topicKey, weighedRules } from "./normalise-topic.ts";
import type { TopicList } from "./topic-names.ts";

/** What the names on a page are compared with. */
export interface TopicContext {
  /** Lowercase. */
  readonly title: string;
  readonly text: string;
  readonly siteName: string;
  readonly url: string;
}

/** A name on the page with its signs, computed once. */
export interface TopicName {
  readonly name: string;
  readonly key: string;
  readonly inTitle: boolean;
  readonly inText: boolean;
  readonly inPath: boolean;
}

export interface ListClue {
  readonly source: string;
  readonly names: readonly TopicName[];
  readonly signs: Readonly<Record<string, number>>;
}

export interface TopicClue {
  readonly name: string;
  /** Best first. */
  readonly sources: readonly string[];
  readonly signs: Readonly<Record<string, number>>;
}

const inHead = /^(?:meta|news_|article:tag|ld:keywords|dc|sailthru|parsely)/;
const inLinks = /^(?:rel=|a\[|html:)/;

/** Limit, because each name is searched for in the text. The first lists are those of the page's head. */
const MAX_NAMES = 500;

/** The lists with normalised names and signs; agreement between lists is the strongest sign. */
export function listClues(lists: readonly TopicList[], context: TopicContext): ListClue[] {
  const known = new Map<string, TopicName>();
  const path = pathSlugs(context.url);
  const clean = lists
    .map(({ source, names, signs }) => ({ source, signs, names: cleanNames(names, known, context, path) }))
    .filter(({ names }) => names.length > 0);
  const sourcesOf = new Map<TopicName, Set<string>>();
  for (const { source, names } of clean) for (const name of names) sourcesOf.set(name, (sourcesOf.get(name) ?? new Set()).add(source));
  return clean.map((list) => ({ ...list, signs: { ...list.signs, ...listSigns(list, sourcesOf) } }));
}

/** Normalises the names and removes duplicates; the first spelling is kept. */
function cleanNames(
  names: readonly string[],
  known: Map<string, TopicName>,
  { title, text }: TopicContext,
  path: ReadonlySet<string>,
): TopicName[] {
  const found = new Set<TopicName>();
  for (const raw of names) {
    const topic = normaliseTopic(raw, weighedRules);
    if ("rejected" in topic) continue;
    const { name } = topic;
    const key = topicKey(name);
    let seen = known.get(key);
    if (seen === undefined) {
      if (known.size >= MAX_NAMES) break;
      seen = { name, key, inTitle: title.includes(name), inText: text.includes(name), inPath: path.size > 0 && path.has(slug(name)) };
      known.set(key, seen);
    }
    found.add(seen);
  }
  return [...found];
}

function listSigns(
  { source, names }: Pick<ListClue, "source" | "names">,
  sourcesOf: ReadonlyMap<TopicName, ReadonlySet<string>>,
): Record<string, number> {
  const share = (test: (name: TopicName) => boolean) => names.filter(test).length / names.length;
  const agreeing = (test: (source: string) => boolean) =>
    share((name) => {
      for (const one of sourcesOf.get(name)!) if (one !== source && test(one)) return true;
      return false;
    });
  return {
    one: names.length === 1 ? 1 : 0,
    many: names.length > 10 ? 1 : 0,
    heap: names.length > 20 ? 1 : 0,
    wordy: Math.min(1, names.reduce((sum, { name }) => sum + name.split(" ").length, 0) / names.length / 5),
    inText: share(({ inText }) => inText),
    inTitle: share(({ inTitle }) => inTitle),
    inPath: share(({ inPath }) => inPath),
    agree: agreeing(() => true),
    headAgrees: agreeing((one) => inHead.test(one)),
    linksAgree: agreeing((one) => inLinks.test(one)),
  };
}

/** The log odds for a missing list: about those of a menu. */
const MISSING_LIST_ODDS = -4;

/** Each topic once, with the log odds of its best lists. */
export function topicClues(lists: readonly ListClue[], weights: Weights, { siteName }: TopicContext): TopicClue[] {
  const found = new Map<TopicName, Map<string, number>>();
  let bestOdds = MISSING_LIST_ODDS;
  for (const { source, names, signs } of lists) {
    const listOdds = odds(likelihood({ source, signs, value: undefined }, weights));
    bestOdds = Math.max(bestOdds, listOdds);
    for (const name of names) {
      const oddsBySource = found.get(name) ?? new Map<string, number>();
      found.set(name, oddsBySource);
      if (listOdds > (oddsBySource.get(source) ?? Number.NEGATIVE_INFINITY)) oddsBySource.set(source, listOdds);
    }
  }
  return [...found].map(([name, oddsBySource]) => topicClue(name, oddsBySource, bestOdds, siteName));
}

const odds = (probability: number) => Math.max(-8, Math.min(8, Math.log(probability / (1 - probability))));

function topicClue(
  { name, inTitle, inText }: TopicName,
  oddsBySource: ReadonlyMap<string, number>,
  bestOdds: number,
  siteName: string,
): TopicClue {
  const sourceOdds = [...oddsBySource].sort((a, b) => b[1] - a[1]);
  const listOdds = (rank: number) => sourceOdds[rank]?.[1] ?? MISSING_LIST_ODDS;
  return {
    name,
    sources: sourceOdds.map(([source]) => source),
    signs: {
      best: listOdds(0),
      second: listOdds(1),
      third: listOdds(2),
      below: bestOdds - listOdds(0),
      inTitle: inTitle ? 1 : 0,
      inText: inText ? 1 : 0,
      siteName: name.length > 3 && siteName.includes(name) ? 1 : 0,
      wordy: name.split(" ").length > 3 ? 1 : 0,
      section: oddsBySource.has("article:section") || oddsBySource.has("ld:articleSection") ? 1 : 0,
      crumb: oddsBySource.has("breadcrumb") ? 1 : 0,
      sources: Math.min(4, oddsBySource.size) / 4,
    },
  };
}

function pathSlugs(url: string): Set<string> {
  return new Set(urlOf(url)?.pathname.split("/").slice(1, -1).map(slug));
}
