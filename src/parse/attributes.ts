/** The attributes of the tag just read: where their values stand, copied and decoded only when asked for. */
import { decodeHTMLAttribute } from "entities/decode";
import { NameTable } from "./name-table.ts";

const names = [
  "href",
  "src",
  "rel",
  "title",
  "alt",
  "aria-label",
  "name",
  "property",
  "content",
  "http-equiv",
  "type",
  "lang",
  "xml:lang",
  "class",
  "start",
  "colspan",
  "rowspan",
  "role",
  "hidden",
  "aria-hidden",
  "data-src",
  "data-srcset",
  "data-original",
  "data-lazy-src",
  "srcset",
  "id",
  "itemprop",
  "itemscope",
  "itemtype",
  "itemid",
  "itemref",
  "typeof",
  "vocab",
  "resource",
  "about",
  "datetime",
  "pubdate",
  "width",
  "height",
  "style",
  "value",
  "encoding",
  "alttext",
] as const;
export type AttributeName = (typeof names)[number];
export type AttributeValues = Readonly<Partial<Record<AttributeName, string | undefined>>>;

const table = new NameTable(names.map((name, place) => ({ name, place })));

/** All begin with the same properties in the same order: whoever asks many elements for them is answered far sooner than if each had its own. */
const noValues = (): { -readonly [name in keyof AttributeValues]: string | undefined } => ({
  class: undefined,
  id: undefined,
  href: undefined,
  rel: undefined,
  role: undefined,
  itemprop: undefined,
  property: undefined,
  title: undefined,
});

/** Of elements that have none. */
export const NO_ATTRIBUTES: AttributeValues = Object.freeze(noValues());

export class Attributes {
  readonly #source: string;
  readonly #codes: Uint16Array;
  /** Start and end of each value; a start of -1 stands for none. */
  readonly #values = new Int32Array(2 * names.length).fill(-1);
  /** Their places in the list of names, in the order of the tag. */
  readonly #found = new Uint8Array(names.length);
  #count = 0;

  constructor(source: string, codes: Uint16Array) {
    this.#source = source;
    this.#codes = codes;
  }

  clear(): void {
    for (let at = 0; at < this.#count; at += 1) this.#values[2 * this.#found[at]!] = -1;
    this.#count = 0;
  }

  /** The first of two attributes of one name counts. */
  keep(nameStart: number, nameEnd: number, nameHash: number, start: number, end: number): void {
    const found = table.find(this.#codes, nameStart, nameEnd, nameHash);
    if (found === undefined) return;
    const place = 2 * found.place;
    if (this.#values[place] !== -1) return;
    this.#found[this.#count++] = found.place;
    this.#values[place] = start;
    this.#values[place + 1] = end;
  }

  /** A tag has few: they are looked through sooner than a name is looked up. */
  get(name: AttributeName): string | undefined {
    for (let at = 0; at < this.#count; at += 1) {
      const place = this.#found[at]!;
      if (names[place] === name) return this.#valueAt(place);
    }
    return undefined;
  }

  all(): AttributeValues {
    if (this.#count === 0) return NO_ATTRIBUTES;
    const values = noValues();
    for (let at = 0; at < this.#count; at += 1) {
      const place = this.#found[at]!;
      values[names[place]!] = this.#valueAt(place);
    }
    return values;
  }

  #valueAt(place: number): string {
    const value = this.#source.slice(this.#values[2 * place], this.#values[2 * place + 1]);
    return value.includes("&") ? decodeHTMLAttribute(value) : value;
  }
}
