/** `--cascade classic` for topics: all sources in a fixed order with strict spelling rules; topics found in the text come last. */
import type { HtmlElement } from "../../parse/index.ts";
import { openingOf, type PageView } from "../page-view.ts";
import { classicRules, normaliseTopic, topicKey } from "./normalise-topic.ts";
import { namesWithin, splitNames } from "./topic-names.ts";
import { analyseTopics } from "./topic-words.ts";
import type { FoundTopic, FoundTopics } from "./topics.ts";

/** Longer text is not a list. */
const MAX_LENGTH = 1000;

export function classicTopics(page: PageView, text: string): FoundTopics {
  const found = new Map<string, { name: string; sources: string[] }>();
  const add = (source: string, name: string) => {
    const known = found.get(topicKey(name));
    if (known === undefined) found.set(topicKey(name), { name, sources: [source] });
    else if (!known.sources.includes(source)) known.sources.push(source);
  };
  for (const [source, names] of namesBySource(page)) {
    for (const raw of names) {
      const topic = normaliseTopic(raw, classicRules);
      if ("name" in topic) add(source, topic.name);
    }
  }
  for (const word of urlWords(page.url)) if (word.isTopic || found.has(topicKey(word.name))) add("url:path", word.name);
  // Names from text analysis skip the spelling rules: "ai" would be too short.
  for (const { name } of analyseTopics(text)) add("content:analysis", name);
  return { taken: [...found.values()].map((topic): FoundTopic => ({ ...topic, confidence: 1 })), notTaken: [] };
}

function namesBySource({ metas, elements }: PageView): [source: string, names: readonly string[]][] {
  const itemprops = elements.filter(({ attributes }) => attributes.itemprop?.toLowerCase() === "keywords");
  const marked = elements.filter(isTopicElement);
  const keywords = elements.filter(({ name, attributes }) => name === "meta" && attributes.name?.toLowerCase() === "keywords");
  return [
    ["meta:keywords", splitNames(keywords.map(({ attributes }) => attributes.content ?? ""))],
    ["article:tag", splitNames(metas.get("article:tag") ?? [])],
    ["itemprop:keywords", splitNames(itemprops.map((element) => element.attributes.content ?? openingOf(element, MAX_LENGTH)))],
    ["html:tags", marked.flatMap(namesWithin)],
  ];
}

const classes = new Set(["tag", "tags", "category", "categories"]);

/** `.tag, .tags, .category, .categories, [rel="tag"]` */
const isTopicElement = ({ attributes }: HtmlElement): boolean =>
  attributes.rel === "tag" || (attributes.class?.split(/\s+/).some((name) => classes.has(name)) ?? false);

/** Path segments that name the kind of page, not its subject. */
const kinds = new Set(
  "blog blogs post posts article articles news page pages index home tag tags category categories topic topics archive archives story stories content item view show read detail en de fr es it pt nl www".split(
    " ",
  ),
);

/**
 * A path segment of one word names a topic; the words of a longer one (`react-tutorial`) only confirm topics. On a home
 * page the host is used instead.
 */
function urlWords(url: string): { readonly name: string; readonly isTopic: boolean }[] {
  if (!URL.canParse(url)) return [];
  const { pathname, hostname } = new URL(url);
  const parts = pathname.split("/").filter((part) => part !== "");
  const names =
    parts.length > 0 ? parts.map((part) => part.replace(/\.[a-z]{2,5}$/i, "")) : [hostname.replace(/^www\./, "").split(".")[0]!];
  return names.slice(0, 20).flatMap((part) => {
    const words = part.toLowerCase().split(/[-_+]/);
    const isTopic = words.length === 1 && !kinds.has(part.toLowerCase()) && !/\d|%/.test(part);
    return words.flatMap((word) => {
      const topic = normaliseTopic(word, classicRules);
      return "name" in topic ? [{ name: topic.name, isTopic }] : [];
    });
  });
}
