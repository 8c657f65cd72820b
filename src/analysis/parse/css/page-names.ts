/** The names that selectors can find in a page. Rules for other elements need not be read any further: most of a page's rules. */
import { hasRareAttributes } from "../attributes.ts";
import type { HtmlElement } from "../html-tree.ts";

export class PageNames {
  readonly #root: HtmlElement;
  readonly #names = new Set<string>();
  readonly #classes = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #lists = new Map<string, readonly string[]>();
  #styles: string[] | undefined;

  constructor(root: HtmlElement) {
    this.#root = root;
  }

  /** The style attributes, and background attributes as declarations. */
  get styles(): readonly string[] {
    return this.#read();
  }

  /** When it is first asked: pages without style sheets need none of it. */
  #read(): readonly string[] {
    if (!this.#styles) {
      this.#styles = [];
      this.#visit(this.#root, this.#styles);
    }
    return this.#styles;
  }

  #visit({ name, attributes, children }: HtmlElement, styles: string[]): void {
    this.#names.add(name);
    if (attributes.class !== undefined && !this.#lists.has(attributes.class))
      for (const one of this.wordsOf(attributes.class)) this.#classes.add(one);
    if (attributes.id !== undefined) this.#ids.add(attributes.id);
    if (hasRareAttributes(attributes)) {
      if (attributes.style !== undefined) styles.push(attributes.style);
      if (attributes.bgcolor !== undefined) styles.push(`background:${attributes.bgcolor}`);
    }
    for (const child of children) if (typeof child === "object") this.#visit(child, styles);
  }

  /** The names in a class attribute, each once. */
  wordsOf(list: string): readonly string[] {
    let words = this.#lists.get(list);
    if (!words) {
      words = /\s/.test(list) ? [...new Set(list.split(/\s+/).filter((one) => one !== ""))] : list === "" ? [] : [list];
      this.#lists.set(list, words);
    }
    return words;
  }

  /** Whether a selector key, such as `.name`, may be of some element. */
  has(key: string): boolean {
    if (key === ANY) return true;
    this.#read();
    const sign = key.charCodeAt(0);
    return sign === DOT ? this.#classes.has(key.slice(1)) : sign === HASH ? this.#ids.has(key.slice(1)) : this.#names.has(key);
  }

  /** Whether there is an element for each name of a selector. Brackets may hold names that must be missing. */
  hasAllOf(selector: string): boolean {
    if (!isPlain(selector)) return true;
    for (let at = 0; at < selector.length; at += 1) {
      const sign = selector.charCodeAt(at);
      if (sign !== DOT && sign !== HASH) continue;
      const start = at + 1;
      while (at + 1 < selector.length && isNameLetter(selector.charCodeAt(at + 1))) at += 1;
      if (!(sign === DOT ? this.#classes : this.#ids).has(selector.slice(start, at + 1))) return false;
    }
    return true;
  }
}

/** Where rules for any element are looked up. */
export const ANY = "*";
const DOT = 46;
const HASH = 35;

/** Letters, digits, `-` and `_`. */
export const isNameLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || code === 45 || (code >= 48 && code <= 57) || code === 95 || (code >= 65 && code <= 90);

/** Without brackets, escapes and other letters than those of ASCII. */
export const isPlain = (selector: string): boolean => !/[^\w\s.#:>+~*-]/.test(selector);
