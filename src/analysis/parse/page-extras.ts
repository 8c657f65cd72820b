/** Removes controls from a page's text: permalinks, copy buttons, tables of contents, form labels, "was this helpful" questions. */

import { labelsOfCode } from "./code-labels.ts";
import type { HtmlElement, HtmlNode } from "./html-tree.ts";
import { isFormulaScript } from "./markdown/math-text.ts";

/** `isHere` tells whether an address leads to an anchor on the same page. */
export function withoutExtras(root: HtmlElement, isHere: (href: string) => boolean): HtmlElement {
  return cleaned(root, { isHere, isInForm: false, isInHeading: false, isInCell: false });
}

interface Place {
  readonly isHere: (href: string) => boolean;
  readonly isInForm: boolean;
  readonly isInHeading: boolean;
  readonly isInCell: boolean;
}

function cleaned(element: HtmlElement, place: Place): HtmlElement {
  const { name } = element;
  const inner = {
    ...place,
    isInForm: place.isInForm || name === "form",
    isInHeading: place.isInHeading || /^(?:h[1-6]|dt|summary)$/.test(name),
    isInCell: place.isInCell || name === "td" || name === "th",
  };
  if (name === "pre" || name === "math") return { ...element, children: element.children.filter((child) => !isCopyButton(child)) };
  const children: HtmlNode[] = [];
  const labels = labelsOfCode(element, wordsOf);
  element.children.forEach((child, at) => {
    if (typeof child === "string") children.push(child);
    else if (labels?.has(child)) return;
    else if (isContents(child, place.isHere)) dropTitle(children);
    else if (isExtra(child, inner) || isDrawn(element.children, at)) return;
    else if (isWayToItself(child, inner)) children.push(...child.children);
    else {
      const next = cleaned(child, inner);
      // If only the title of a removed table of contents is left, drop it too.
      if (next.children.length === child.children.length || !isContentsTitle(next)) children.push(next);
    }
  });
  return { ...element, children };
}

function isExtra(element: HtmlElement, { isInForm, isInHeading, isInCell }: Place): boolean {
  const { name, attributes } = element;
  if (name === "a") return isPermalink(element, isInHeading) || isSwitch(element) || (isInHeading && isWayToSource(element));
  if (attributes.role === "tab") return !isInHeading && !holds(element, isHeading) && wordsOf(element).length <= MAX_BUTTON_LENGTH;
  if (name === "label") return isInForm || holds(element, isField) || (attributes.for !== undefined && !isInItem(element));
  if (name === "button" && isInCell && !SAYS_COPY.test(`${attributes.class ?? ""} ${wordsOf(element)}`)) return false;
  if (name === "button")
    return isInHeading
      ? wordsOf(element) === ""
      : attributes["aria-controls"] === undefined && wordsOf(element).length <= MAX_BUTTON_LENGTH;
  return isCopyButton(element) || isRunButton(element) || isEditLink(element) || isNamedTitle(element) || asksForThanks(element);
}

/** `[source]` beside the name of a function. */
const isWayToSource = (element: HtmlElement): boolean => /^(?:\[\s?(?:source|src)\s?\]|source|src)$/i.test(wordsOf(element, 20));

/** `[edit]` beside a heading of a wiki. */
const isEditLink = (element: HtmlElement): boolean =>
  /(?:^|[\s_-])edit-?section(?:$|[\s_-])/i.test(element.attributes.class ?? "") && wordsOf(element, 60).length <= 60;

const RUN =
  /^(?:run(?: this)?(?: code| example)?|try it(?: yourself)?|edit & run|open in (?:playground|sandbox|codepen|stackblitz|codesandbox))$/i;

/** What runs the code beside it, named so by its class too: a link to a playground may belong to the text. */
const isRunButton = (element: HtmlElement): boolean =>
  /btn|button|live|playground|(?:^|[\s_-])(?:run|try)/i.test(element.attributes.class ?? "") && RUN.test(wordsOf(element, 40));

/** The title of a table of contents that is somewhere else. */
const isNamedTitle = (element: HtmlElement): boolean =>
  CONTENTS.test(element.attributes.class ?? "") && /^(?:p|div|span|h[2-6])$/.test(element.name) && isContentsTitle(element);

/** Tabs that contain headings are accordions, with the parts below them; for other tabs all parts are already in the text. */
const isHeading = ({ name }: HtmlElement) => /^h[1-6]$/.test(name);

/** The label of a task, beside its checkbox. */
const isInItem = ({ parent }: HtmlElement): boolean => [parent, parent?.parent].some((one) => one?.name === "li");

const MAX_BUTTON_LENGTH = 25;
const isField = ({ name, attributes }: HtmlElement) => name === "input" && !/^(?:checkbox|radio)$/.test(attributes.type ?? "");

const SIGNS = /^[\s#¶§🔗⚓\u200b\u2060\ufeff]*$/u;
const PERMALINK =
  /(?:^|\s)(?:headerlink|hash-?link|header-?anchor|heading-?anchor|anchor(?:-?link|js-link)?|perma-?link|heading-?link|deep-?link)(?:$|\s)/i;
const SAYS_PERMALINK =
  /^(?:permalink|anchor|#|copy link|(?:permanent |direct )?link (?:for|to) (?:this )?(?:heading|section|headline|definition|anchor).{0,80}|anchor link.{0,80})$/i;

/** A permalink to the place where it is. */
function isPermalink(element: HtmlElement, isInHeading: boolean): boolean {
  const { attributes } = element;
  const words = wordsOf(element);
  if (holds(element, ({ name }) => name === "img")) return false;
  if (SIGNS.test(words)) return words !== "" || attributes.href?.includes("#") === true;
  return (isInHeading || PERMALINK.test(attributes.class ?? "")) && SAYS_PERMALINK.test(words);
}

/** `[−]` and similar links that collapse something. */
const isSwitch = (element: HtmlElement): boolean =>
  /^\s*javascript:/i.test(element.attributes.href ?? "") &&
  !/[\p{L}\p{N}]/u.test(wordsOf(element)) &&
  !holds(element, ({ name }) => name === "img" || name === "math");

/** A heading that is a link to itself. */
const isWayToItself = ({ name, attributes }: HtmlElement, { isInHeading, isHere }: Place): boolean =>
  name === "a" && isInHeading && attributes.href?.includes("#") === true && isHere(attributes.href) && !isNoteMark(attributes);

const isNoteMark = ({ class: classes = "", role = "" }: HtmlElement["attributes"]) =>
  /noteref|footnote|fn-?(?:back)?ref|reference/i.test(`${classes} ${role}`);

const COPY =
  /(?:^|[\s_-])(?:copy-?(?:btn|button|code|icon|to-clipboard)|copybtn|copybutton|(?:btn|button)-copy|clipboard(?:-copy|-button)?)(?:$|[\s_-])/i;

function isCopyButton(node: HtmlNode): boolean {
  if (typeof node === "string") return false;
  const isCalledSo = node.name === "button" || COPY.test(node.attributes.class ?? "");
  return (
    isCalledSo &&
    /^(?:button|a|span|div|i)$/.test(node.name) &&
    wordsOf(node).length <= MAX_BUTTON_LENGTH &&
    !holds(node, ({ name }) => name === "pre")
  );
}

const SAYS_COPY = /cop(?:y|ied)|clipboard/i;

const MAX_QUESTION_LENGTH = 250;
const THANKS =
  /\b(?:was|is|did|were) (?:this|the) (?:page|article|section|answer|information|document(?:ation)?|content|topic|guide|lesson)s?\b.{0,20}\b(?:helpful|useful|help you|answer your question)|^(?:was this helpful|rate this (?:page|article)|how helpful was this)|\bwar (?:dieser|diese) (?:artikel|seite|beitrag) hilfreich|\bcet(?:te)? (?:page|article) vous a-t-(?:elle|il)/i;

function asksForThanks(element: HtmlElement): boolean {
  if (!element.isBlock || !/^(?:div|section|p|form|fieldset|aside|footer|h[2-6])$/.test(element.name)) return false;
  const words = wordsOf(element, MAX_QUESTION_LENGTH + 1);
  return words.length <= MAX_QUESTION_LENGTH && THANKS.test(words);
}

const MIN_WAYS = 3;
const CONTENTS = /(?:^|[\s_-])(?:toc|table-?of-?contents|on-?this-?page|page-?contents)(?:$|[\s_-])/i;
const CONTENTS_TITLE =
  /^(?:(?:table of |page )?contents?|on this page|in this (?:article|page|section|guide|document|tutorial)|jump to(?: section)?|topics|outline|inhalt(?:sverzeichnis)?|auf dieser seite|sommaire|table des matières|sur cette page|índice|contenido|en esta página|indice|in questa pagina|目次|目录|目錄)\s*:?$/i;

/** A list of links to the page's own headings. */
function isContents(element: HtmlElement, isHere: (href: string) => boolean): boolean {
  const { name, attributes } = element;
  const isCalledSo = CONTENTS.test(`${attributes.class ?? ""} ${attributes.id ?? ""}`);
  if (!/^[uo]l$/.test(name) && !(isCalledSo && /^(?:div|nav|section|aside|details|dl|p)$/.test(name))) return false;
  const found = { chars: 0, wayChars: 0, targets: new Set<string>() };
  countWays(element, isHere, false, found);
  const share = isCalledSo ? 0.7 : 0.9;
  return found.targets.size >= MIN_WAYS && found.wayChars >= share * found.chars;
}

function countWays(
  element: HtmlElement,
  isHere: (href: string) => boolean,
  isWay: boolean,
  found: { chars: number; wayChars: number; targets: Set<string> },
): void {
  for (const child of element.children) {
    if (typeof child === "string") {
      const { length } = child.trim();
      found.chars += length;
      if (isWay) found.wayChars += length;
      continue;
    }
    const href = child.name === "a" ? child.attributes.href : undefined;
    const leadsHere = href?.includes("#") === true && isHere(href);
    if (leadsHere) found.targets.add(href);
    countWays(child, isHere, isWay || leadsHere, found);
  }
}

function dropTitle(before: HtmlNode[]): void {
  let at = before.length - 1;
  while (at >= 0 && typeof before[at] === "string" && !/\S/.test(before[at] as string)) at -= 1;
  const last = before[at];
  if (typeof last === "object" && isContentsTitle(last)) before.length = at;
}

const isContentsTitle = (element: HtmlElement): boolean => CONTENTS_TITLE.test(wordsOf(element, 60));

/** The rendered copy of a formula beside its source script. */
const isDrawn = (nodes: readonly HtmlNode[], at: number): boolean => {
  const node = nodes[at];
  if (typeof node === "string" || !/(?:^|\s)(?:MathJax(?:_\w+)?|MJXp?-\w+)(?:$|\s)/.test(node?.attributes.class ?? "")) return false;
  return nodes.slice(at + 1, at + 5).some((next) => typeof next === "object" && isFormulaScript(next));
};

/** The text on one line, cut after about `most` characters. */
function wordsOf(element: HtmlElement, most = 200): string {
  let text = "";
  const read = (nodes: readonly HtmlNode[]): void => {
    for (const node of nodes) {
      if (text.length > 4 * most) return;
      if (typeof node === "string") text += node;
      else if (!/^(?:svg|script|style)$/.test(node.name)) {
        if (node.isBlock) text += " ";
        read(node.children);
      }
    }
  };
  read(element.children);
  return text.replace(/\s+/g, " ").trim();
}

const holds = (element: HtmlElement, fits: (element: HtmlElement) => boolean): boolean =>
  element.children.some((child) => typeof child === "object" && (fits(child) || holds(child, fits)));
