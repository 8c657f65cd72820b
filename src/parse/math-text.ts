/** A formula in one line. Its MathML is a drawing of it; what its writer wrote often stands beside that. */
import type { HtmlElement, HtmlNode } from "./html-tree.ts";

export function formulaOf({ children, attributes }: HtmlElement): string {
  const tex = texIn(children)?.replace(/\s+/g, " ").trim();
  if (tex) return `$${safe(/^\{\\displaystyle (.+)\}$/.exec(tex)?.[1] ?? tex)}$`;
  return attributes.alttext ?? wordsIn(children);
}

/** KaTeX draws a formula for the eye alone, mostly beside one for everybody. */
export const isDrawnFormula = ({ attributes }: HtmlElement): boolean => attributes.class === "katex-html";

export const isSecondCopy = (element: HtmlElement): boolean =>
  isDrawnFormula(element) && element.parent?.children.slice(0, 3).some((child) => typeof child === "object" && isFormula(child)) === true;

const isFormula = ({ name, attributes }: HtmlElement) => name === "math" || attributes.class === "katex-mathml";

function texIn(nodes: readonly HtmlNode[]): string | undefined {
  for (const node of nodes) {
    if (typeof node === "string") continue;
    const isTex = node.name === "annotation" && /tex$/i.test(node.attributes.encoding ?? "");
    const found = isTex ? wordsIn(node.children) : texIn(node.children);
    if (found) return found;
  }
  return undefined;
}

const wordsIn = (nodes: readonly HtmlNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : node.name === "annotation" ? "" : wordsIn(node.children))).join("");

/** Means the same to TeX, and is neither a tag nor a link to whoever knows no formulas. */
const safe = (tex: string) => tex.replace(/<\s?/g, "\\lt ").replaceAll("](", "] (");
