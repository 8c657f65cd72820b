import type { AnyNode, Element } from "domhandler";
import type { HtmlElement } from "./plugin.ts";

/** A parsed page to tap. The parser is loaded when the first plugin wants one. */
export async function openHtml(text: string): Promise<(selector: string) => HtmlElement[]> {
  const [{ parseDocument }, { selectAll }, { getInnerHTML, textContent }] = await Promise.all([
    import("htmlparser2"),
    import("css-select"),
    import("domutils"),
  ]);
  const find = (selector: string, from: AnyNode | AnyNode[]): HtmlElement[] => selectAll<AnyNode, Element>(selector, from).map(wrap);
  const wrap = (element: Element): HtmlElement => ({
    name: element.name,
    attr: (name) => (Object.hasOwn(element.attribs, name.toLowerCase()) ? element.attribs[name.toLowerCase()] : undefined),
    text: () => textContent(element),
    html: () => getInnerHTML(element),
    find: (selector) => find(selector, element.children),
  });
  const document = parseDocument(text);
  return (selector) => find(selector, document.children);
}
