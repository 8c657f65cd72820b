/** Lists of links that name topics: below an article, above its headline, in a menu. */
import type { HtmlElement } from "../../parse/index.ts";
import { listClasses, topicClasses } from "../class-signs.ts";
import { openingOf, type PageView } from "../page-view.ts";
import { PatternSet } from "../pattern-set.ts";
import { isSameSlug } from "./normalise-topic.ts";
import { label, type TopicList } from "./topic-names.ts";

const tagHref =
  /\/(?:tags?|topics?|themen?|thema|keywords?|schlagwort|schlagworte|stichwort|stichworte|motcles?|mots?-cles?|etiquetas?|labels?|subjects?|hashtag|specials|dossiers?)[/:=]|[?&](?:tag|topic|keyword)=/i;
const categoryHref =
  /\/(?:category|categories|cat|categorie|categoria|kategorie|rubrik|rubrique|ressort|section|channel)[/:=]|[?&]cat(?:egory)?=/i;
const hrefPatterns = new PatternSet([tagHref, categoryHref]);
const MAX_NAME = 60;
/** Limit on the container's text that is compared with the links. */
const MAX_TEXT_LENGTH = 8000;
const MAX_LISTS = 60;
const MAX_LINKS = 200;

interface Group {
  readonly container: HtmlElement;
  readonly links: HtmlElement[];
  readonly names: string[];
  /** The number of links of each kind, by index of the kind. */
  readonly counts: number[];
  at: number;
}

/** Evidence that a link leads to a topic's page, as bits. */
const kinds = {
  relTag: 1,
  relCategory: 2,
  tagHref: 4,
  categoryHref: 8,
  tagClass: 16,
  categoryClass: 32,
  crumbClass: 64,
  slugHref: 128,
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

const classKinds = [
  [topicClasses.bits.tags, kinds.tagClass],
  [topicClasses.bits.categories, kinds.categoryClass],
  [topicClasses.bits.crumbs, kinds.crumbClass],
] as const;

export function linkedTopics({ elements, url }: PageView): TopicList[] {
  const marksCache: MarksCache = new Map();
  const groups = groupsOf(elements, marksCache);
  const headline = elements.findIndex(({ name }) => name === "h1");
  const shapes = new Map<string, number>();
  for (const { container } of groups) shapes.set(shapeOf(container), (shapes.get(shapeOf(container)) ?? 0) + 1);
  const seen = new Set<string>();
  const isFirst = ({ container }: Group) => seen.size < seen.add(shapeOf(container)).size;
  const isExternal = externalLinkTest(url);
  return groups.slice(0, MAX_LISTS).map((group) => ({
    source: sourceOf(group),
    names: group.names,
    signs: {
      ...signsOf(group),
      elsewhere: group.links.filter(({ attributes }) => isExternal(attributes.href!)).length / group.links.length,
      afterHeadline: headline >= 0 && group.at > headline ? 1 : 0,
      nearHeadline: headline >= 0 && Math.abs(group.at - headline) < 30 ? 1 : 0,
      late: group.at / elements.length,
      first: isFirst(group) ? 1 : 0,
      repeated: shapes.get(shapeOf(group.container))! > 2 ? 1 : 0,
    },
  }));
}

const shapeOf = ({ name, attributes }: HtmlElement) => `${name} ${attributes.class?.slice(0, 40) ?? ""}`;

function groupsOf(elements: readonly HtmlElement[], marksCache: MarksCache): Group[] {
  const groups = new Map<HtmlElement, Group>();
  for (let at = 0; at < elements.length; at += 1) {
    const element = elements[at]!;
    if (element.name !== "a" || !element.attributes.href) continue;
    let found = kindsOf(element, marksCache);
    if (found === 0) continue;
    const name = openingOf(element, MAX_NAME + 1);
    if (name === "" || name.length > MAX_NAME) continue;
    if (isNameInUrl(element.attributes.href, name)) found |= kinds.slugHref;
    const container = containerOf(element);
    let group = groups.get(container);
    if (group === undefined) {
      group = { container, links: [], names: [], counts: kindNames.map(() => 0), at };
      groups.set(container, group);
    }
    if (group.links.length >= MAX_LINKS) continue;
    group.links.push(element);
    group.names.push(name);
    for (let kind = 0; found >> kind !== 0; kind += 1) group.counts[kind]! += (found >> kind) & 1;
  }
  return [...groups.values()];
}

/** Per-page cache of the bits for classes and ids: adjacent links have the same ancestors. */
type MarksCache = Map<HtmlElement, number>;

const classMarksOf = ({ attributes }: HtmlElement): number =>
  topicClasses.matchesOf(attributes.class) | topicClasses.matchesOf(attributes.id);

function cachedMarksOf(element: HtmlElement, marksCache: MarksCache): number {
  let classMarks = marksCache.get(element);
  if (classMarks === undefined) {
    classMarks = classMarksOf(element);
    marksCache.set(element, classMarks);
  }
  return classMarks;
}

/** Returns a test for links to other sites: a topic's page is on the same site. */
function externalLinkTest(url: string): (href: string) => boolean {
  const siteOf = (href: string) => {
    const host = URL.canParse(href, url) ? new URL(href, url).hostname : undefined;
    return host?.split(".").slice(-2).join(".");
  };
  const own = siteOf(url);
  const known = new Map<string, string | undefined>();
  return (href) => {
    const host = absolute.exec(href)?.[0];
    if (host === undefined || own === undefined) return false;
    const site = known.has(host) ? known.get(host) : siteOf(host);
    known.set(host, site);
    return site !== undefined && site !== own;
  };
}

/** The scheme and host of an absolute address. */
const absolute = /^(?:https?:)?\/\/[/\\]*[^/\\?#]*/i;

const whole = new Set(["article", "body", "main", "html"]);

function kindsOf(element: HtmlElement, marksCache: MarksCache): number {
  const { rel = "", href = "" } = element.attributes;
  let found = 0;
  if (rel !== "" && /\btag\b/i.test(rel)) found = /category/i.test(rel) ? kinds.relCategory : kinds.relTag;
  const hrefMatches = hrefPatterns.matching(href);
  if ((hrefMatches & 1) !== 0) found |= kinds.tagHref;
  if ((hrefMatches & 2) !== 0) found |= kinds.categoryHref;
  let around = classMarksOf(element);
  let at = element.parent;
  for (let up = 1; up < 4 && at !== undefined && !whole.has(at.name); up += 1) {
    around |= cachedMarksOf(at, marksCache);
    at = at.parent;
  }
  for (const [classMarks, kind] of classKinds) if ((around & classMarks) !== 0) found |= kind;
  return found;
}

/** The address of a topic's page ends with its name: `/politics/jane-doe/` for "Jane Doe". */
function isNameInUrl(href: string, name: string): boolean {
  const last = lastPart(href.slice(0, 300));
  return last !== undefined && last.length > 2 && isSameSlug(last.replace(/\.html?$/i, ""), name);
}

/** The last segment of the path, or of the query or fragment if the path has none. */
function lastPart(href: string): string | undefined {
  const query = href.search(/[?#]/);
  const end = query < 0 ? href.length : query;
  const last = href[end - 1] === "/" ? end - 1 : end;
  const start = href.lastIndexOf("/", last - 1) + 1;
  return start < last ? href.slice(start, last) : /([^/?#]+)\/?(?:[?#].*)?$/.exec(href)?.[1];
}

/** The element that contains the list. For a link alone in its list item or span, this is the element around that. */
function containerOf(link: HtmlElement): HtmlElement {
  let at = link.parent ?? link;
  for (let up = 0; up < 2 && at.parent !== undefined && wrappers.has(at.name); up += 1) {
    if (hasSeveralChildren(at)) break;
    at = at.parent;
  }
  return at;
}

const wrappers = new Set(["li", "span", "div", "b", "strong", "em", "dd"]);

function hasSeveralChildren({ children }: HtmlElement): boolean {
  let count = 0;
  for (const child of children) {
    if (typeof child === "object" && child.name !== "svg") count += 1;
    if (count > 1) return true;
  }
  return false;
}

const countOf = ({ counts }: Group, kind: Kind): number => counts[kindNames.indexOf(kind)]!;

function sourceOf(group: Group): string {
  const isMostly = (kind: Kind) => countOf(group, kind) * 2 >= group.links.length;
  if (isMostly("relTag")) return "rel=tag";
  if (isMostly("relCategory")) return "rel=category";
  if (isMostly("crumbClass")) return "breadcrumb";
  if (isMostly("tagHref")) return "a[href*=/tag/]";
  if (isMostly("categoryHref")) return "a[href*=/category/]";
  return isMostly("tagClass") ? "html:tags" : "html:categories";
}

const parts = new Set(["nav", "aside", "header", "footer", "article", "main"]);

function signsOf(group: Group): Record<string, number> {
  const { container, links, names } = group;
  const share = (kind: Kind) => countOf(group, kind) / links.length;
  const whole = openingOf(container, MAX_TEXT_LENGTH);
  const letters = names.reduce((sum, { length }) => sum + length, 0);
  const signs: Record<string, number> = {
    tagHref: share("tagHref"),
    categoryHref: share("categoryHref"),
    slugHref: share("slugHref"),
    tagClass: share("tagClass"),
    categoryClass: share("categoryClass"),
    dense: Math.min(1, letters / Math.max(1, whole.length)),
    inline: container.name === "p" && letters * 2 < whole.length ? 1 : 0,
    labelled: label.test(whole) && !label.test(names[0]!) ? 1 : 0,
  };
  let up = 0;
  for (let at: HtmlElement | undefined = container; at !== undefined; at = at.parent, up += 1) {
    const around = listClasses.matchesOf(at.attributes.class) | listClasses.matchesOf(at.attributes.id);
    if (parts.has(at.name)) signs[`in:${at.name}`] = 1;
    if (up < 6 && (around & listClasses.bits.cloud) !== 0) signs.cloud = 1;
    if (at.name !== "body" && (around & listClasses.bits.story) !== 0) signs.story = 1;
  }
  return signs;
}
