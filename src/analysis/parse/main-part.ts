/** The main part of a page by its landmarks, without the parts repeated on every page of the site. */
import { type HiddenText, isUndone } from "./hidden/hidden-text.ts";
import { type HtmlElement, type HtmlNode, withChildren } from "./html-tree.ts";
import { addressOf, isBox } from "./markdown/markdown-inline.ts";
import { isFormulaPicture, isFormulaScript } from "./markdown/math-text.ts";

/** Never shown as text, or only there to be operated. */
const unseen = new Set(
  "head base meta link title script style svg template noscript object video audio canvas select button input datalist".split(" "),
);
const furniture = new Set(["nav", "aside", "footer", "search", "dialog"]);
const furnitureRoles = new Set(["navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu", "menubar"]);
/** The header of an article belongs to it; only the page's own header is excluded. */
const sectioning = new Set(["article", "main", "section"]);

const isNoText = (element: HtmlElement) =>
  unseen.has(element.name) && !isFormulaScript(element) && !isTaskBox(element) && !(element.name === "button" && isInCell(element));

/** A value in a table may be a button that shows more of it. */
const isInCell = ({ parent }: HtmlElement): boolean => [parent, parent?.parent].some((one) => one?.name === "td" || one?.name === "th");

const isTaskBox = (element: HtmlElement) => isBox(element) && [element.parent, element.parent?.parent].some((one) => one?.name === "li");

/** With less visible text, noscript elements count too: some pages put their whole content there. */
const NEXT_TO_NO_TEXT = 200;

/** All visible parts of the page. */
export function wholePart(root: HtmlElement, hidden: HiddenText): HtmlElement {
  const seen = withoutHidden(without(root, isNoText), hidden);
  const length = lengthOf(seen, NEXT_TO_NO_TEXT);
  if (length >= NEXT_TO_NO_TEXT) return seen;
  const withoutScripts = withoutHidden(
    without(root, (element) => element.name !== "noscript" && isNoText(element)),
    hidden,
  );
  const most = length + NEXT_TO_NO_TEXT;
  return lengthOf(withoutScripts, most) >= most ? withoutScripts : seen;
}

/** A part chosen by the caller, without hidden inline elements. Blocks are left to the caller's choice. */
export function seenPart(chosen: HtmlElement, hidden: HiddenText): HtmlElement {
  const isInLine = (element: HtmlElement) => !(element.isBlock || element.hasBlock);
  const shown = without(chosen, (element) => isInLine(element) && isNoText(element) && !/^(?:noscript|button)$/.test(element.name));
  return withoutSecondPictures(withoutHidden(shown, hidden));
}

/** A picture that becomes visible when it has loaded. */
const isFadedIn = ({ name, attributes }: HtmlElement, kind: string): boolean =>
  name === "img" && kind === "opacity" && addressOf(attributes) !== undefined;

/** Removes one of two copies of a picture: the noscript copy if the first has an address, else the placeholder that a script would fill. */
function withoutSecondPictures(element: HtmlElement): HtmlElement {
  const children: HtmlNode[] = [];
  let before: HtmlElement | undefined;
  for (const child of element.children) {
    if (typeof child === "string") {
      children.push(child);
      continue;
    }
    if (child.name === "noscript" && before && pictureIn(child)) {
      const picture = pictureIn(before);
      if (picture && addressOf(picture.attributes) !== undefined) continue;
      if (picture === before) children.splice(children.lastIndexOf(before), 1);
    }
    before = child.name === "img" ? child : withoutSecondPictures(child);
    children.push(before);
  }
  return withChildren(element, children);
}

function pictureIn(element: HtmlElement): HtmlElement | undefined {
  if (element.name === "img") return element;
  for (const child of element.children) {
    const found = typeof child === "object" ? pictureIn(child) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** A page with less visible text probably waits for a script to show the rest. */
const NOTHING_SEEN = 100;

function withoutHidden(part: HtmlElement, hidden: HiddenText): HtmlElement {
  const kinds = new Set<string>();
  const seen = without(part, (element) => {
    const kind = hidden.kindOf(element);
    // A formula may be given as a picture for sight and as text for screen readers; one of them has to stay.
    if (kind === "aria-hidden" && element.name === "img" && isFormulaPicture(element)) return false;
    if (kind !== undefined) kinds.add(kind);
    if (kind === undefined || isFadedIn(element, kind)) return false;
    if (element.name === "img") return !hidden.isSeenPicture(element);
    return hidden.isWhole(element) || !hidden.holdsSeen(element) ? true : "text";
  });
  return lengthOf(seen, NOTHING_SEEN) < NOTHING_SEEN && [...kinds].every(isUndone) ? part : seen;
}

/** `main`, else everything but navigation, header, footer and asides; the whole page if nothing is left. */
export function mainPart(root: HtmlElement, hidden: HiddenText): HtmlElement {
  const whole = wholePart(root, hidden);
  const mains = findAll(whole, ({ name, attributes }) => name === "main" || attributes.role === "main").filter(hasText);
  const from = mains.length > 0 ? { ...whole, children: mains } : whole;
  const main = without(from, isFurniture);
  return hasText(main) ? main : whole;
}

/** Footnotes and admonitions that are written as asides. */
const OF_TEXT = /(?:^|[\s_-])(?:footnotes?|admonition|callout|note|tip|warning|caution|danger|important|hint)(?:$|[\s_-])/i;

const isPartOfText = ({ name, attributes }: HtmlElement): boolean =>
  name === "aside" &&
  (/^(?:note|doc-(?:footnote|endnotes?|tip|notice))$/.test(attributes.role ?? "") || OF_TEXT.test(attributes.class ?? ""));

function isFurniture(element: HtmlElement, isInSection: boolean): boolean {
  const { name, attributes } = element;
  if (isInSection && isPartOfText(element)) return false;
  if (furniture.has(name) || furnitureRoles.has(attributes.role ?? "")) return true;
  return name === "header" && !isInSection;
}

type Drops = (element: HtmlElement, isInSection: boolean) => boolean | "text";

/**
 * `drops` leaves out an element with everything in it, or only its own text. An element of which nothing is left out is returned
 * itself: a copy of all elements would cost as much as reading the page.
 */
function without(element: HtmlElement, drops: Drops, isInSection = sectioning.has(element.name), isTextDropped = false): HtmlElement {
  const { children } = element;
  let kept: HtmlNode[] | undefined;
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at]!;
    const left = typeof child === "object" ? leftOf(child, drops, isInSection) : isTextDropped ? undefined : child;
    if (left !== child) kept ??= children.slice(0, at);
    if (left !== undefined) kept?.push(left);
  }
  return kept ? withChildren(element, kept) : element;
}

function leftOf(element: HtmlElement, drops: Drops, isInSection: boolean): HtmlElement | undefined {
  const dropped = drops(element, isInSection);
  if (dropped === true) return undefined;
  return without(element, drops, isInSection || sectioning.has(element.name), dropped === "text");
}

function findAll(element: HtmlElement, matches: (element: HtmlElement) => boolean): HtmlElement[] {
  if (matches(element)) return [element];
  return element.children.flatMap((child) => (typeof child === "string" ? [] : findAll(child, matches)));
}

/** Counted no further than to `most`. */
function lengthOf({ children }: HtmlElement, most: number): number {
  let length = 0;
  for (const child of children) {
    if (length >= most) break;
    length += typeof child === "string" ? child.trim().length : lengthOf(child, most - length);
  }
  return length;
}

const hasText = (element: HtmlElement): boolean =>
  element.children.some((child) => (typeof child === "string" ? /\S/.test(child) : child.name === "img" || hasText(child)));
