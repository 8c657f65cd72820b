/** `--cascade classic` for the main text: the first matching element of a fixed list, without the parts that are around every page. */
import { type HtmlElement, type HtmlNode, withChildren } from "../../parse/index.ts";
import type { PageView } from "../page-view.ts";
import { type Clue, chooseInOrder } from "../weigh.ts";
import { cutPage } from "./blocks.ts";
import { visibleBlocks } from "./visible-blocks.ts";

const MIN_LENGTH = 50;

type Chain = readonly (readonly [source: string, fits: (element: HtmlElement) => boolean])[];

const hasClass =
  (...names: string[]) =>
  ({ attributes }: HtmlElement) =>
    (attributes.class ?? "").split(/\s+/).some((name) => names.includes(name));

const chain: Chain = [
  ["article", ({ name }) => name === "article"],
  ["role:main", ({ attributes }) => attributes.role === "main"],
  ["articleBody", ({ attributes }) => attributes.itemprop === "articleBody"],
  ["main", ({ name }) => name === "main"],
  [".content", hasClass("content", "post-content", "entry-content")],
  [".article-body", hasClass("article-body", "article-content")],
  [".post", hasClass("post", "entry")],
  ["#content", ({ attributes }) => attributes.id === "content" || attributes.id === "main-content"],
];
const order = [...chain.map(([source]) => source), "paragraphs"];

const removedTags = new Set(["script", "style", "nav", "footer", "aside"]);
const isAd = ({ attributes }: HtmlElement) =>
  /(?:^|[\s_-])ads?(?:$|[\s_-])|advert|sponsor/i.test(`${attributes.class ?? ""} ${attributes.id ?? ""}`);

export function classicText(page: PageView) {
  const parts = new Map(chain.flatMap(([source, matches]) => partOf(source, page.elements.find(matches))));
  parts.set("paragraphs", paragraphsOf(page));
  const clues = [...parts].map(([source, part]): Clue<string> => {
    const value = visibleBlocks(cutPage(part).blocks, page.hidden)
      .map(({ text }) => text)
      .join("\n");
    return { source, value, signs: {}, ...(value.length < MIN_LENGTH && { rejected: `${value.length} < ${MIN_LENGTH} characters` }) };
  });
  const field = chooseInOrder(clues, order);
  const root = parts.get(field.source) ?? { ...page.root, children: [] };
  const blocks = field.value === null ? [] : visibleBlocks(cutPage(root).blocks, page.hidden);
  return { field, root, blocks: blocks.map(({ text }) => text), wordings: blocks.map(({ wording }) => wording) };
}

const partOf = (source: string, element: HtmlElement | undefined): [string, HtmlElement][] =>
  element === undefined ? [] : [[source, { ...page(element), children: [withoutRemovedTags(element)] }]];

const page = (element: HtmlElement): HtmlElement => ({ ...element, name: "html", attributes: {}, isBlock: true, hasBlock: true });

function paragraphsOf({ elements, root }: PageView): HtmlElement {
  return { ...root, children: elements.filter(({ name }) => name === "p").map(withoutRemovedTags) };
}

function withoutRemovedTags(element: HtmlElement): HtmlElement {
  const children = element.children.flatMap((child): HtmlNode[] => {
    if (typeof child === "string") return [child];
    return removedTags.has(child.name) || isAd(child) ? [] : [withoutRemovedTags(child)];
  });
  return withChildren(element, children);
}
