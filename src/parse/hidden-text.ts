/**
 * Finds elements with text that is invisible on the page. Only programs read such text, so it can be used to address
 * them without people noticing.
 */
import { type AttributeValues, hasRareAttributes } from "./attributes.ts";
import { areAlike, type Colour, colourOf, WHITE } from "./colour.ts";
import { addDeclarations, type Declarations, type HiddenBy, hiddenBy, isInvisible, isTiny } from "./declarations.ts";
import type { HtmlElement } from "./html-tree.ts";
import { isDrawnFormula, isSecondCopy } from "./math-text.ts";
import { type OwnStyles, ownStyles } from "./own-styles.ts";

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
  readonly isTiny: boolean;
  readonly isInvisible: boolean;
  readonly colour: Colour | undefined;
  /** Undefined if none is declared, null if it is unknown. */
  readonly background: Colour | null | undefined;
}

const NOTHING: Around = { isTiny: false, isInvisible: false, colour: undefined, background: undefined };

export class HiddenText {
  readonly #root: HtmlElement;
  readonly #states = new Map<HtmlElement, HiddenKind | Around>();
  readonly #classes = new Map<string, Classes>();
  #sheets: readonly string[] | undefined;
  #styles: OwnStyles | undefined;
  #targets: ReadonlySet<string> | undefined;

  /** `sheets` are the page's own style sheets, if the caller has already collected them. */
  constructor(root: HtmlElement, sheets?: readonly string[]) {
    this.#root = root;
    this.#sheets = sheets;
  }

  /** How an element is hidden, by itself or by an ancestor, or how its direct text is hidden. */
  kindOf(element: HtmlElement): HiddenKind | undefined {
    const state = this.#stateOf(element);
    if (state === NOTHING) return undefined;
    return typeof state === "string" ? state : this.#inheritedBy(state);
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
    const hasMore = hasRareAttributes(attributes);
    if (!hasMore && attributes.class === undefined && attributes.id === undefined) return around;
    const classes = attributes.class === undefined ? undefined : this.#classesOf(name, attributes.class);
    const style = this.#styleOf(element, classes);
    if (!classes?.isSpoken && !style && !hasMore) return around;
    // A page that hides its whole body is shown by a script.
    const isWhole = name === "body" || name === "html" || name === "main";
    const kind = isWhole ? undefined : this.#hiddenHow(element, classes, style);
    if (kind !== undefined) return kind;
    return style || attributes.bgcolor || attributes.color ? inside(attributes, style, isWhole, around) : around;
  }

  #hiddenHow(element: HtmlElement, classes: Classes | undefined, style: Declarations | undefined): HiddenKind | undefined {
    if (classes?.isSpoken) return "screen-reader";
    const kind = toldHidden(element) ?? (style && hiddenBy(style));
    if (kind === "off-screen" && style?.has("text-indent") && isLabel(element)) return undefined;
    return (kind === "display" || kind === "aria-hidden") && this.#unfolds(element) ? undefined : kind;
  }

  #unfolds({ name, attributes }: HtmlElement): boolean {
    const { class: classes = "", id, role } = attributes;
    if (name === "a" || role === "tabpanel" || role === "region") return true;
    if (UNFOLDS.test(`${classes} ${id ?? ""}`.slice(0, 500))) return true;
    // React inserts late parts hidden, with such ids.
    if (id !== undefined && (/^S:[0-9a-f]+$/.test(id) || this.#isTarget(id) || this.#ownStyles.isShownSomewhere(`#${id}`))) return true;
    return classes !== "" && classes.split(/\s+/).some((one) => this.#ownStyles.isShownSomewhere(`.${one}`));
  }

  /** Whether a link or button of the page refers to it. */
  #isTarget(id: string): boolean {
    this.#targets ??= targetsIn(this.#root, new Set());
    return this.#targets.has(id);
  }

  get #ownStyles(): OwnStyles {
    this.#styles ??= ownStyles(this.#sheets ?? sheetsIn(this.#root, []));
    return this.#styles;
  }

  #styleOf({ name, attributes }: HtmlElement, classes: Classes | undefined): Declarations | undefined {
    const { id, style } = attributes;
    const { rules } = this.#ownStyles;
    let all = classes?.style;
    const byId = id === undefined || rules.size === 0 ? undefined : (rules.get(`#${id}`) ?? rules.get(`${name}#${id}`));
    if (byId) all = all ? new Map([...all, ...byId]) : byId;
    if (style === undefined) return all;
    const own: Declarations = new Map(all);
    addDeclarations(style, own);
    return own.size === 0 ? undefined : own;
  }

  #classesOf(name: string, written: string): Classes {
    const key = this.#ownStyles.hasNames ? `${name} ${written}` : written;
    let classes = this.#classes.get(key);
    if (classes === undefined) {
      classes = { isSpoken: SPOKEN.test(written), style: styleOfClasses(name, written, this.#ownStyles.rules) };
      this.#classes.set(key, classes);
    }
    return classes;
  }

  #inheritedBy({ isTiny, isInvisible, colour, background }: Around): HiddenKind | undefined {
    if (isInvisible) return "display";
    if (isTiny) return "size";
    if (colour === undefined) return undefined;
    if (colour.alpha < 0.05) return "colour";
    if (background === null || !areAlike(colour, background ?? WHITE)) return undefined;
    return background === undefined && this.#ownStyles.hasDarkGround ? undefined : "colour";
  }
}

/** Icons and colour swatches drawn by CSS have their names as hidden text, as images have an `alt`. */
const LONGEST_LABEL = 30;

const isLabel = ({ children }: HtmlElement): boolean => {
  const [only = ""] = children;
  return children.length < 2 && typeof only === "string" && only.trim().length <= LONGEST_LABEL;
};

interface Classes {
  readonly isSpoken: boolean;
  readonly style: Declarations | undefined;
}

function styleOfClasses(name: string, written: string, rules: OwnStyles["rules"]): Declarations | undefined {
  if (rules.size === 0) return undefined;
  let style: Declarations | undefined;
  for (const one of written.trim().split(/\s+/))
    for (const rule of [rules.get(`.${one}`), rules.get(`${name}.${one}`)]) if (rule) style = style ? new Map([...style, ...rule]) : rule;
  return style;
}

/** Hiding by attributes alone, without styles. */
function toldHidden(element: HtmlElement): HiddenKind | undefined {
  const { attributes } = element;
  const marked = attributes["data-nuthatch-hidden"];
  if (marked === "unseen" || marked === "display") return marked;
  if (attributes.hidden !== undefined && attributes.hidden !== "until-found") return "display";
  return attributes["aria-hidden"]?.toLowerCase() === "true" && (!isDrawnFormula(element) || isSecondCopy(element))
    ? "aria-hidden"
    : undefined;
}

function inside({ bgcolor, color }: AttributeValues, style: Declarations | undefined, isWhole: boolean, around: Around): Around {
  const behind = style?.get("background-color") ?? style?.get("background") ?? style?.get("background-image") ?? bgcolor;
  const written = style?.get("-webkit-text-fill-color") ?? style?.get("color") ?? color;
  return {
    isTiny: (style && isTiny(style)) ?? around.isTiny,
    isInvisible: !isWhole && ((style && isInvisible(style)) ?? around.isInvisible),
    colour: written === undefined ? around.colour : style && isCutOut(style) ? undefined : colourOf(written),
    background: behind === undefined ? around.background : backgroundOf(behind, around.background),
  };
}

/** Text used as a clipping mask for a background picture. */
const isCutOut = (style: Declarations) => /text/.test(style.get("background-clip") ?? style.get("-webkit-background-clip") ?? "");

function backgroundOf(written: string, around: Around["background"]): Around["background"] {
  if (/url|gradient|var|image/.test(written)) return null;
  const parts = [written, ...written.split(/\s+(?![^(]*\))/)];
  const colour = parts.map(colourOf).find((one) => one !== undefined);
  if (colour === undefined) return /^(?:inherit|none|0|unset|initial)/.test(written) ? around : null;
  return colour.alpha < 0.1 ? around : colour.alpha < 0.9 ? null : colour;
}

function sheetsIn(element: HtmlElement, sheets: string[]): string[] {
  for (const child of element.children) {
    if (typeof child === "string") continue;
    if (child.name === "style") sheets.push(child.children.join(""));
    else sheetsIn(child, sheets);
  }
  return sheets;
}

function targetsIn({ attributes, children }: HtmlElement, targets: Set<string>): Set<string> {
  const { href } = attributes;
  if (href?.startsWith("#")) targets.add(href.slice(1));
  const controlled = attributes["aria-controls"];
  if (controlled !== undefined) for (const id of controlled.split(/\s+/)) targets.add(id);
  for (const child of children) if (typeof child === "object") targetsIn(child, targets);
  return targets;
}
