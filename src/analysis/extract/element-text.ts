import { cut, type HtmlElement, type HtmlNode, tidy } from "../parse/index.ts";

const invisible = new Set(["script", "style", "title", "template", "svg", "math", "noscript", "select", "datalist"]);

/** Longer than any text needed here. Elements nest, and each may contain the whole page. */
const MAX_LENGTH = 100_000;

/** The words of an element, on one line. */
export function textOf(element: HtmlElement): string {
  return textWithout(invisible, element);
}

const withButtons = new Set([...invisible, "button"]);

/** The words of a heading, without its buttons: "Copy item path" beside a name is no part of it. */
export const headingOf = (element: HtmlElement): string => textWithout(withButtons, element) || textOf(element);

function textWithout(skipped: ReadonlySet<string>, element: HtmlElement): string {
  const parts: string[] = [];
  collectText(element, parts, MAX_LENGTH, skipped);
  return tidy(cut(parts.join(""), MAX_LENGTH));
}

/** Returns how many characters may still be read. */
function collectText(node: HtmlNode, parts: string[], charsLeft: number, skipped: ReadonlySet<string>): number {
  if (charsLeft <= 0) return 0;
  if (typeof node === "string") {
    parts.push(node);
    return charsLeft - node.length;
  }
  if (skipped.has(node.name)) return charsLeft;
  const breaksLine = node.isBlock || node.name === "br";
  if (breaksLine) parts.push(" ");
  let rest = charsLeft - 1;
  for (const child of node.children) rest = collectText(child, parts, rest, skipped);
  if (breaksLine) parts.push(" ");
  return rest;
}

/** Approximately the first `length` characters of an element's text. It stops early, so it is cheap for nested elements. */
export function openingOf(element: HtmlElement, length: number): string {
  const parts: string[] = [];
  collectOpening(element, parts, length);
  return tidy(parts.join("")).slice(0, length);
}

function collectOpening(element: HtmlElement, parts: string[], charsLeft: number): number {
  if (invisible.has(element.name)) return charsLeft;
  const breaksLine = element.isBlock || element.name === "br";
  if (breaksLine) parts.push(" ");
  for (const child of element.children) {
    if (charsLeft <= 0) return charsLeft;
    if (typeof child === "object") charsLeft = collectOpening(child, parts, charsLeft);
    else {
      parts.push(child.slice(0, 4 * charsLeft));
      charsLeft -= child.trim().length;
    }
  }
  if (breaksLine) parts.push(" ");
  return charsLeft;
}
