/** Tags and categories that a page marks by class without linking them. */
import type { HtmlElement } from "../parse/index.ts";
import type { PageView } from "./page-view.ts";
import { itemsIn, linksIn, MOST_NAMES, type TopicList } from "./topic-names.ts";

const MAX_NAME = 60;
const classes = new Map([
  ["tag", "html:tags"],
  ["tags", "html:tags"],
  ["keywords", "html:tags"],
  ["category", "html:categories"],
  ["categories", "html:categories"],
]);
const apart = new Set(["nav", "aside", "footer", "button", "form"]);
const names = new Set(["span", "div", "p", "ul", "ol", "dl", "dd", "li", "small", "em", "strong", "b"]);
/** A page with more marked elements than this is a list of other pages. */
const MOST_MARKED = 20;

/** Elements marked as tags or categories without links inside; links are read in `topic-links.ts`. */
export function markedTopics({ elements }: PageView): TopicList[] {
  const found = new Map<HtmlElement, { readonly source: string; readonly names: string[]; readonly element: HtmlElement }>();
  let marked = 0;
  for (const element of elements) {
    const source = markedAs(element);
    if (source === undefined) continue;
    marked += 1;
    if (marked > MOST_MARKED) return [];
    const around = element.parent ?? element;
    if (markedAs(around) !== undefined || linksIn(element).length > 0 || isIn(element, apart)) continue;
    const list = found.get(around) ?? { source, names: [], element };
    found.set(around, list);
    list.names.push(...itemsIn(element).filter((name) => name.length <= MAX_NAME));
  }
  return [...found.values()].map((list) => ({
    source: list.source,
    names: list.names.slice(0, MOST_NAMES),
    signs: { dense: 1, unlinked: 1, ...(isIn(list.element, article) && { "in:article": 1, story: 1 }) },
  }));
}

const article = new Set(["article"]);

function markedAs({ name, attributes }: HtmlElement): string | undefined {
  if (attributes.class === undefined || !names.has(name)) return undefined;
  for (const one of attributes.class.split(/\s+/)) {
    const source = classes.get(one);
    if (source !== undefined) return source;
  }
  return undefined;
}

/** `<span class="category"><a …>`: if a whole card is a link, the marked element is inside it. */
function isIn(element: HtmlElement, these: ReadonlySet<string>): boolean {
  for (let at = element.parent; at !== undefined; at = at.parent)
    if (these.has(at.name) || (these === apart && at.name === "a")) return true;
  return false;
}
