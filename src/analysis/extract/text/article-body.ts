/** The article body from JSON-LD. It is the main text if the page shows none: a shell filled by scripts, or a page behind a wall. */
import { type HtmlElement, readTree, tidy } from "../../parse/index.ts";
import type { SchemaItem } from "../structured/schema-items.ts";
import { cutPage } from "./blocks.ts";

const MIN_LENGTH = 200;
const MAX_DEPTH = 3;

/** The longest article body in the items. */
export function articleBodyOf(items: readonly SchemaItem[]): string | undefined {
  let best = "";
  const visit = (item: SchemaItem, depth: number): void => {
    for (const value of item.properties.get("articleBody") ?? []) if (typeof value === "string" && value.length > best.length) best = value;
    if (depth === MAX_DEPTH) return;
    for (const values of item.properties.values()) for (const value of values) if (typeof value === "object") visit(value, depth + 1);
  };
  for (const item of items) if (item.syntax === "jsonld") visit(item, 0);
  return best.length >= MIN_LENGTH ? best : undefined;
}

/** How many times longer than the visible text it must be. */
const MIN_LENGTH_RATIO = 4;

/** Its paragraphs, if the page shows hardly any text in comparison. */
export function articleBodyInstead(
  items: readonly SchemaItem[],
  visibleLength: number,
): { blocks: readonly string[]; root: HtmlElement } | undefined {
  const body = articleBodyOf(items);
  if (body === undefined || body.length < MIN_LENGTH_RATIO * visibleLength) return undefined;
  const root = /<\/?(?:p|div|br)\b/i.test(body) ? readTree(body) : pageOf(body.split(/\n+/).map(tidy));
  return { root, blocks: cutPage(root).blocks.map(({ text }) => text) };
}

function pageOf(paragraphs: readonly string[]): HtmlElement {
  const page = elementOf("html", undefined);
  for (const text of paragraphs.filter((each) => each !== "")) page.children.push({ ...elementOf("p", page), children: [text] });
  return { ...page, hasBlock: true };
}

const elementOf = (name: string, parent: HtmlElement | undefined): HtmlElement => ({
  name,
  attributes: {},
  parent,
  children: [],
  isBlock: true,
  hasBlock: false,
  hasTable: false,
});
