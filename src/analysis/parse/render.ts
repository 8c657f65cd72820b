/** Converts a page to Markdown, text or clean HTML. A crawl does not need this, so it is loaded on demand. */
import { cleanHtml } from "./clean-html.ts";
import { countHidden, type HiddenReport, hiddenReport } from "./hidden/count-hidden.ts";
import { HiddenText } from "./hidden/hidden-text.ts";
import { seenLetters } from "./hidden/seen-letters.ts";
import { type HtmlElement, readTree } from "./html-tree.ts";
import { mainPart, seenPart, wholePart } from "./main-part.ts";
import { markdownOf } from "./markdown/markdown-blocks.ts";
import { textOf } from "./markdown/markdown-inline.ts";
import { tidy } from "./markdown/tidy.ts";
import { withoutExtras } from "./page-extras.ts";
import { createResolver } from "./resolve.ts";

export interface RenderOptions {
  /** The base URL for links in the page. */
  readonly base: string;
  readonly charset: string;
  /** Put above a page that has no h1. */
  readonly title: string | undefined;
  /** The main part by landmarks, or everything. */
  readonly part: "main" | "whole";
  /** Finds the main part, with precedence over the landmarks. */
  readonly choose?: (tree: HtmlElement) => HtmlElement | undefined;
}

export interface Rendered {
  markdown(): string;
  text(): string;
  html(): string;
  /** The invisible text that was left out. */
  hidden(): HiddenReport;
}

export function renderHtml(html: string, { base, charset, title, part, choose }: RenderOptions): Rendered {
  const tree = readTree(html, Number.POSITIVE_INFINITY);
  const resolve = createResolver(base, charset);
  const chosen = part === "main" ? choose?.(tree) : undefined;
  const hidden = new HiddenText(tree);
  const seen = chosen ? seenPart(chosen, hidden) : part === "main" ? mainPart(tree, hidden) : wholePart(tree, hidden);
  const page = withoutFragment(resolve("") ?? base);
  const root =
    part === "main" ? withoutExtras(seen, (href) => href.startsWith("#") || withoutFragment(resolve(href.trim()) ?? "") === page) : seen;
  const headed = title === undefined || hasTitle(root) ? root : withTitle(root, title);
  return {
    markdown: () => seenLetters(markdownOf(headed, { resolve, isPlain: false })),
    text: () => seenLetters(markdownOf(headed, { resolve, isPlain: true })),
    html: () => seenLetters(cleanHtml(root, resolve)),
    hidden: () => {
      const { seen, kinds } = countHidden(tree, hidden);
      return hiddenReport(kinds, seen, hidden.isInPart);
    },
  };
}

const withoutFragment = (url: string) => url.split("#", 1)[0];

/** Adds the title as an h1, or turns the first heading into one if it has the same text. */
function withTitle(root: HtmlElement, title: string): HtmlElement {
  const first = firstHeading(root);
  if (first === undefined || tidy(textOf(first.children)) !== tidy(title))
    return { ...root, children: [titleElement(title), ...root.children] };
  return replaced(root, first, { ...first, name: "h1" });
}

function firstHeading(element: HtmlElement): HtmlElement | undefined {
  if (/^h[2-6]$/.test(element.name)) return element;
  for (const child of element.children) {
    const found = typeof child === "object" ? firstHeading(child) : undefined;
    if (found) return found;
  }
  return undefined;
}

const replaced = (root: HtmlElement, old: HtmlElement, next: HtmlElement): HtmlElement =>
  root === old
    ? next
    : { ...root, children: root.children.map((child) => (typeof child === "object" ? replaced(child, old, next) : child)) };

const titleElement = (title: string): HtmlElement => ({
  name: "h1",
  attributes: {},
  parent: undefined,
  children: [title],
  isBlock: true,
  hasBlock: false,
  hasTable: false,
});

const hasTitle = (element: HtmlElement): boolean =>
  element.children.some((child) => typeof child === "object" && (child.name === "h1" || hasTitle(child)));
