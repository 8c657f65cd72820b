/** What speaks for a list of topics, and for each topic on it. */

import { normaliseTopic, ourRules, topicKey } from "./normalise-topic.ts";
import type { TopicList } from "./topic-lists.ts";
import { likelihood, type Weights } from "./weigh.ts";

/** What the names on a page are held against. */
export interface TopicContext {
  /** In small letters. */
  readonly title: string;
  readonly text: string;
  readonly siteName: string;
  readonly url: string;
}

export interface ListClue {
  readonly source: string;
  readonly names: readonly string[];
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

/** The lists with clean names, each with its signs; agreement among them is the best of these. */
export function listClues(lists: readonly TopicList[], context: TopicContext): ListClue[] {
  const clean = lists
    .map(({ source, names, signs }) => ({ source, signs, names: cleanNames(names) }))
    .filter(({ names }) => names.length > 0);
  const sourcesOf = new Map<string, Set<string>>();
  for (const { source, names } of clean) {
    for (const name of names) sourcesOf.set(topicKey(name), (sourcesOf.get(topicKey(name)) ?? new Set()).add(source));
  }
  const path = pathSlugs(context.url);
  const facts = new Map<string, NameFacts>();
  for (const { names } of clean) for (const name of names) if (!facts.has(name)) facts.set(name, factsOf(name, context, path));
  return clean.map((list) => ({ ...list, signs: { ...list.signs, ...listSigns(list, sourcesOf, facts) } }));
}

interface NameFacts {
  readonly inTitle: boolean;
  readonly inText: boolean;
  readonly inPath: boolean;
}

const factsOf = (name: string, { title, text }: TopicContext, path: ReadonlySet<string>): NameFacts => ({
  inTitle: title.includes(name),
  inText: text.includes(name),
  inPath: path.has(slug(name)),
});

function listSigns(
  { source, names }: Pick<ListClue, "source" | "names">,
  sourcesOf: ReadonlyMap<string, ReadonlySet<string>>,
  facts: ReadonlyMap<string, NameFacts>,
): Record<string, number> {
  const share = (test: (name: string) => boolean) => names.filter(test).length / names.length;
  const others = (name: string) => [...sourcesOf.get(topicKey(name))!].filter((one) => one !== source);
  return {
    one: names.length === 1 ? 1 : 0,
    many: names.length > 10 ? 1 : 0,
    heap: names.length > 20 ? 1 : 0,
    wordy: Math.min(1, names.reduce((sum, name) => sum + name.split(" ").length, 0) / names.length / 5),
    inText: share((name) => facts.get(name)!.inText),
    inTitle: share((name) => facts.get(name)!.inTitle),
    inPath: share((name) => facts.get(name)!.inPath),
    agree: share((name) => others(name).length > 0),
    headAgrees: share((name) => others(name).some((one) => inHead.test(one))),
    linksAgree: share((name) => others(name).some((one) => inLinks.test(one))),
  };
}

/** Names without a like: of two spellings the first is kept. */
function cleanNames(names: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const raw of names) {
    const topic = normaliseTopic(raw, ourRules);
    if ("name" in topic && !found.has(topicKey(topic.name))) found.set(topicKey(topic.name), topic.name);
  }
  return [...found.values()];
}

/** How far a list speaks, where none speaks: about what a list of a menu gets. */
const SILENT = -4;

/** Each topic once, with how far its lists speak for it. */
export function topicClues(lists: readonly ListClue[], weights: Weights, context: TopicContext): TopicClue[] {
  const found = new Map<string, { name: string; by: Map<string, number> }>();
  let most = SILENT;
  for (const list of lists) {
    const voice = odds(likelihood({ ...list, value: undefined }, weights));
    most = Math.max(most, voice);
    for (const name of list.names) {
      const topic = found.get(topicKey(name)) ?? { name, by: new Map<string, number>() };
      found.set(topicKey(name), topic);
      if (voice > (topic.by.get(list.source) ?? Number.NEGATIVE_INFINITY)) topic.by.set(list.source, voice);
    }
  }
  return [...found.values()].map(({ name, by }) => topicClue(name, by, most, context));
}

const odds = (chance: number) => Math.max(-8, Math.min(8, Math.log(chance / (1 - chance))));

function topicClue(name: string, by: ReadonlyMap<string, number>, most: number, { title, text, siteName }: TopicContext): TopicClue {
  const voices = [...by].sort((a, b) => b[1] - a[1]);
  const voice = (rank: number) => voices[rank]?.[1] ?? SILENT;
  return {
    name,
    sources: voices.map(([source]) => source),
    signs: {
      best: voice(0),
      second: voice(1),
      third: voice(2),
      below: most - voice(0),
      inTitle: title.includes(name) ? 1 : 0,
      inText: text.includes(name) ? 1 : 0,
      siteName: name.length > 3 && siteName.includes(name) ? 1 : 0,
      wordy: name.split(" ").length > 3 ? 1 : 0,
      section: by.has("article:section") || by.has("ld:articleSection") ? 1 : 0,
      crumb: by.has("breadcrumb") ? 1 : 0,
      sources: Math.min(4, by.size) / 4,
    },
  };
}

function pathSlugs(url: string): Set<string> {
  if (!URL.canParse(url)) return new Set();
  return new Set(new URL(url).pathname.split("/").slice(1, -1).map(slug));
}

const umlauts = new Map([
  ["ä", "ae"],
  ["ö", "oe"],
  ["ü", "ue"],
  ["ß", "ss"],
]);

/** As sites write a name into an address. */
const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => umlauts.get(letter)!)
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-");
