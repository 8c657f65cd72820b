/** The attributes of the tag just read: offsets into the source, copied and decoded only on demand. */
import { decodeHTMLAttribute } from "entities/decode";
import type { HtmlSource } from "./html-source.ts";
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
  "reversed",
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
  "aria-controls",
  "bgcolor",
  "color",
  "data-nuthatch-hidden",
  "data-lang",
  "data-language",
  "checked",
  "for",
  "media",
  "open",
  "popover",
  "popovertarget",
  "commandfor",
] as const;
export type AttributeName = (typeof names)[number];
export type AttributeValues = Readonly<Partial<Record<AttributeName, string | undefined>>>;

const table = new NameTable(names.map((name, place) => ({ name, place })));

type Values = Partial<Record<AttributeName, string | undefined>>;

/**
 * The attributes of an element in a tree. All have the same shape, with the most frequently read names as fields: engines
 * access objects of many shapes several times slower. The other names are getters, because few elements have any of them.
 */
class KeptAttributes implements AttributeValues {
  class: string | undefined = undefined;
  id: string | undefined = undefined;
  href: string | undefined = undefined;
  rel: string | undefined = undefined;
  role: string | undefined = undefined;
  itemprop: string | undefined = undefined;
  property: string | undefined = undefined;
  title: string | undefined = undefined;
  rare: Values | undefined = undefined;
}

/** Shared by all elements without attributes. */
export const NO_ATTRIBUTES: AttributeValues = Object.freeze(new KeptAttributes());

/** Whether an element has attributes besides the most frequent ones. If not, callers can skip all other checks. */
export const hasRareAttributes = (attributes: AttributeValues): boolean =>
  attributes instanceof KeptAttributes && attributes.rare !== undefined;

const isField = names.map((name) => name in NO_ATTRIBUTES);
for (const name of names.filter((_, place) => !isField[place])) {
  Object.defineProperty(KeptAttributes.prototype, name, {
    get(this: KeptAttributes) {
      return this.rare?.[name];
    },
  });
}

export class Attributes {
  readonly #source: HtmlSource;
  /** Start and end offset of each value; a start of -1 means that there is none. */
  readonly #values = new Int32Array(2 * names.length).fill(-1);
  /** Indices of the attributes in `names`, in the order of the tag. */
  readonly #found = new Uint8Array(names.length);
  #count = 0;

  constructor(source: HtmlSource) {
    this.#source = source;
  }

  clear(): void {
    for (let at = 0; at < this.#count; at += 1) this.#values[2 * this.#found[at]!] = -1;
    this.#count = 0;
  }

  /** The first of two attributes with the same name counts. */
  keep(nameStart: number, nameEnd: number, nameHash: number, start: number, end: number): void {
    const found = table.find(this.#source.codes, nameStart, nameEnd, nameHash);
    if (found === undefined) return;
    const place = 2 * found.place;
    if (this.#values[place] !== -1) return;
    this.#found[this.#count++] = found.place;
    this.#values[place] = start;
    this.#values[place + 1] = end;
  }

  /** A tag has few attributes, so a linear search is faster than a lookup by name. */
  get(name: AttributeName): string | undefined {
    for (let at = 0; at < this.#count; at += 1) {
      const place = this.#found[at]!;
      if (names[place] === name) return this.#valueAt(place);
    }
    return undefined;
  }

  all(): AttributeValues {
    if (this.#count === 0) return NO_ATTRIBUTES;
    const values = new KeptAttributes();
    for (let at = 0; at < this.#count; at += 1) {
      const place = this.#found[at]!;
      if (!isField[place]) values.rare ??= {};
      const to: Values = isField[place] ? values : values.rare!;
      to[names[place]!] = this.#valueAt(place);
    }
    return values;
  }

  #valueAt(place: number): string {
    const value = this.#source.slice(this.#values[2 * place]!, this.#values[2 * place + 1]!);
    return value.includes("&") ? decodeHTMLAttribute(value) : value;
  }
}
