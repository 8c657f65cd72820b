import { type HtmlElement, type HtmlNode, tidy } from "../parse/index.ts";

const unseen = new Set(["script", "style", "title", "template", "svg", "math", "noscript", "select", "datalist"]);

/** The words of an element, on one line. */
export function textOf(element: HtmlElement): string {
  const parts: string[] = [];
  gather(element, parts);
  return tidy(parts.join(""));
}

function gather(node: HtmlNode, parts: string[]): void {
  if (typeof node === "string") {
    parts.push(node);
    return;
  }
  if (unseen.has(node.name)) return;
  const isApart = node.isBlock || node.name === "br";
  if (isApart) parts.push(" ");
  for (const child of node.children) gather(child, parts);
  if (isApart) parts.push(" ");
}
