/** The declarations that apply to an element, by the page's own style sheets and its style attribute (CSS Cascade 5). */
import { hasRareAttributes } from "../attributes.ts";
import type { HtmlElement } from "../html-tree.ts";
import { Ancestors } from "./ancestors.ts";
import { addDeclarations, type Declaration, type Declarations, declarationsOf, isValid } from "./declared.ts";
import { calculated } from "./numbers.ts";
import { PageNames } from "./page-names.ts";
import { Places } from "./places.ts";
import { declaredBy, type Rules, readRules } from "./rules.ts";
import { type Entry, entriesIn, SelectorIndex } from "./selector-index.ts";
import { type Match, matches, parseSelector } from "./selectors.ts";
import { type Showing, showingRules } from "./shown-somewhere.ts";
import { Suspects } from "./suspects.ts";
import { type Budget, hasVariable, substituted } from "./variables.ts";

/**
 * Comparisons of selectors with elements, for the rules that hide and again for all others, and substitutions of variables, in one page.
 * Large real pages need a tenth of this.
 */
const MAX_COMPARISONS = 500_000;
const MAX_SUBSTITUTIONS = 200_000;
const MAX_REMEMBERED = 20_000;
const NOTHING: Declarations = new Map();

const inherited = new Set(
  "visibility font-size text-indent white-space color -webkit-text-fill-color text-shadow line-height letter-spacing -webkit-text-stroke -webkit-text-stroke-width".split(
    " ",
  ),
);

export class Cascade {
  readonly #rules: Rules;
  readonly #page: PageNames;
  readonly #suspects: Suspects;
  readonly #entries: readonly Entry[];
  readonly #suspicious: SelectorIndex;
  #all: SelectorIndex | undefined;
  #grounds: SelectorIndex | undefined;
  #showing: ReadonlyMap<string, readonly Showing[]> | undefined;
  readonly #match: Match;
  /** Of its own, so that rules that hide nothing cannot use up what finds hidden text. */
  readonly #hidingMatch: Match;
  readonly #budget: Budget = { left: MAX_SUBSTITUTIONS };
  readonly #cascaded = new Map<HtmlElement, Declarations>();
  readonly #styles = new Map<HtmlElement, Declarations>();
  /** By the rules that match. */
  readonly #shared = new Map<string, Declarations>();
  /** The styles of those that do not depend on the element. */
  readonly #settled = new Map<Declarations, Declarations>();
  readonly #declared = new Map<string, readonly Declaration[]>();

  constructor(root: HtmlElement, sheets: readonly string[]) {
    this.#rules = readRules(sheets);
    this.#page = new PageNames(root);
    const about = { places: new Places(), ancestors: new Ancestors(this.#page) };
    this.#match = { ...about, left: MAX_COMPARISONS };
    this.#hidingMatch = { ...about, left: MAX_COMPARISONS };
    this.#entries = entriesIn(this.#rules.rules, this.#page);
    const found = [...new Set(this.#entries.map(({ rule }) => rule))];
    this.#suspects = new Suspects(this.#page, sheets, this.#rules, found, (body) => this.#parsed(body));
    const suspicious = new Set(found.filter((rule) => this.#suspects.couldRuleHide(rule)));
    this.#suspicious = new SelectorIndex(
      this.#entries.filter(({ rule }) => suspicious.has(rule)),
      this.#page,
    );
  }

  /** Whether a rule shows elements of this class or id under conditions that the element does not meet now. */
  isShownSomewhere(element: HtmlElement, name: string): boolean {
    this.#showing ??= showingRules(this.#rules.rules, this.#page);
    return (
      this.#showing.get(name)?.some(({ rule, selector }) => !rule.isInForce || !matches(element, parseSelector(selector), this.#match)) ===
      true
    );
  }

  /** Whether the page has so many rules that some could not be compared with its elements. */
  get isSpent(): boolean {
    return this.#hidingMatch.left < 0;
  }

  /** Whether a sheet sets a background that is not white. */
  get hasDarkGround(): boolean {
    return this.#suspects.hasDarkGround;
  }

  /** Whether text of this colour may be invisible somewhere in the page. */
  couldColourHide(value: string): boolean {
    return this.#suspects.couldColourHide(value);
  }

  /** Whether a declaration for the element could hide text; if not, callers need not ask for its style. */
  isSuspect(element: HtmlElement): boolean {
    const { attributes } = element;
    if (hasRareAttributes(attributes)) {
      if (attributes.style !== undefined && this.#suspects.couldTextHide(attributes.style)) return true;
      if (attributes.color !== undefined && this.#suspects.couldColourHide(attributes.color.trim().toLowerCase())) return true;
    }
    return this.#suspicious.hasAny(element, this.#hidingMatch);
  }

  /** Whether the element may have a background. */
  couldHaveGround(element: HtmlElement): boolean {
    const { attributes } = element;
    if (hasRareAttributes(attributes)) {
      if (attributes.bgcolor !== undefined) return true;
      if (attributes.style !== undefined && SETS_GROUND.test(attributes.style)) return true;
    }
    this.#grounds ??= new SelectorIndex(
      this.#entries.filter(({ rule }) => SETS_GROUND.test(rule.body)),
      this.#page,
    );
    return this.#grounds.hasAny(element, this.#match);
  }

  /** The declared values in force, without variables and math functions. What is inherited is not among them. */
  styleOf(element: HtmlElement): Declarations {
    let style = this.#styles.get(element);
    if (!style) {
      style = this.#resolved(element);
      this.#styles.set(element, style);
    }
    return style;
  }

  #resolved(element: HtmlElement): Declarations {
    const raw = this.#cascadedOf(element);
    if (raw.size === 0) return NOTHING;
    const known = this.#settled.get(raw);
    if (known) return known;
    const style: Declarations = new Map();
    let isOwn = false;
    for (const [name, value] of raw) {
      if (name.startsWith("--")) continue;
      isOwn ||= hasVariable(value) || value === "inherit";
      this.#settle(element, name, value, style);
    }
    this.#animated(style);
    if (!isOwn) this.#settled.set(raw, style);
    return style;
  }

  #settle(element: HtmlElement, name: string, value: string, style: Declarations): void {
    const known = hasVariable(value)
      ? substituted(value, (wanted) => this.#customOf(element, wanted), this.#budget)
          ?.trim()
          .toLowerCase()
      : value;
    if (known === undefined || (known !== value && !isValid(name, known))) return;
    if (/^(?:unset|revert|revert-layer|inherit)$/.test(known) || (known === "initial" && !inherited.has(name))) {
      if (known === "inherit" && !inherited.has(name)) this.#inherit(element, name, style);
    } else style.set(name, calculated(known));
  }

  #inherit({ parent }: HtmlElement, name: string, style: Declarations): void {
    const value = parent && this.styleOf(parent).get(name);
    if (value !== undefined) style.set(name, value);
  }

  /** An animation that goes on, or keeps its end, decides what is seen. */
  #animated(style: Declarations): void {
    const written = style.get("animation") ?? style.get("animation-name");
    if (written === undefined) return;
    const how = `${written} ${style.get("animation-fill-mode") ?? ""} ${style.get("animation-iteration-count") ?? ""}`;
    if (!/forwards|both|infinite/.test(how)) return;
    const name = written.split(/[\s,]+/).find((word) => this.#rules.animations.has(word));
    if (name === undefined) return;
    for (const one of this.#parsed(this.#rules.animations.get(name)!))
      if (!one.name.startsWith("--")) style.set(one.name, calculated(one.value));
  }

  #cascadedOf(element: HtmlElement): Declarations {
    let raw = this.#cascaded.get(element);
    if (!raw) {
      raw = this.#cascade(element);
      this.#cascaded.set(element, raw);
    }
    return raw;
  }

  #cascade(element: HtmlElement): Declarations {
    this.#all ??= new SelectorIndex(this.#entries.filter(mattersFor(this.#suspects.properties)), this.#page);
    const entries = this.#match.left < 0 ? [] : this.#all.of(element, this.#match);
    // A page with too many rules is judged by those that hide, because others may only be there to use up the bound.
    if (this.#match.left < 0) entries.splice(0, entries.length, ...this.#suspicious.of(element, this.#hidingMatch));
    const { style } = element.attributes;
    if (entries.length === 0 && style === undefined) return NOTHING;
    entries.sort(byStrength);
    return style === undefined ? this.#sharedBy(entries) : this.#merged(entries, this.#parsed(style));
  }

  /** Many elements of a page match the same rules. */
  #sharedBy(entries: readonly Entry[]): Declarations {
    const key = entries.map(({ rule }) => rule.order).join(" ");
    let raw = this.#shared.get(key);
    if (!raw) {
      raw = this.#merged(entries, []);
      this.#shared.set(key, raw);
    }
    return raw;
  }

  #merged(entries: readonly Entry[], own: readonly Declaration[]): Declarations {
    const raw: Declarations = new Map();
    for (const { rule } of entries) addDeclarations(declaredBy(rule), raw, false);
    addDeclarations(own, raw, false);
    // Among important rules the first layer wins.
    const important = entries.filter(({ rule }) => declaredBy(rule).some(({ isImportant }) => isImportant));
    important.sort((one, other) => other.rule.layer.rank - one.rule.layer.rank);
    for (const { rule } of important) addDeclarations(declaredBy(rule), raw, true);
    addDeclarations(own, raw, true);
    return raw;
  }

  #customOf(element: HtmlElement, name: string): string | undefined {
    for (let at: HtmlElement | undefined = element; at; at = at.parent) {
      const value = this.#cascadedOf(at).get(name);
      if (value !== undefined && !/^(?:inherit|unset|revert|revert-layer)$/i.test(value)) return value;
    }
    return this.#rules.initials.get(name);
  }

  #parsed(body: string): readonly Declaration[] {
    let declared = this.#declared.get(body);
    if (!declared) {
      if (this.#declared.size >= MAX_REMEMBERED) this.#declared.clear();
      declared = declarationsOf(body);
      this.#declared.set(body, declared);
    }
    return declared;
  }
}

/** Backgrounds besides none. Escapes may stand for anything. */
const SETS_GROUND =
  /background(?:-color|-image)?\s*:(?!\s*(?:none|transparent|0 0|0|inherit|initial|unset)\s*(?:!|;|$))|\\|(?:^|[;\s])all\s*:/i;

/** What the others depend on, and the properties that hide text by themselves. */
const ALWAYS = "display|visib|opacity|filter|font|zoom|all|animation|mask|spacing|--|\\\\";
const INK = "color|background|shadow|stroke";
const BOX =
  "position|left|top|right|bottom|inset|margin|padding|width|height|size|sizing|overflow|indent|white-space|transform|translate|scale|rotate|backface|clip|contain|offset";
const isAlways = new RegExp(ALWAYS);
const isInk = new RegExp(`^(?:${INK})|-webkit-text-fill`);

/** Keeps the rules that set a property of a suspicious declaration, or one of those that decide with it. */
function mattersFor(properties: ReadonlySet<string>): (entry: Entry) => boolean {
  const names = [...properties];
  const isAboutInk = names.some((name) => isInk.test(name));
  const isAboutBoxes = names.some((name) => !isInk.test(name) && !isAlways.test(name));
  const mattering = new RegExp([ALWAYS, ...(isAboutInk ? [INK] : []), ...(isAboutBoxes ? [BOX] : [])].join("|"), "i");
  return ({ rule }) => mattering.test(rule.body);
}

const byStrength = (one: Entry, other: Entry): number =>
  one.rule.layer.rank - other.rule.layer.rank || one.specificity - other.specificity || one.rule.order - other.rule.order;
