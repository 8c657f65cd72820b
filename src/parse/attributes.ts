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
] as const;
export type AttributeName = (typeof names)[number];
export type AttributeValues = Readonly<Partial<Record<AttributeName, string>>>;

const places = new Map<AttributeName, number>(names.map((name, place) => [name, place]));
const table = new NameTable(names.map((name) => ({ name })));

export class Attributes {
  readonly #source: string;
  /** Start and end of each value; a start of -1 stands for none. */
  readonly #values = new Int32Array(2 * names.length).fill(-1);
  /** Their places in the list of names, in the order of the tag. */
  readonly #found = new Uint8Array(names.length);
  #count = 0;

  constructor(source: string) {
    this.#source = source;
  }

  clear(): void {
    this.#values.fill(-1);
    this.#count = 0;
  }

  /** The first of two attributes of one name counts. */
  keep(nameStart: number, nameEnd: number, nameHash: number, start: number, end: number): void {
    const found = table.find(this.#source, nameStart, nameEnd, nameHash);
    if (found === undefined) return;
    const at = places.get(found.name)!;
    const place = 2 * at;
    if (this.#values[place] !== -1) return;
    this.#found[this.#count++] = at;
    this.#values[place] = start;
    this.#values[place + 1] = end;
  }

  get(name: AttributeName): string | undefined {
    const place = 2 * places.get(name)!;
    const start = this.#values[place]!;
    if (start < 0) return undefined;
    const value = this.#source.slice(start, this.#values[place + 1]);
    return value.includes("&") ? decodeHTMLAttribute(value) : value;
  }

  all(): AttributeValues {
    const values: { -readonly [name in AttributeName]?: string } = {};
    for (let at = 0; at < this.#count; at += 1) {
      const name = names[this.#found[at]!]!;
      values[name] = this.get(name)!;
    }
    return values;
  }
}
