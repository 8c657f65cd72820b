/** Picks out the rules and style attributes that could hide text: few of a page's, so that most elements cost little. */
import { areAlike, type Colour, WHITE } from "../hidden/colour.ts";
import { couldHide, groundsIn, hidingProperties, isTelling } from "./could-hide.ts";
import type { Declaration } from "./declared.ts";
import type { PageNames } from "./page-names.ts";
import { declaredBy, type Rule, type Rules } from "./rules.ts";
import { hasVariable, substituted } from "./variables.ts";

/** A custom property with more values could hold anything. */
const MAX_VALUES = 8;
const MAX_REMEMBERED = 5000;
const IN_GROUND = /background(?:-color|-image)?\s*:([^;}]{0,300}var\([^;}]{1,300})/gi;
const NAMED = /var\(\s*(--[^\s,)]+)/gi;

export class Suspects {
  readonly #page: PageNames;
  readonly #sheets: readonly string[];
  readonly #rules: Rules;
  /** The rules that elements of the page may match. */
  readonly #found: readonly Rule[];
  readonly #parse: (body: string) => readonly Declaration[];
  readonly #answers = new Map<string, boolean>();
  readonly #values = new Map<string, string[]>();
  readonly #properties = new Set<string>();
  #grounds: Colour[] | undefined;
  #isFilled = false;
  #isDark: boolean | undefined;

  constructor(
    page: PageNames,
    sheets: readonly string[],
    rules: Rules,
    found: readonly Rule[],
    parse: (body: string) => readonly Declaration[],
  ) {
    this.#page = page;
    this.#sheets = sheets;
    this.#rules = rules;
    this.#found = found;
    this.#parse = parse;
  }

  couldRuleHide(rule: Rule): boolean {
    return isTelling(rule.body, () => this.#colours) && this.#couldSomeHide(declaredBy(rule));
  }

  couldTextHide(body: string): boolean {
    let answer = this.#answers.get(body);
    if (answer === undefined) {
      if (this.#answers.size >= MAX_REMEMBERED) this.#answers.clear();
      answer = this.#couldSomeHide(this.#parse(body));
      this.#answers.set(body, answer);
    }
    return answer;
  }

  /** Whether text of this colour may be on a background of the same colour somewhere in the page. */
  couldColourHide(value: string): boolean {
    return couldHide("color", value, this.#colours);
  }

  /** The properties of the page's suspicious declarations. Only rules that set these, or what they depend on, are of interest. */
  get properties(): ReadonlySet<string> {
    for (const style of this.#page.styles) this.couldTextHide(style);
    return this.#properties;
  }

  #couldSomeHide(declared: readonly Declaration[]): boolean {
    let isAny = false;
    for (const one of declared) {
      if (!this.#couldHide(one)) continue;
      this.#properties.add(one.name);
      isAny = true;
    }
    return isAny;
  }

  #couldHide({ name, value }: Declaration): boolean {
    if (name.startsWith("--")) return false;
    if (name === "animation" || name === "animation-name") return this.#couldAnimationHide(value);
    if (!hidingProperties.has(name)) return false;
    if (!hasVariable(value)) return couldHide(name, value, this.#colours);
    const key = `${name}:${value}`;
    let answer = this.#answers.get(key);
    if (answer === undefined) {
      answer = this.#couldVariableHide(name, value);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  #couldAnimationHide(value: string): boolean {
    return value
      .split(/[\s,]+/)
      .some(
        (word) =>
          this.#rules.animations.has(word) &&
          this.#parse(this.#rules.animations.get(word)!).some(({ name, value: end }) => couldHide(name, end, this.#colours)),
      );
  }

  /** Tries the values that the page gives to a custom property, and the fallback. */
  #couldVariableHide(name: string, value: string): boolean {
    this.#fill();
    const several = new Set<string>();
    let most = 1;
    const oneOf = (wanted: string, turn: number) => {
      const values = this.#values.get(wanted);
      if (!values) return undefined;
      if (values.length > 1) several.add(wanted);
      most = Math.max(most, values.length);
      return values[Math.min(turn, values.length - 1)];
    };
    const couldBe = (lookup: (wanted: string) => string | undefined) => {
      const known = substituted(value, lookup, { left: 500 })?.trim().toLowerCase();
      return known !== undefined && couldHide(name, known, this.#colours);
    };
    for (let turn = 0; turn < most; turn += 1) {
      if (couldBe((wanted) => oneOf(wanted, turn)) || most > MAX_VALUES || several.size > 1) return true;
    }
    return couldBe(() => undefined);
  }

  get #colours(): readonly Colour[] {
    if (!this.#grounds) {
      const grounds: Colour[] = [WHITE];
      this.#grounds = grounds;
      for (const { body } of this.#found) if (body.includes("ackground")) this.#addGrounds(body, grounds);
      for (const style of this.#page.styles) if (style.includes("ackground")) this.#addGrounds(style, grounds);
    }
    return this.#grounds;
  }

  #addGrounds(css: string, grounds: Colour[]): void {
    groundsIn(css, grounds);
    if (!hasVariable(css)) return;
    const names = new Set<string>();
    for (const [, written = ""] of css.matchAll(IN_GROUND)) for (const [, name] of written.matchAll(NAMED)) names.add(name!);
    if (names.size > 0) this.#fill();
    for (const name of names)
      for (const value of this.#values.get(name) ?? []) {
        groundsIn(`background:${value}`, grounds);
        for (const [, other] of value.matchAll(NAMED)) names.add(other!);
      }
  }

  /** Whether a sheet sets a background that is not white, for whatever elements: a script may add them. */
  get hasDarkGround(): boolean {
    if (this.#isDark === undefined) {
      const grounds = [...this.#colours];
      const isDark = () => grounds.some((ground) => !areAlike(ground, WHITE));
      for (const sheet of this.#sheets) if (!isDark()) this.#addGrounds(sheet, grounds);
      this.#isDark = isDark();
    }
    return this.#isDark;
  }

  #fill(): void {
    if (this.#isFilled) return;
    this.#isFilled = true;
    const addValue = (name: string, value: string) => {
      const values = this.#values.get(name);
      if (!values) this.#values.set(name, [value]);
      else if (values.length <= MAX_VALUES && !values.includes(value)) values.push(value);
    };
    const add = (declared: readonly Declaration[]) => {
      for (const { name, value } of declared) if (name.startsWith("--")) addValue(name, value);
    };
    for (const rule of this.#found) if (rule.body.includes("--")) add(declaredBy(rule));
    for (const [name, value] of this.#rules.initials) addValue(name, value);
    for (const style of this.#page.styles) if (style.includes("--")) add(this.#parse(style));
  }
}
