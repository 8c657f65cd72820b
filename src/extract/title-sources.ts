/** Every place of a page that may hold its title, as written. */
import type { HtmlElement } from "../parse/index.ts";
import { closest, type PageView, textOf } from "./page-view.ts";
import { plain } from "./same-words.ts";
import { textsIn } from "./schema-items.ts";
import { kindOf, syntaxOf } from "./schema-kind.ts";

export interface Reading {
  readonly source: string;
  readonly value: string;
  /** Where it stands, if people see it. */
  readonly element?: HtmlElement;
}

const metaNames = ["og:title", "twitter:title", "title", "dc.title", "dcterms.title", "parsely-title", "sailthru.title", "headline"];
const classy =
  /(?:^|[\s_-])(?:entry|post|article|page|story|blog|news|content|product|topic|thread|main|single)?[-_]*(?:title|headline|heading)(?:$|[\s_-])/i;
const boxes = new Set(["h1", "h2", "h3", "h4", "div", "p", "span", "a", "td"]);
const MAX_HEADINGS = 6;
/** A heading left open holds half of the page. */
const LONGEST = 1000;

export function titleReadings({ elements, metas, items }: PageView): Reading[] {
  const found: Reading[] = [];
  const counts = new Map<string, number>();
  const add = (source: string, value: string, element?: HtmlElement) => {
    const clean = plain(value.slice(0, LONGEST)).replace(/\s*[¶#§]$/, "");
    if (clean !== "") found.push({ source, value: clean, ...(element && { element }) });
  };
  const addFew = (source: string, others: string, element: HtmlElement) => {
    const count = counts.get(source) ?? 0;
    if (count >= MAX_HEADINGS) return;
    counts.set(source, count + 1);
    add(count === 0 ? source : others, textOf(element), element);
    if (source === "h1")
      for (const child of element.children) if (typeof child === "object" && child.name !== "a") add("h1:part", textOf(child), element);
  };
  let hasTitle = false;
  for (const element of elements) {
    const { name, attributes } = element;
    if (name === "h1") addFew("h1", "h1:later", element);
    else if (name === "h2") addFew("h2", "h2:later", element);
    else if (name === "title" && !hasTitle && closest(element, pictures) === undefined) {
      hasTitle = true;
      add("title", String(element.children[0] ?? ""));
    } else if (boxes.has(name) && attributes.class !== undefined && classy.test(attributes.class) && !element.hasBlock)
      addFew("class:title", "class:title", element);
    if (attributes.itemprop !== undefined && name !== "meta") {
      if (/(?:^|\s)headline(?:\s|$)/.test(attributes.itemprop)) addFew("itemprop:headline", "itemprop:headline", element);
      else if (/(?:^|\s)name(?:\s|$)/.test(attributes.itemprop) && /^h\d$/.test(name)) addFew("itemprop:name", "itemprop:name", element);
    }
  }
  for (const name of metaNames) for (const value of (metas.get(name) ?? []).slice(0, 1)) add(name === "title" ? "meta:title" : name, value);
  for (const item of items) {
    const kind = kindOf(item);
    for (const value of textsIn(item, "headline").slice(0, 1)) add(`${syntaxOf(item)}:headline`, value);
    if (kind !== "article" && kind !== "product" && kind !== "page") continue;
    for (const value of textsIn(item, "name").slice(0, 1)) add(`${syntaxOf(item)}:${kind}.name`, value);
  }
  return found;
}

const pictures = new Set(["svg"]);
