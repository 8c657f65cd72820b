/** Tags and categories that a page marks by class without linking them. */
import type { HtmlElement } from "../../parse/index.ts";
import type { PageView } from "../page-view.ts";
import { itemsIn, linksIn, MAX_NAMES, type TopicList } from "./topic-names.ts";

const MAX_NAME = 60;
const classes = new Map([
  ["tag", "html:tags"],
  ["tags", "html:tags"],
  ["keywords", "html:tags"],
  ["category", "html:categories"],
  ["categories", "html:categories"],
]);
const excludedTags = new Set(["nav", "aside", "footer", "button", "form"]);
const names = new Set(["span", "div", "p", "ul", "ol", "dl", "dd", "li", "small", "em", "strong", "b"]);
/** A page with more marked elements than this is a list of other pages. */
const MAX_MARKED = 20;

/** Elements marked as tags or categories without links inside; links are read in `topic-links.ts`. */
export function markedTopics({ elements }: PageView): TopicList[] {
  const found = new Map<HtmlElement, { readonly source: string; readonly names: string[]; readonly element: HtmlElement }>();
  let marked = 0;
  for (const element of elements) {
    const source = topicSourceOf(element);
    if (source === undefined) continue;
    marked += 1;
    if (marked > MAX_MARKED) return [];
    const container = element.parent ?? element;
    if (topicSourceOf(container) !== undefined || linksIn(element).length > 0 || isInside(element, excludedTags)) continue;
    const list = found.get(container) ?? { source, names: [], element };
    found.set(container, list);
    list.names.push(...itemsIn(element).filter((name) => name.length <= MAX_NAME));
  }
  return [...found.values()].map((list) => ({
    source: list.source,
    names: list.names.slice(0, MAX_NAMES),
    signs: { dense: 1, unlinked: 1, ...(isInside(list.element, article) && { "in:article": 1, story: 1 }) },
  }));
}

const article = new Set(["article"]);

function topicSourceOf({ name, attributes }: HtmlElement): string | undefined {
  if (attributes.class === undefined || !names.has(name)) return undefined;
  for (const one of attributes.class.split(/\s+/)) {
    const source = classes.get(one);
    if (source !== undefined) return source;
  }
  return undefined;
}

/** `<span class="category"><a …>`: if a whole card is a link, the marked element is inside it. */
function isInside(element: HtmlElement, tags: ReadonlySet<string>): boolean {
  for (let at = element.parent; at !== undefined; at = at.parent)
    if (tags.has(at.name) || (tags === excludedTags && at.name === "a")) return true;
  return false;
}
