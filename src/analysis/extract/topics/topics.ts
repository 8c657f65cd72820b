/** The topics of a page: first those defined by the user, then those the page names, weighed or by `--cascade classic`. */

import type { MetaCandidate, MetaField, Topic } from "../../../core/records.ts";
import { cut } from "../../parse/index.ts";
import { lists as listWeights, topics as topicWeights } from "../learned/topics.ts";
import type { MainText } from "../main-text.ts";
import { openingOf, type PageView, textOf } from "../page-view.ts";
import { likelihood, nothing } from "../weigh.ts";
import { normaliseTopic, topicKey, weighedRules } from "./normalise-topic.ts";
import { classicTopics } from "./topic-classic.ts";
import { declaredTopics, isFromHead } from "./topic-declared.ts";
import { topicLists } from "./topic-lists.ts";
import type { TopicList } from "./topic-names.ts";
import { parentsOf } from "./topic-parents.ts";
import { listClues, type TopicClue, type TopicContext, topicClues } from "./topic-signs.ts";
import { analyseTopics } from "./topic-words.ts";

/** Limit on the topics of a page. */
const MAX_TOPICS = 10;
/** Characters of the text in which names are searched for. */
const SAMPLE_LENGTH = 20_000;

/** Confidence of topics guessed from keywords. Authors rarely use them, so they are candidates only. */
const GUESSED_CONFIDENCE = 0.1;
/** Limit on rejected names; more come from menus. */
const MAX_REJECTED = 30;

/** `own` are topics that the user defined for the site: they come first and are always kept. */
export function topicsOf(
  page: PageView,
  main: MainText,
  own: readonly string[],
  cascade: "weighed" | "classic",
): MetaField<readonly Topic[]> {
  const text = storyOf(page, main);
  const found = cascade === "classic" ? classicTopics(page, text) : weighedTopics(page, text);
  const userTopics = distinct(
    own.map((name) => ({ name: name.trim(), sources: ["user"], confidence: 1 })).filter(({ name }) => name !== ""),
  );
  const all = distinct([...userTopics, ...found.taken]);
  const value = all.slice(0, Math.max(MAX_TOPICS, userTopics.length));
  const candidates = candidatesOf(distinct([...all, ...found.notTaken]).slice(value.length));
  if (value.length === 0) return { ...nothing, candidates };
  const confidence = value.reduce((sum, topic) => sum + topic.confidence, 0) / value.length;
  const sources = new Set(value.map((topic) => topic.sources[0]!));
  return { value: value.map(topicOf), source: [...sources].join("+"), confidence: round(confidence), candidates };
}

export interface FoundTopic {
  readonly name: string;
  /** Best first. */
  readonly sources: readonly string[];
  readonly confidence: number;
  readonly rejected?: string;
}

export interface FoundTopics {
  readonly taken: readonly FoundTopic[];
  readonly notTaken: readonly FoundTopic[];
}

function weighedTopics(page: PageView, text: string): FoundTopics {
  const context = contextOf(page, text);
  const foundLists = topicLists(page);
  const lists = listClues(foundLists, context);
  const weighed = topicClues(lists, listWeights, context)
    .map((clue) => ({ name: clue.name, sources: clue.sources, confidence: probabilityOf(clue), isSite: clue.signs.siteName === 1 }))
    .sort((a, b) => b.confidence - a.confidence);
  const { least, first, share } = topicWeights;
  const best = weighed[0]?.confidence ?? 0;
  const threshold = best < first ? first : Math.max(least, share * best);
  const likely = weighed.filter(({ confidence }) => confidence >= threshold);
  const declared = likely.length === 0 ? declaredTopics(lists) : undefined;
  const taken = declared ? weighed.filter(({ name, isSite }) => declared.taken.has(name) && !isSite).slice(0, MAX_TOPICS) : likely;
  const notTaken = weighed.filter((topic) => !taken.includes(topic)).slice(0, MAX_REJECTED);
  const unlikely = `confidence below ${threshold.toFixed(2)}`;
  const rejectionOf = ({ sources }: FoundTopic) => sources.map((source) => declared?.spam.get(source)).find((reason) => reason) ?? unlikely;
  const analysed = analyseTopics(text).map(({ name }) => ({ name, sources: ["content:analysis"], confidence: GUESSED_CONFIDENCE }));
  return {
    taken,
    notTaken: [...analysed, ...notTaken.map((topic) => ({ ...topic, rejected: rejectionOf(topic) })), ...invalidNames(foundLists)],
  };
}

/** Names that are not topics, with the reason. */
function invalidNames(lists: readonly TopicList[]): FoundTopic[] {
  const found: FoundTopic[] = [];
  for (const { source, names } of lists) {
    if (!isFromHead(source)) continue;
    for (const raw of names) {
      const topic = normaliseTopic(raw, weighedRules);
      if ("rejected" in topic && raw.trim() !== "" && found.length < MAX_REJECTED)
        found.push({ name: cut(raw.trim(), 60), sources: [source], confidence: 0, rejected: topic.rejected });
    }
  }
  return found;
}

export function contextOf({ url, metas, elements }: PageView, text: string): TopicContext {
  const titles = elements.filter(({ name }) => name === "title" || name === "h1").slice(0, 10);
  const title = [
    ...(metas.get("og:title") ?? []),
    ...titles.map((one) => (one.name === "h1" ? openingOf(one, 500) : String(one.children[0] ?? ""))),
  ];
  return {
    title: title.join(" | ").toLowerCase(),
    text: text.slice(0, SAMPLE_LENGTH).toLowerCase(),
    siteName: (metas.get("og:site_name")?.[0] ?? "").toLowerCase(),
    url,
  };
}

/** The main text; if there is none, the paragraphs. */
export function storyOf({ elements }: PageView, main: MainText): string {
  if (main.field.value !== null) return main.field.value;
  const parts: string[] = [];
  let length = 0;
  for (const element of elements) {
    if (element.name !== "p" || length > SAMPLE_LENGTH) continue;
    parts.push(textOf(element));
    length += parts.at(-1)!.length;
  }
  return parts.join("\n");
}

const probabilityOf = ({ name, signs }: TopicClue) => likelihood({ source: "", value: name, signs }, topicWeights);

const round = (value: number) => Math.round(value * 100) / 100;

const topicOf = ({ name, sources, confidence }: FoundTopic): Topic => ({
  name,
  source: sources.join("+"),
  confidence: round(confidence),
  parents: parentsOf(name),
});

/** Removes duplicates; the first spelling is kept. */
function distinct(topics: readonly FoundTopic[]): FoundTopic[] {
  const found = new Map<string, FoundTopic>();
  for (const topic of topics) {
    const key = topicKey(topic.name.toLowerCase());
    if (!found.has(key)) found.set(key, topic);
  }
  return [...found.values()];
}

/** The topics that were not taken, grouped by source and reason. */
function candidatesOf(notTaken: readonly FoundTopic[]): MetaCandidate<readonly Topic[]>[] {
  const groups = new Map<string, { source: string; value: Topic[]; rejected?: string }>();
  for (const topic of notTaken) {
    const { sources, rejected } = topic;
    const key = `${sources[0]} ${rejected ?? ""}`;
    const group = groups.get(key) ?? { source: sources[0]!, value: [], ...(rejected !== undefined && { rejected }) };
    groups.set(key, group);
    group.value.push(topicOf(topic));
  }
  return [...groups.values()];
}
