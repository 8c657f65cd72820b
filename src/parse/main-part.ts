/** The part of a page that its landmarks say it is about, without what stands around every page of the site. */
import { type HiddenText, isUndone } from "./hidden-text.ts";
import type { HtmlElement, HtmlNode } from "./html-tree.ts";
import { addressOf, isBox } from "./markdown-inline.ts";
import { isFormulaPicture, isFormulaScript } from "./math-text.ts";

/** Never shown as text, or only to be operated. */
const unseen = new Set(
  "head base meta link title script style svg template noscript object video audio canvas select button input datalist".split(" "),
);
const furniture = new Set(["nav", "aside", "footer", "search", "dialog"]);
const furnitureRoles = new Set(["navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu", "menubar"]);
/** The header of an article belongs to it; only the page's own is furniture. */
const sectioning = new Set(["article", "main", "section"]);

const isNoText = (element: HtmlElement) => unseen.has(element.name) && !isFormulaScript(element) && !isTaskBox(element);

const isTaskBox = (element: HtmlElement) => isBox(element) && [element.parent, element.parent?.parent].some((one) => one?.name === "li");

/** With less to see than this, what is for readers without scripts counts too: some put their whole content there. */
const NEXT_TO_NO_TEXT = 200;

/** Everything that a reader of the page could see. */
export function wholePart(root: HtmlElement, hidden: HiddenText): HtmlElement {
  const seen = withoutHidden(without(root, isNoText), hidden);
  if (lengthOf(seen) >= NEXT_TO_NO_TEXT) return seen;
  const withoutScripts = withoutHidden(
    without(root, (element) => element.name !== "noscript" && isNoText(element)),
    hidden,
  );
  return lengthOf(withoutScripts) - lengthOf(seen) >= NEXT_TO_NO_TEXT ? withoutScripts : seen;
}

/** What somebody else chose, without what stands hidden in its lines. Links that are hidden from some lead where others lead, but have their own words. */
export function seenPart(chosen: HtmlElement, hidden: HiddenText): HtmlElement {
  const isInLine = (element: HtmlElement) => !(element.isBlock || element.hasBlock);
  const shown = without(chosen, (element) => isInLine(element) && isNoText(element) && !/^(?:noscript|button)$/.test(element.name));
  return withoutSecondPictures(withoutHidden(shown, hidden));
}

/** A picture that is shown as soon as it is loaded. */
const isFadedIn = ({ name, attributes }: HtmlElement, kind: string): boolean =>
  name === "img" && kind === "opacity" && addressOf(attributes) !== undefined;

/** What readers without scripts see in place of a picture is that picture, where a script has still to load it. */
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
  return { ...element, children };
}

function pictureIn(element: HtmlElement): HtmlElement | undefined {
  if (element.name === "img") return element;
  for (const child of element.children) {
    const found = typeof child === "object" ? pictureIn(child) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** A page that shows less than this waits for a script to show the rest of it. */
const NOTHING_SEEN = 100;

function withoutHidden(part: HtmlElement, hidden: HiddenText): HtmlElement {
  const kinds = new Set<string>();
  const seen = without(part, (element) => {
    const kind = hidden.kindOf(element);
    // A picture of a formula is for the eye, and the formula beside it for everybody else: one of them has to stay.
    if (kind === "aria-hidden" && element.name === "img" && isFormulaPicture(element)) return false;
    if (kind !== undefined) kinds.add(kind);
    return kind !== undefined && !isFadedIn(element, kind);
  });
  return lengthOf(seen) < NOTHING_SEEN && [...kinds].every(isUndone) ? part : seen;
}

/** `main`, or else all but navigation, header, footer and asides; the whole page if nothing is left. */
export function mainPart(root: HtmlElement, hidden: HiddenText): HtmlElement {
  const whole = wholePart(root, hidden);
  const mains = findAll(whole, ({ name, attributes }) => name === "main" || attributes.role === "main").filter(hasText);
  const from = mains.length > 0 ? { ...whole, children: mains } : whole;
  const main = without(from, isFurniture);
  return hasText(main) ? main : whole;
}

function isFurniture({ name, attributes }: HtmlElement, isInSection: boolean): boolean {
  if (furniture.has(name) || furnitureRoles.has(attributes.role ?? "")) return true;
  return name === "header" && !isInSection;
}

function without(
  element: HtmlElement,
  drops: (element: HtmlElement, isInSection: boolean) => boolean,
  isInSection = sectioning.has(element.name),
): HtmlElement {
  const children = element.children.flatMap((child): HtmlNode[] => {
    if (typeof child === "string") return [child];
    if (drops(child, isInSection)) return [];
    return [without(child, drops, isInSection || sectioning.has(child.name))];
  });
  return { ...element, children };
}

function findAll(element: HtmlElement, matches: (element: HtmlElement) => boolean): HtmlElement[] {
  if (matches(element)) return [element];
  return element.children.flatMap((child) => (typeof child === "string" ? [] : findAll(child, matches)));
}

const lengthOf = (element: HtmlElement): number =>
  element.children.reduce((sum, child) => sum + (typeof child === "string" ? child.trim().length : lengthOf(child)), 0);

const hasText = (element: HtmlElement): boolean =>
  element.children.some((child) => (typeof child === "string" ? /\S/.test(child) : child.name === "img" || hasText(child)));
