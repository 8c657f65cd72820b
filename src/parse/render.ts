/** A page in the forms people want it in. Nothing here is needed to crawl, so it is loaded only when somebody asks. */
import { cleanHtml } from "./clean-html.ts";
import { countHidden, type HiddenReport, hiddenReport } from "./count-hidden.ts";
import { HiddenText } from "./hidden-text.ts";
import { type HtmlElement, readTree } from "./html-tree.ts";
import { mainPart, seenPart, wholePart } from "./main-part.ts";
import { markdownOf } from "./markdown-blocks.ts";
import { textOf } from "./markdown-inline.ts";
import { withoutExtras } from "./page-extras.ts";
import { createResolver } from "./resolve.ts";
import { seenLetters } from "./seen-letters.ts";
import { tidy } from "./tidy.ts";

export interface RenderOptions {
  /** Addresses in the page are measured from here. */
  readonly base: string;
  readonly charset: string;
  /** Stands above a page that has no heading of the first rank. */
  readonly title: string | undefined;
  /** The part its landmarks say it is about, or all of it. */
  readonly part: "main" | "whole";
  /** Finds the main part where it knows better than the landmarks do. */
  readonly choose?: (tree: HtmlElement) => HtmlElement | undefined;
}

export interface Rendered {
  markdown(): string;
  text(): string;
  html(): string;
  /** What is left out of these, because nobody sees it. */
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
      return hiddenReport(kinds, seen);
    },
  };
}

const withoutFragment = (url: string) => url.split("#", 1)[0];

/** The title above the page, or its first heading in place of it where that says the same. */
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
