/** All lists of topics on a page: in its head, its structured data and its links, each with signs. */
import type { PageView } from "../page-view.ts";
import type { SchemaItem, SchemaValue } from "../structured/schema-items.ts";
import { linkedTopics } from "./topic-links.ts";
import { markedTopics } from "./topic-marks.ts";
import { MAX_NAMES, splitNames, type TopicList } from "./topic-names.ts";

export function topicLists(page: PageView): TopicList[] {
  return [...metaLists(page), ...schemaLists(page.items), ...linkedTopics(page), ...markedTopics(page)];
}

const metaSources = new Map([
  ["keywords", "meta:keywords"],
  ["news_keywords", "news_keywords"],
  ["article:tag", "article:tag"],
  ["og:article:tag", "article:tag"],
  ["parsely-tags", "parsely-tags"],
  ["sailthru.tags", "sailthru.tags"],
  ["dc.subject", "dc.subject"],
  ["dc:subject", "dc.subject"],
  ["dcterms.subject", "dc.subject"],
  ["article:section", "article:section"],
  ["og:article:section", "article:section"],
  ["section", "article:section"],
  ["category", "article:section"],
  ["og:section", "article:section"],
]);

function metaLists({ metas }: PageView): TopicList[] {
  const lists: TopicList[] = [];
  for (const [name, values] of metas) {
    const source = metaSources.get(name) ?? (/[:._-](?:tags?|keywords?|topics?|subjects?)$/.test(name) ? "meta:tags" : undefined);
    if (source !== undefined) lists.push({ source, names: splitNames(values), signs: {} });
  }
  return lists;
}

const MAX_DEPTH = 6;

function schemaLists(items: readonly SchemaItem[]): TopicList[] {
  const found = new Map<string, string[]>();
  const addNames = (source: string, values: readonly SchemaValue[] | undefined) => {
    const known = found.get(source) ?? [];
    if (known.length >= MAX_NAMES) return;
    const names = values?.flatMap((value) => (typeof value === "string" ? [value] : (value.properties.get("name") ?? [])));
    const texts = names?.filter((name) => typeof name === "string") ?? [];
    if (texts.length > 0) found.set(source, [...known, ...texts]);
  };
  const visit = (item: SchemaItem, depth: number) => {
    for (const [name, values] of item.properties) {
      const source = schemaSources.get(name);
      if (source !== undefined) addNames(item.syntax === "jsonld" ? source : source.replace("ld:", "itemprop:"), values);
      else if (depth < MAX_DEPTH) for (const value of values) if (typeof value !== "string") visit(value, depth + 1);
    }
  };
  for (const item of items) visit(item, 0);
  return [...found].map(([source, names]) => ({ source, names: splitNames(names), signs: {} }));
}

const schemaSources = new Map([
  ["keywords", "ld:keywords"],
  ["about", "ld:about"],
  ["mentions", "ld:mentions"],
  ["articleSection", "ld:articleSection"],
  ["genre", "ld:genre"],
]);
