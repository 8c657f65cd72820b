/** Where a page names topics: lists in its head, in its data for machines, in its links; each list with what speaks for it. */
import type { HtmlElement } from "../parse/index.ts";
import type { PageView } from "./page-view.ts";
import type { SchemaItem, SchemaValue } from "./schema-items.ts";
import { linkedTopics } from "./topic-links.ts";

export interface TopicList {
  readonly source: string;
  readonly names: readonly string[];
  readonly signs: Readonly<Record<string, number>>;
}

/** Pages with more than this many names in one place are no worse for what we leave out. */
const MOST_NAMES = 200;

export function topicLists(page: PageView): TopicList[] {
  return [...metaLists(page), ...itempropLists(page.elements), ...schemaLists(page.items), ...linkedTopics(page)];
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

/** S2's source: whatever carries the keywords of schema.org's microdata. */
function itempropLists(elements: readonly HtmlElement[]): TopicList[] {
  const names = elements
    .filter(({ attributes }) => attributes.itemprop?.toLowerCase() === "keywords")
    .map(({ attributes, children }) => attributes.content ?? children.filter((child) => typeof child === "string").join(" "));
  return names.length === 0 ? [] : [{ source: "itemprop:keywords", names: splitNames(names), signs: {} }];
}

const MAX_DEPTH = 6;

function schemaLists(items: readonly SchemaItem[]): TopicList[] {
  const found = new Map<string, string[]>();
  const take = (source: string, values: readonly SchemaValue[] | undefined) => {
    const names = values?.flatMap((value) => (typeof value === "string" ? [value] : (value.properties.get("name") ?? [])));
    const texts = names?.filter((name) => typeof name === "string") ?? [];
    if (texts.length > 0) found.set(source, [...(found.get(source) ?? []), ...texts]);
  };
  const visit = (item: SchemaItem, depth: number) => {
    for (const [name, values] of item.properties) {
      const source = schemaSources.get(name);
      if (source !== undefined) take(source, values);
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

export const splitNames = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.slice(0, 5000).split(/[,;|\n،、，；]/)).slice(0, MOST_NAMES);
