/**
 * The names around an element, as bits: rejects most selectors such as `.menu .item` without a walk to the root.
 * A bit may stand for several names, so that a match still has to be confirmed.
 */
import type { Selector } from "css-what";
import type { HtmlElement } from "../html-tree.ts";
import type { PageNames } from "./page-names.ts";

/** Four words of 30 bits, which engines keep without an allocation. */
export interface Bits {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

const WORD = 30;
const SIZE = 4 * WORD;
const NONE: Bits = { a: 0, b: 0, c: 0, d: 0 };

const bitOf = (place: number): Bits => {
  const bit = 1 << (place % WORD);
  const word = Math.floor(place / WORD);
  return { a: word === 0 ? bit : 0, b: word === 1 ? bit : 0, c: word === 2 ? bit : 0, d: word === 3 ? bit : 0 };
};
const everyBit = Array.from({ length: SIZE }, (_, place) => bitOf(place));

const both = (one: Bits, other: Bits): Bits =>
  holds(one, other) ? one : { a: one.a | other.a, b: one.b | other.b, c: one.c | other.c, d: one.d | other.d };

const holds = (bits: Bits, wanted: Bits): boolean =>
  (bits.a & wanted.a) === wanted.a &&
  (bits.b & wanted.b) === wanted.b &&
  (bits.c & wanted.c) === wanted.c &&
  (bits.d & wanted.d) === wanted.d;

export class Ancestors {
  readonly #known = new Map<HtmlElement, Bits>();
  readonly #bits = new Map<string, Bits>();
  readonly #lists = new Map<string, Bits>();
  readonly #page: PageNames;

  constructor(page: PageNames) {
    this.#page = page;
  }

  /** What a selector asks of the elements around; undefined if it asks nothing. */
  wantedBy(selector: readonly Selector[]): Bits | undefined {
    let wanted = NONE;
    let isAround = false;
    for (let at = selector.length - 1; at >= 0; at -= 1) {
      const token = selector[at]!;
      // Names before `+` and `~` are those of siblings, up to the next combinator.
      if (token.type === "sibling" || token.type === "adjacent") isAround = false;
      else if (token.type === "descendant" || token.type === "child") isAround = true;
      else if (isAround) wanted = both(wanted, this.#ofToken(token));
    }
    return wanted === NONE ? undefined : wanted;
  }

  have(element: HtmlElement, wanted: Bits): boolean {
    return element.parent !== undefined && holds(this.#of(element.parent), wanted);
  }

  #ofToken(token: Selector): Bits {
    if (token.type === "tag") return this.#bit(token.name.toLowerCase());
    if (token.type !== "attribute" || token.ignoreCase === true) return NONE;
    if (token.name === "class" && token.action === "element") return this.#bit(`.${token.value}`);
    return token.name === "id" && token.action === "equals" ? this.#bit(`#${token.value}`) : NONE;
  }

  /** The names of an element and of those around it. */
  #of(element: HtmlElement): Bits {
    let bits = this.#known.get(element);
    if (!bits) {
      const { name, attributes, parent } = element;
      bits = both(parent ? this.#of(parent) : NONE, this.#bit(name));
      if (attributes.class !== undefined) bits = both(bits, this.#ofList(attributes.class));
      if (attributes.id !== undefined) bits = both(bits, this.#bit(`#${attributes.id}`));
      this.#known.set(element, bits);
    }
    return bits;
  }

  #ofList(list: string): Bits {
    let bits = this.#lists.get(list);
    if (!bits) {
      bits = this.#page.wordsOf(list).reduce((all, one) => both(all, this.#bit(`.${one}`)), NONE);
      this.#lists.set(list, bits);
    }
    return bits;
  }

  #bit(name: string): Bits {
    let bits = this.#bits.get(name);
    if (!bits) {
      // In turn, so that the names spread evenly.
      bits = everyBit[this.#bits.size % SIZE]!;
      this.#bits.set(name, bits);
    }
    return bits;
  }
}
