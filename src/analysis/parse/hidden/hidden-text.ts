/**
 * Finds elements with text that is invisible on the page. Only programs read such text, so it can be used to address
 * them without people noticing.
 */
import { hasRareAttributes } from "../attributes.ts";
import { Cascade } from "../css/cascade.ts";
import type { Declarations } from "../css/declared.ts";
import { letterSizeOf } from "../css/font-size.ts";
import { Grounds } from "../css/grounds.ts";
import { type HiddenBy, hiddenBy, isDrawnOtherwise, isInvisible, opacityOf } from "../css/hides.ts";
import { LETTER } from "../css/numbers.ts";
import { isStyleSheet, sheetInUrl } from "../css/rules.ts";
import type { HtmlElement } from "../html-tree.ts";
import { isDrawnFormula, isSecondCopy } from "../markdown/math-text.ts";
import { areAlike, colourOf } from "./colour.ts";

/** `unseen`: a browser rendered the page and found that nothing of the element is visible. */
export type HiddenKind = HiddenBy | "colour" | "aria-hidden" | "screen-reader" | "unseen";

/** Kinds of hiding that scripts often remove when the page is ready. */
export const isUndone = (kind: string): boolean => kind === "display" || kind === "opacity";

const SPOKEN = /(?:^|\s)(?:sr-only|visually-?hidden|screen-?reader(?:-text|-only)?|a11y-?hidden)(?:$|\s)/i;
/** Names of parts that pages show on a click: tabs, accordions, slides, the text after "read more". */
const UNFOLDS =
  /(?:^|[\s_-]|[a-z](?=[A-Z]))(?:\w{0,20}tabs?|tab-?(?:pane|panel|content)|pane|panel|collaps(?:e|ed|ible)|accordion|toggle|expand(?:ed|able)?|spoiler|slides?|slider|carousel|swiper|gallery|faq|answer|callout|read-?more|full|paywall|article|body|desc)(?:$|[\s_-]|(?<=[a-z])(?=[A-Z]))/;

/** Properties that an element passes on to its descendants. */
interface Around {
  /** The size of letters in pixels. */
  readonly letter: number;
  readonly isTiny: boolean;
  readonly isInvisible: boolean;
  /** A colour that may be that of a background in the page; undefined for all others. */
  readonly colour: string | undefined;
  /** Whether the colour cannot be seen on the background that is there. */
  readonly isLost: boolean;
  /** Of this element and those around it together. */
  readonly opacity: number;
}

const NOTHING: Around = { letter: LETTER, isTiny: false, isInvisible: false, colour: undefined, isLost: false, opacity: 1 };

export class HiddenText {
  readonly #root: HtmlElement;
  readonly #states = new Map<HtmlElement, HiddenKind | Around>();
  readonly #holding = new Map<HtmlElement, boolean>();
  readonly #spoken = new Map<string, boolean>();
  #sheets: readonly string[] | undefined;
  #cascade: Cascade | undefined;
  #grounds: Grounds | undefined;
  #targets: ReadonlySet<string> | undefined;
  #paid: ReadonlySet<string> | undefined;
  #isStyledElsewhere: boolean | undefined;

  /** `sheets` are the page's own style sheets, if the caller has already collected them. */
  constructor(root: HtmlElement, sheets?: readonly string[]) {
    this.#root = root;
    this.#sheets = sheets;
  }

  /** How an element is hidden, by itself or by an ancestor, or how its direct text is hidden. */
  kindOf(copy: HtmlElement): HiddenKind | undefined {
    const element = copy.original ?? copy;
    const state = this.#stateOf(element);
    if (state === NOTHING) return undefined;
    return typeof state === "string" ? state : this.#inheritedBy(state);
  }

  /** Whether the page has more rules that hide than can be compared with its elements, so that hidden text may be left in. */
  get isInPart(): boolean {
    return this.#cascade?.isSpent === true;
  }

  /** Whether everything in it is hidden as well. Otherwise descendants may be visible. */
  isWhole(copy: HtmlElement): boolean {
    return typeof this.#stateOf(copy.original ?? copy) === "string";
  }

  /** Whether something in it is visible. */
  holdsSeen(element: HtmlElement): boolean {
    if (this.isWhole(element)) return false;
    let holds = this.#holding.get(element);
    if (holds === undefined) {
      const isSeen = this.kindOf(element) === undefined;
      holds = element.children.some((child) =>
        typeof child === "string" ? isSeen && /\S/.test(child) : child.name === "img" ? this.isSeenPicture(child) : this.holdsSeen(child),
      );
      this.#holding.set(element, holds);
    }
    return holds;
  }

  /** The size and colour of letters do not matter to pictures. */
  isSeenPicture(picture: HtmlElement): boolean {
    const kind = this.kindOf(picture);
    return kind === undefined || (!this.isWhole(picture) && kind !== "display");
  }

  #stateOf(element: HtmlElement): HiddenKind | Around {
    let state = this.#states.get(element);
    if (state === undefined) {
      const around = element.parent ? this.#stateOf(element.parent) : NOTHING;
      state = typeof around === "string" ? around : this.#within(element, around);
      this.#states.set(element, state);
    }
    return state;
  }

  #within(element: HtmlElement, around: Around): HiddenKind | Around {
    const { attributes, name } = element;
    // A page that hides its whole body is shown by a script.
    const isWhole = name === "body" || name === "html" || name === "main";
    if (!isWhole && attributes.class !== undefined && this.#isSpoken(attributes.class)) return "screen-reader";
    const told = isWhole ? undefined : this.#toldHidden(element);
    if (told !== undefined && !this.#isUndone(element, told)) return told;
    if (!this.#styles.isSuspect(element) && !this.#couldChange(element, around)) return around;
    const style = this.#styles.styleOf(element);
    if (style.size === 0 && !isWhole && attributes.color === undefined && attributes.bgcolor === undefined) return around;
    const kind = isWhole ? undefined : hiddenBy(style, around.opacity);
    if (kind !== undefined && !this.#isUndone(element, kind, style)) return kind;
    return this.#inside(element, style, isWhole, around);
  }

  /** Whether a style that hides nothing by itself may change how what is inherited looks. */
  #couldChange(element: HtmlElement, around: Around): boolean {
    if (around === NOTHING) return false;
    if (around.isTiny || around.isInvisible || around.isLost || around.letter < 6 || around.opacity < 0.5) return true;
    return around.colour !== undefined && this.#styles.couldHaveGround(element);
  }

  /** Whether what hides it is only for the moment, or is not meant for its text. */
  #isUndone(element: HtmlElement, kind: HiddenKind, style?: Declarations): boolean {
    if (kind === "off-screen" && style?.has("text-indent") && isLabel(element)) return true;
    return (kind === "display" || kind === "aria-hidden") && this.#unfolds(element);
  }

  #toldHidden(element: HtmlElement): HiddenKind | undefined {
    const { attributes } = element;
    if (!hasRareAttributes(attributes) && element.name !== "dialog") return undefined;
    const told = toldHidden(element);
    if (told !== "display" || attributes.hidden === undefined || marked(element) !== undefined) return told;
    const display = this.#styles.styleOf(element).get("display");
    return display === undefined || display === "none" ? told : undefined;
  }

  #isSpoken(written: string): boolean {
    let isSpoken = this.#spoken.get(written);
    if (isSpoken === undefined) {
      isSpoken = SPOKEN.test(written);
      this.#spoken.set(written, isSpoken);
    }
    return isSpoken;
  }

  #unfolds(element: HtmlElement): boolean {
    const { name, attributes } = element;
    const { class: classes = "", id, role } = attributes;
    if (name === "a" || role === "tabpanel" || role === "region") return true;
    if (UNFOLDS.test(`${classes} ${id ?? ""}`.slice(0, 500)) || isInSeries(element) || this.#isPaidPart(element)) return true;
    // React inserts late parts hidden, with such ids.
    if (id !== undefined && (/^S:[0-9a-f]+$/.test(id) || this.#isTarget(id) || this.#styles.isShownSomewhere(element, `#${id}`)))
      return true;
    return classes !== "" && classes.split(/\s+/).some((one) => this.#styles.isShownSomewhere(element, `.${one}`));
  }

  /** Whether the page's data name it, or what is around it, as the part that subscribers are shown by a script. */
  #isPaidPart(element: HtmlElement): boolean {
    this.#paid ??= paidParts(this.#root, new Set());
    if (this.#paid.size === 0) return false;
    for (let at: HtmlElement | undefined = element; at; at = at.parent) {
      const { id, class: classes } = at.attributes;
      if (id !== undefined && this.#paid.has(`#${id}`)) return true;
      if (classes?.split(/\s+/).some((one) => this.#paid!.has(`.${one}`)) === true) return true;
    }
    return false;
  }

  /** Whether a link or button of the page refers to it. */
  #isTarget(id: string): boolean {
    this.#targets ??= targetsIn(this.#root, new Set());
    return this.#targets.has(id);
  }

  get #hasOtherSheets(): boolean {
    this.#isStyledElsewhere ??= hasOtherSheets(this.#root);
    return this.#isStyledElsewhere;
  }

  get #styles(): Cascade {
    this.#cascade ??= new Cascade(this.#root, this.#sheets ?? sheetsIn(this.#root, []));
    return this.#cascade;
  }

  #inside(element: HtmlElement, style: Declarations, isWhole: boolean, around: Around): Around {
    const own = style.get("-webkit-text-fill-color") ?? style.get("color") ?? element.attributes.color;
    const written = own === undefined || own === "currentcolor" ? around.colour : own;
    const { letter, isTiny } = letterSizeOf(style, around);
    // What a site's other sheets put behind its text is not known.
    const isKnown =
      written !== undefined && !isCutOut(style) && !(isWhole && this.#hasOtherSheets) && this.#styles.couldColourHide(written);
    const colour = isKnown ? written : undefined;
    return {
      letter,
      isTiny,
      isInvisible: !isWhole && (this.#isMadeInvisible(element, style) ?? around.isInvisible),
      colour,
      isLost: colour !== undefined && this.#isLost(element, colour),
      opacity: isWhole ? 1 : around.opacity * opacityOf(style),
    };
  }

  #isMadeInvisible(element: HtmlElement, style: Declarations): boolean | undefined {
    const isMade = isInvisible(style);
    return isMade === true && this.#unfolds(element) ? undefined : isMade;
  }

  #inheritedBy(around: Around): HiddenKind | undefined {
    if (around.isInvisible) return "display";
    if (around.isTiny) return "size";
    return around.isLost ? "colour" : undefined;
  }

  #isLost(element: HtmlElement, written: string): boolean {
    const colour = colourOf(written);
    if (colour === undefined) return false;
    this.#grounds ??= new Grounds(this.#styles);
    const ground = this.#grounds.behind(element, written);
    const isSeen = (ink: string) => {
      const one = colourOf(ink);
      return one === undefined || one.alpha < 0.05 || (ground !== null && areAlike(one, ground));
    };
    if (colour.alpha >= 0.05) {
      if (ground === null || !areAlike(colour, ground)) return false;
      // A site's other sheets may put it on one of its dark backgrounds.
      if (this.#hasOtherSheets && this.#styles.hasDarkGround && this.#grounds.isUnknown(element)) return false;
    }
    return !this.#isDrawnOn(element, isSeen);
  }

  #isDrawnOn(element: HtmlElement, isLost: (colour: string) => boolean): boolean {
    for (let at: HtmlElement | undefined = element; at; at = at.parent) {
      const style = this.#styles.styleOf(at);
      if (style.has("text-shadow") || style.has("-webkit-text-stroke") || style.has("-webkit-text-stroke-width"))
        return isDrawnOtherwise(style, isLost);
    }
    return false;
  }
}

/** Parts of a page of which one at a time is shown: the rule that hides the others may be for elements of any name. */
const SERIES = /(?:^|[\s_-])(?:tabs|tab-content|accordion|slides|slider|carousel|swiper|slideshow|gallery)(?:$|[\s_-])/i;

function isInSeries({ parent }: HtmlElement): boolean {
  let around = parent;
  for (let level = 0; around && level < 2; level += 1) {
    if (SERIES.test(around.attributes.class?.slice(0, 500) ?? "")) return true;
    around = around.parent;
  }
  return false;
}

const PAID_PARTS = /"cssSelector"\s*:\s*(?:"[^"]{1,200}"|\[[^\]]{1,500}\])/g;

/** Classes and ids of `hasPart` in schema.org data, with which sites tell search engines what is behind a paywall. */
function paidParts({ name, children }: HtmlElement, names: Set<string>): Set<string> {
  for (const child of children) {
    if (typeof child === "object") paidParts(child, names);
    else if (name === "script")
      for (const [selectors] of child.matchAll(PAID_PARTS)) for (const one of selectors.match(/[.#][\w-]+/g) ?? []) names.add(one);
  }
  return names;
}

/** Icons and colour swatches drawn by CSS have their names as hidden text, as images have an `alt`. */
const MAX_LABEL_LENGTH = 30;

const isLabel = ({ children }: HtmlElement): boolean => {
  const [only = ""] = children;
  return children.length < 2 && typeof only === "string" && only.trim().length <= MAX_LABEL_LENGTH;
};

const marked = ({ attributes }: HtmlElement): HiddenKind | undefined => {
  const mark = attributes["data-nuthatch-hidden"];
  return mark === "unseen" || mark === "display" ? mark : undefined;
};

/** Hiding by attributes alone, without styles. */
function toldHidden(element: HtmlElement): HiddenKind | undefined {
  const { attributes, name } = element;
  const mark = marked(element);
  if (mark !== undefined) return mark;
  if (attributes.hidden !== undefined && attributes.hidden.toLowerCase() !== "until-found") return "display";
  if (name === "dialog" ? attributes.open === undefined : attributes.popover !== undefined) return "display";
  return attributes["aria-hidden"]?.toLowerCase() === "true" && (!isDrawnFormula(element) || isSecondCopy(element))
    ? "aria-hidden"
    : undefined;
}

/** Text used as a clipping mask for a background picture. */
const isCutOut = (style: Declarations) => /(?:^|\s)text(?:$|[\s,])/.test(style.get("background-clip") ?? style.get("background") ?? "");

/** The page's own style sheets: those in it, and those in addresses that hold them. */
function sheetsIn(element: HtmlElement, sheets: string[]): string[] {
  for (const child of element.children) {
    if (typeof child === "string") continue;
    const sheet = sheetOf(child);
    if (sheet !== undefined) sheets.push(sheet);
    else if (child.name !== "style") sheetsIn(child, sheets);
  }
  return sheets;
}

/** The style sheet that an element gives for screens. */
export function sheetOf({ name, attributes, children }: HtmlElement): string | undefined {
  if (name === "style") return isStyleSheet(attributes) ? children.join("") : undefined;
  if (name !== "link" || !/(?:^|\s)stylesheet(?:$|\s)/i.test(attributes.rel ?? "")) return undefined;
  return isStyleSheet(attributes) ? sheetInUrl(attributes.href ?? "") : undefined;
}

function hasOtherSheets({ name, attributes, children }: HtmlElement): boolean {
  const { href = "", rel = "" } = attributes;
  if (name === "link" && !href.startsWith("data:") && (/(?:^|\s)stylesheet(?:$|\s)/i.test(rel) || /\.css(?:[?#]|$)/i.test(href)))
    return true;
  return children.some((child) => typeof child === "object" && hasOtherSheets(child));
}

function targetsIn({ attributes, children }: HtmlElement, targets: Set<string>): Set<string> {
  const { href } = attributes;
  if (href?.startsWith("#")) targets.add(href.slice(1));
  const controlled = attributes["aria-controls"];
  if (controlled !== undefined) for (const id of controlled.split(/\s+/)) targets.add(id);
  for (const opened of [attributes.popovertarget, attributes.commandfor]) if (opened !== undefined) targets.add(opened);
  for (const child of children) if (typeof child === "object") targetsIn(child, targets);
  return targets;
}
