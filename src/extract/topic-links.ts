/** Lists of links that name topics: under an article, in its head line, in a menu. */
import type { HtmlElement } from "../parse/index.ts";
import { byText } from "./by-text.ts";
import { isSameSlug } from "./normalise-topic.ts";
import { openingOf, type PageView } from "./page-view.ts";
import { PatternSet } from "./pattern-set.ts";
import type { TopicList } from "./topic-lists.ts";

const tagHref =
  /\/(?:tags?|topics?|themen?|thema|keywords?|schlagwort|schlagworte|stichwort|stichworte|motcles?|mots?-cles?|etiquetas?|labels?|subjects?|hashtag|specials|dossiers?)[/:=]|[?&](?:tag|topic|keyword)=/i;
const categoryHref =
  /\/(?:category|categories|cat|categorie|categoria|kategorie|rubrik|rubrique|ressort|section|channel)[/:=]|[?&]cat(?:egory)?=/i;
const hrefPatterns = new PatternSet([tagHref, categoryHref]);
const tagClass =
  /(?:(?<![a-z])tag|Tag)(?:s|ged|list|links?|items?)?(?![a-z])|(?:(?<![a-z])(?:topic|theme|keyword|label|subject|hashtag)|Topic|Theme|Keyword|Label|Subject|Hashtag)s?(?![a-z])|(?<![a-z])(?:themen|thema|schlagw|stichw|mots?-?cles?|etiquet|taxonomy)/;
const categoryClass =
  /(?:(?<![a-z])categor|Categor)(?:y|ies|ie|ia|ias)|(?<![a-z])cats?(?![a-z])|(?<![a-z])cat-links|rubri[kq]|ressort|kicker|eyebrow/i;
const crumbClass = /bread-?crumb/i;
const cloudClass =
  /cloud|widget|trending|popular|sidebar|related|recommend|footer|menu|(?<![a-z])nav|megamenu|teaser|(?<![a-z])card|promo|header-/i;
const storyClass = /(?<![a-z])(?:article|entry|post|story|content|hentry|single|news-?detail)/i;
/** What stands before a list of tags, in the languages most pages are in. */
const label =
  /^\W*(?:tags?|topics?|related topics|filed under|keywords?|more on|themen?|schlagw\p{L}*|stichw\p{L}*|mehr zum thema|kategorien?|categor\p{L}*|mots[- ]cl\p{L}*|étiquettes?|etiquetas|temas|argomenti|taggar|emner|onderwerpen|trefwoorden|tagi|теги|метки|etiketler|タグ|标签|posted in|abgelegt unter|veröffentlicht in)\b/iu;

const MAX_NAME = 60;
/** So much of what stands around a list's links is looked at. */
const LONGEST = 8000;
const MOST_LISTS = 60;
const MOST_LINKS = 200;

interface Group {
  readonly container: HtmlElement;
  readonly links: HtmlElement[];
  readonly names: string[];
  readonly kinds: Map<string, number>;
  at: number;
}

export function linkedTopics({ elements, url }: PageView): TopicList[] {
  const sayings: Sayings = new Map();
  const groups = groupsOf(elements, sayings);
  const headline = elements.findIndex(({ name }) => name === "h1");
  const shapes = new Map<string, number>();
  for (const { container } of groups) shapes.set(shapeOf(container), (shapes.get(shapeOf(container)) ?? 0) + 1);
  const seen = new Set<string>();
  const isFirst = ({ container }: Group) => seen.size < seen.add(shapeOf(container)).size;
  return groups.slice(0, MOST_LISTS).map((group) => ({
    source: sourceOf(group),
    names: group.names,
    signs: {
      ...signsOf(group, sayings),
      elsewhere: group.links.filter(({ attributes }) => leaves(attributes.href, url)).length / group.links.length,
      afterHeadline: headline >= 0 && group.at > headline ? 1 : 0,
      nearHeadline: headline >= 0 && Math.abs(group.at - headline) < 30 ? 1 : 0,
      late: group.at / elements.length,
      first: isFirst(group) ? 1 : 0,
      repeated: shapes.get(shapeOf(group.container))! > 2 ? 1 : 0,
    },
  }));
}

const shapeOf = ({ name, attributes }: HtmlElement) => `${name} ${attributes.class?.slice(0, 40) ?? ""}`;

function groupsOf(elements: readonly HtmlElement[], sayings: Sayings): Group[] {
  const groups = new Map<HtmlElement, Group>();
  for (let at = 0; at < elements.length; at += 1) {
    const element = elements[at]!;
    if (element.name !== "a" || !element.attributes.href) continue;
    const kinds = kindsOf(element, sayings);
    if (kinds.length === 0) continue;
    const name = openingOf(element, MAX_NAME + 1);
    if (name === "" || name.length > MAX_NAME) continue;
    if (isSpelledOut(element.attributes.href, name)) kinds.push("slugHref");
    const container = containerOf(element);
    const group: Group = groups.get(container) ?? { container, links: [], names: [], kinds: new Map(), at };
    groups.set(container, group);
    if (group.links.length >= MOST_LINKS) continue;
    group.links.push(element);
    group.names.push(name);
    for (const kind of kinds) group.kinds.set(kind, (group.kinds.get(kind) ?? 0) + 1);
  }
  return [...groups.values()];
}

const kindsOfClass = [
  ["tagClass", tagClass],
  ["categoryClass", categoryClass],
  ["crumbClass", crumbClass],
  ["cloud", cloudClass],
  ["story", storyClass],
] as const;

const classPatterns = new PatternSet(kindsOfClass.map(([, pattern]) => pattern));
const saidIn = byText((words): readonly string[] => {
  const said = classPatterns.matching(words);
  return said === 0 ? nothingSaid : kindsOfClass.filter((_, at) => ((said >> at) & 1) === 1).map(([kind]) => kind);
});
const nothingSaid: readonly string[] = [];

/** What an element's classes and id say of it. */
function saidBy({ attributes: { class: classes = "", id = "" } }: HtmlElement): readonly string[] {
  if (id !== "") return saidIn(`${classes} ${id}`.slice(0, 300));
  return classes === "" ? nothingSaid : saidIn(classes.slice(0, 300));
}

/** By element, for one page: links that stand together ask for the same elements around them. */
type Sayings = Map<HtmlElement, readonly string[]>;

function rememberedOf(element: HtmlElement, sayings: Sayings): readonly string[] {
  let said = sayings.get(element);
  if (said === undefined) {
    said = saidBy(element);
    sayings.set(element, said);
  }
  return said;
}

/** A topic's page is on the same site. */
function leaves(href: string | undefined, url: string): boolean {
  if (href === undefined || !/^(?:https?:)?\/\//i.test(href) || !URL.canParse(href, url) || !URL.canParse(url)) return false;
  const site = (host: string) => host.split(".").slice(-2).join(".");
  return site(new URL(href, url).hostname) !== site(new URL(url).hostname);
}

const whole = new Set(["article", "body", "main", "html"]);

function kindsOf(element: HtmlElement, sayings: Sayings): string[] {
  const { rel = "", href = "" } = element.attributes;
  const kinds: string[] = [];
  if (rel !== "" && /\btag\b/i.test(rel)) kinds.push(/category/i.test(rel) ? "rel=category" : "rel=tag");
  const leads = hrefPatterns.matching(href);
  if ((leads & 1) !== 0) kinds.push("tagHref");
  if ((leads & 2) !== 0) kinds.push("categoryHref");
  let at: HtmlElement | undefined = element;
  for (let up = 0; up < 4 && at !== undefined && !whole.has(at.name); up += 1) {
    for (const kind of rememberedOf(at, sayings)) if (kind.endsWith("Class")) kinds.push(kind);
    at = at.parent;
  }
  return kinds.length < 2 ? kinds : [...new Set(kinds)];
}

/** A topic's page is called after it: `/politics/jane-doe/` says "Jane Doe". */
function isSpelledOut(href: string, name: string): boolean {
  const last = /([^/?#]+)\/?(?:[?#].*)?$/.exec(href.slice(0, 300))?.[1];
  return last !== undefined && last.length > 2 && isSameSlug(last.replace(/\.html?$/i, ""), name);
}

/** The element that holds a list's links: a link that stands alone in its list item or its span is asked for its grandparent. */
function containerOf(link: HtmlElement): HtmlElement {
  let at = link.parent ?? link;
  for (let up = 0; up < 2 && at.parent !== undefined && /^(?:li|span|div|b|strong|em|dd)$/.test(at.name); up += 1) {
    if (holdsMore(at)) break;
    at = at.parent;
  }
  return at;
}

function holdsMore({ children }: HtmlElement): boolean {
  let count = 0;
  for (const child of children) {
    if (typeof child === "object" && child.name !== "svg") count += 1;
    if (count > 1) return true;
  }
  return false;
}

function sourceOf({ kinds, links }: Group): string {
  const most = (kind: string) => (kinds.get(kind) ?? 0) * 2 >= links.length;
  if (most("rel=tag")) return "rel=tag";
  if (most("rel=category")) return "rel=category";
  if (most("crumbClass")) return "breadcrumb";
  if (most("tagHref")) return "a[href*=/tag/]";
  if (most("categoryHref")) return "a[href*=/category/]";
  return most("tagClass") ? "html:tags" : "html:categories";
}

const parts = new Set(["nav", "aside", "header", "footer", "article", "main"]);

function signsOf({ container, links, names, kinds }: Group, sayings: Sayings): Record<string, number> {
  const share = (kind: string) => (kinds.get(kind) ?? 0) / links.length;
  const whole = openingOf(container, LONGEST);
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
    const said = rememberedOf(at, sayings);
    if (parts.has(at.name)) signs[`in:${at.name}`] = 1;
    if (up < 6 && said.includes("cloud")) signs.cloud = 1;
    if (at.name !== "body" && said.includes("story")) signs.story = 1;
  }
  return signs;
}
