import { cut, type HtmlElement, type HtmlNode, tidy } from "../parse/index.ts";

const unseen = new Set(["script", "style", "title", "template", "svg", "math", "noscript", "select", "datalist"]);

/** Longer than any text needed here. Elements nest, and each may contain the whole page. */
const MOST = 100_000;

/** The words of an element, on one line. */
export function textOf(element: HtmlElement): string {
  return textWithout(unseen, element);
}

const operated = new Set([...unseen, "button"]);

/** The words of a heading, without its buttons: "Copy item path" beside a name is no part of it. */
export const headingOf = (element: HtmlElement): string => textWithout(operated, element) || textOf(element);

function textWithout(skipped: ReadonlySet<string>, element: HtmlElement): string {
  const parts: string[] = [];
  gather(element, parts, MOST, skipped);
  return tidy(cut(parts.join(""), MOST));
}

/** Returns how many characters may still be read. */
function gather(node: HtmlNode, parts: string[], left: number, skipped: ReadonlySet<string>): number {
  if (left <= 0) return 0;
  if (typeof node === "string") {
    parts.push(node);
    return left - node.length;
  }
  if (skipped.has(node.name)) return left;
  const isApart = node.isBlock || node.name === "br";
  if (isApart) parts.push(" ");
  let rest = left - 1;
  for (const child of node.children) rest = gather(child, parts, rest, skipped);
  if (isApart) parts.push(" ");
  return rest;
}

/** Approximately the first `length` characters of an element's text. It stops early, so it is cheap for nested elements. */
export function openingOf(element: HtmlElement, length: number): string {
  const parts: string[] = [];
  begin(element, parts, length);
  return tidy(parts.join("")).slice(0, length);
}

function begin(element: HtmlElement, parts: string[], left: number): number {
  if (unseen.has(element.name)) return left;
  const isApart = element.isBlock || element.name === "br";
  if (isApart) parts.push(" ");
  for (const child of element.children) {
    if (left <= 0) return left;
    if (typeof child === "object") left = begin(child, parts, left);
    else {
      parts.push(child.slice(0, 4 * left));
      left -= child.trim().length;
    }
  }
  if (isApart) parts.push(" ");
  return left;
}
