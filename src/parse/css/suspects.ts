/** Picks out the rules and style attributes that could hide text: few of a page's, so that most elements cost little. */
import { type Colour, WHITE } from "../colour.ts";
import type { HtmlElement } from "../html-tree.ts";
import { couldHide, groundsIn, isTelling } from "./could-hide.ts";
import type { Declaration } from "./declared.ts";
import type { Rules } from "./rules.ts";
import { hasVariable, substituted } from "./variables.ts";

/** A custom property with more values could hold anything. */
const MOST_VALUES = 8;
const MOST_REMEMBERED = 5000;
const IN_GROUND = /background(?:-color|-image)?\s*:([^;}]{0,300}var\([^;}]{1,300})/gi;
const NAMED = /var\(\s*(--[^\s,)]+)/gi;

export class Suspects {
  readonly #root: HtmlElement;
  readonly #sheets: readonly string[];
  readonly #rules: Rules;
  readonly #parse: (body: string) => readonly Declaration[];
  readonly #answers = new Map<string, boolean>();
  readonly #values = new Map<string, Set<string>>();
  #grounds: Colour[] | undefined;
  #isFilled = false;

  constructor(root: HtmlElement, sheets: readonly string[], rules: Rules, parse: (body: string) => readonly Declaration[]) {
    this.#root = root;
    this.#sheets = sheets;
    this.#rules = rules;
    this.#parse = parse;
  }

  couldRuleHide(body: string): boolean {
    return isTelling(body, () => this.#colours) && this.couldTextHide(body);
  }

  couldTextHide(body: string): boolean {
    let answer = this.#answers.get(body);
    if (answer === undefined) {
      if (this.#answers.size >= MOST_REMEMBERED) this.#answers.clear();
      answer = this.#parse(body).some((one) => this.#couldHide(one));
      this.#answers.set(body, answer);
    }
    return answer;
  }

  #couldHide({ name, value }: Declaration): boolean {
    if (name.startsWith("--")) return false;
    if (name === "animation" || name === "animation-name") return this.#couldAnimationHide(value);
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
      const values = [...(this.#values.get(wanted) ?? [])];
      if (values.length > 1) several.add(wanted);
      most = Math.max(most, values.length);
      return values[Math.min(turn, values.length - 1)];
    };
    const couldBe = (lookup: (wanted: string) => string | undefined) => {
      const known = substituted(value, lookup, { left: 500 })?.trim().toLowerCase();
      return known !== undefined && couldHide(name, known, this.#colours);
    };
    for (let turn = 0; turn < most; turn += 1) {
      if (couldBe((wanted) => oneOf(wanted, turn)) || most > MOST_VALUES || several.size > 1) return true;
    }
    return couldBe(() => undefined);
  }

  get #colours(): readonly Colour[] {
    if (!this.#grounds) {
      const grounds: Colour[] = [WHITE];
      this.#grounds = grounds;
      const names = new Set<string>();
      const add = (css: string) => {
        groundsIn(css, grounds);
        for (const [, written = ""] of css.matchAll(IN_GROUND)) for (const [, name] of written.matchAll(NAMED)) names.add(name!);
      };
      for (const sheet of this.#sheets) add(sheet);
      this.#eachStyle(add);
      if (names.size > 0) this.#fill();
      for (const name of names)
        for (const value of this.#values.get(name) ?? []) {
          groundsIn(`background:${value}`, grounds);
          for (const [, other] of value.matchAll(NAMED)) names.add(other!);
        }
    }
    return this.#grounds;
  }

  get hasDarkGround(): boolean {
    return this.#colours.length > 1;
  }

  #fill(): void {
    if (this.#isFilled) return;
    this.#isFilled = true;
    const add = (body: string) => {
      if (!body.includes("--")) return;
      for (const { name, value } of this.#parse(body)) {
        if (!name.startsWith("--")) continue;
        const values = this.#values.get(name) ?? new Set();
        this.#values.set(name, values);
        if (values.size <= MOST_VALUES) values.add(value);
      }
    };
    for (const { body } of this.#rules.rules) add(body);
    for (const [name, value] of this.#rules.initials) this.#values.set(name, (this.#values.get(name) ?? new Set()).add(value));
    this.#eachStyle(add);
  }

  #eachStyle(call: (style: string) => void): void {
    const visit = ({ attributes, children }: HtmlElement) => {
      if (attributes.style !== undefined) call(attributes.style);
      if (attributes.bgcolor !== undefined) call(`background:${attributes.bgcolor}`);
      for (const child of children) if (typeof child === "object") visit(child);
    };
    visit(this.#root);
  }
}
