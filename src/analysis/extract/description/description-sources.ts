/** All candidates for a page's description, as written. */
import type { HtmlElement } from "../../parse/index.ts";
import { headClasses } from "../class-signs.ts";
import { plainText } from "../comparison-key.ts";
import { partOf } from "../page-parts.ts";
import { type PageView, textOf } from "../page-view.ts";
import { textsIn } from "../structured/schema-items.ts";
import { kindOf, syntaxOf } from "../structured/schema-kind.ts";
import type { Reading } from "../title/title-sources.ts";

const metaNames: readonly (readonly [name: string, source: string])[] = [
  ["og:description", "og:description"],
  ["twitter:description", "twitter:description"],
  ["description", "meta:description"],
  ["dc.description", "dc.description"],
  ["dcterms.description", "dc.description"],
  ["dcterms.abstract", "dc.description"],
  ["sailthru.description", "sailthru.description"],
  ["abstract", "meta:abstract"],
];
const leadTags = new Set(["p", "div", "h2", "h3", "h4", "span", "section"]);
const paragraphs = new Set(["p", "div", "section", "td", "blockquote"]);
const MAX_LEADS = 4;
const MAX_TRIES = 100;
const MAX_ITEMS = 20;
const MIN_LONG_TEXT = 60;
/** Longer than any description, and enough to compare beginnings. */
const MAX_LENGTH = 3000;

export function descriptionReadings(page: PageView): Reading[] {
  const { metas, items } = page;
  const found: Reading[] = [];
  const add = (source: string, value: string, element?: HtmlElement) => {
    const clean = cleaned(plainText(value.slice(0, MAX_LENGTH)));
    if (clean !== "") found.push({ source, value: clean, ...(element && { element }) });
  };
  for (const [name, source] of metaNames) for (const value of (metas.get(name) ?? []).slice(0, 2)) add(source, value);
  for (const item of items.slice(0, MAX_ITEMS)) {
    const kind = kindOf(item);
    if (kind === "site" || kind === "publisher") continue;
    for (const value of textsIn(item, "description").slice(0, 1))
      add(`${syntaxOf(item)}:${kind === "other" ? "other." : ""}description`, value);
  }
  addVisible(page, add);
  return found;
}

const invitation =
  /(?:[\s.…[(]{1,5})(?:continue reading|read (?:more|on|the (?:full|rest))|weiterlesen|mehr lesen|lire (?:la suite|plus)|leer más|seguir leyendo|continua a leggere|lees (?:meer|verder)|czytaj (?:dalej|więcej))\b.{0,60}$/i;

/** Removes a final invitation to read on, and the space that markup leaves before a comma. */
function cleaned(text: string): string {
  const spaced = / [,;.]/.test(text) ? text.replace(/ ([,;.])(?= |$)/g, "$1") : text;
  const start = Math.max(0, spaced.length - MAX_INVITATION_LENGTH);
  return invitation.test(spaced.slice(start)) ? spaced.slice(0, start) + spaced.slice(start).replace(invitation, "…") : spaced;
}

/** Longer than any match of `invitation`; only the end of the text is searched. */
const MAX_INVITATION_LENGTH = 100;

/** Visible candidates: a standfirst and the first paragraphs. */
function addVisible({ elements }: PageView, add: (source: string, value: string, element?: HtmlElement) => void): void {
  const hasArticle = elements.some(({ name }) => name === "article");
  const remaining = new Map(Object.entries({ itemprop: 2, lead: MAX_LEADS, first: 1, long: 2, tries: MAX_TRIES }));
  const takeOne = (what: string) => {
    const count = remaining.get(what)!;
    if (count > 0) remaining.set(what, count - 1);
    return count > 0;
  };
  for (const element of elements) {
    const { name, attributes } = element;
    if (attributes.itemprop === "description" && name !== "meta" && takeOne("itemprop"))
      add("itemprop:description", textOf(element), element);
    if (
      attributes.class !== undefined &&
      leadTags.has(name) &&
      (headClasses.matchesOf(attributes.class) & headClasses.bits.lead) !== 0 &&
      takeOne("lead") &&
      partOf(element) !== "aside"
    )
      add("class:lead", textOf(element), element);
    if (name === "p" && remaining.get("first") === 1 && element.children.length > 0 && (!hasArticle || isWithin(element, "article"))) {
      const text = textOf(element);
      if (text !== "" && takeOne("first")) add("p", text, element);
    }
    if (remaining.get("long") === 0 || element.hasBlock || !paragraphs.has(name) || !mayBeLong(element)) continue;
    if (!takeOne("tries") || partOf(element) === "aside") continue;
    const text = textOf(element);
    if (text.length >= MIN_LONG_TEXT && takeOne("long")) add(remaining.get("long") === 1 ? "p:long" : "p:later", text, element);
  }
}

/** Skips most short blocks before their text is collected. */
const mayBeLong = ({ children }: HtmlElement): boolean =>
  children.some((child) => (typeof child === "string" ? child.length > MIN_LONG_TEXT / 2 : child.children.length > 0));

function isWithin(element: HtmlElement, name: string): boolean {
  for (let at = element.parent; at !== undefined; at = at.parent) if (at.name === name) return true;
  return false;
}
