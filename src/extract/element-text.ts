import { cut, type HtmlElement, type HtmlNode, tidy } from "../parse/index.ts";

const unseen = new Set(["script", "style", "title", "template", "svg", "math", "noscript", "select", "datalist"]);

/** Longer than anything that is asked for by this: elements stand in elements, and each may hold the whole page. */
const MOST = 100_000;

/** The words of an element, on one line. */
export function textOf(element: HtmlElement): string {
  const parts: string[] = [];
  gather(element, parts, MOST);
  return tidy(cut(parts.join(""), MOST));
}

/** Answers how many letters may still be read. */
function gather(node: HtmlNode, parts: string[], left: number): number {
  if (left <= 0) return 0;
  if (typeof node === "string") {
    parts.push(node);
    return left - node.length;
  }
  if (unseen.has(node.name)) return left;
  const isApart = node.isBlock || node.name === "br";
  if (isApart) parts.push(" ");
  let rest = left - 1;
  for (const child of node.children) rest = gather(child, parts, rest);
  if (isApart) parts.push(" ");
  return rest;
}
