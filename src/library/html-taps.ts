import { compile, selectAll } from "css-select";
import { type AnyNode, DomHandler, type Element } from "domhandler";
import { getInnerHTML, textContent } from "domutils";
import { Parser } from "htmlparser2";
import type { HtmlElement } from "./plugin.ts";

/** Selectors that count siblings take the square of their number: of a larger page the beginning is seen. */
const MOST_ELEMENTS = 20_000;
/** What is nested deeper lies beside its parents: who walks a tree by recursion falls into a deeper one. */
const DEEPEST = 256;

/** A tree that is neither too deep nor too large, whatever the page. */
class BoundedTree extends DomHandler {
  #left = MOST_ELEMENTS;
  #parser: Parser | undefined;

  override onparserinit(parser: Parser): void {
    super.onparserinit(parser);
    this.#parser = parser;
  }

  override onopentag(name: string, attributes: { [key: string]: string }): void {
    super.onopentag(name, attributes);
    const { tagStack } = this;
    if (tagStack.length > DEEPEST) tagStack[tagStack.length - 1] = tagStack[DEEPEST - 1]!;
    this.#left -= 1;
    if (this.#left === 0) this.#parser?.pause();
  }
}

/** A parsed page to tap. Loaded when the first plugin wants one. */
export function openHtml(text: string): (selector: string) => HtmlElement[] {
  const tree = new BoundedTree();
  new Parser(tree).end(text);
  return (selector) => find(selector, tree.root);
}

/** Why a selector cannot be read, if it cannot. */
export function selectorProblem(selector: string): string | undefined {
  if (selector.trim() === "") return "it is empty";
  try {
    compile(selector);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** From one node, not from a list of its children: a list is first searched for what lies within what, each with each. */
const find = (selector: string, from: AnyNode): HtmlElement[] => selectAll<AnyNode, Element>(selector, from).map(wrap);

const wrap = (element: Element): HtmlElement => ({
  name: element.name,
  attr: (name) => (Object.hasOwn(element.attribs, name.toLowerCase()) ? element.attribs[name.toLowerCase()] : undefined),
  text: () => textContent(element),
  html: () => getInnerHTML(element),
  find: (selector) => find(selector, element),
});
