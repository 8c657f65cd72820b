import { compile, selectAll } from "css-select";
import { type AnyNode, DomHandler, type Element } from "domhandler";
import { getInnerHTML, textContent } from "domutils";
import { Parser } from "htmlparser2";
import type { HtmlElement } from "./plugin.ts";

/** Selectors that count siblings take quadratic time, so only the beginning of a larger page is parsed. */
const MAX_ELEMENTS = 20_000;
/** Deeper elements become siblings of their parents, because a recursive walk would overflow the stack. */
const MAX_DEPTH = 256;

/** A tree of limited depth and size. */
class BoundedTree extends DomHandler {
  #left = MAX_ELEMENTS;
  #parser: Parser | undefined;

  override onparserinit(parser: Parser): void {
    super.onparserinit(parser);
    this.#parser = parser;
  }

  override onopentag(name: string, attributes: { [key: string]: string }): void {
    super.onopentag(name, attributes);
    const { tagStack } = this;
    if (tagStack.length > MAX_DEPTH) tagStack[tagStack.length - 1] = tagStack[MAX_DEPTH - 1]!;
    this.#left -= 1;
    if (this.#left === 0) this.#parser?.pause();
  }
}

/** Parses a page for selectors. Loaded when the first plugin needs it. */
export function openHtml(text: string): (selector: string) => HtmlElement[] {
  const tree = new BoundedTree();
  new Parser(tree).end(text);
  return (selector) => find(selector, tree.root);
}

/** Why a selector is invalid; undefined if it is valid. */
export function selectorProblem(selector: string): string | undefined {
  if (selector.trim() === "") return "it is empty";
  try {
    compile(selector);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Starts from a node and not from the list of its children: for a list, css-select first compares all elements pairwise. */
const find = (selector: string, from: AnyNode): HtmlElement[] => selectAll<AnyNode, Element>(selector, from).map(wrap);

const wrap = (element: Element): HtmlElement => ({
  name: element.name,
  attr: (name) => (Object.hasOwn(element.attribs, name.toLowerCase()) ? element.attribs[name.toLowerCase()] : undefined),
  text: () => textContent(element),
  html: () => getInnerHTML(element),
  find: (selector) => find(selector, element),
});
