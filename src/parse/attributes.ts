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
] as const;
export type AttributeName = (typeof names)[number];

const places = new Map<AttributeName, number>(names.map((name, place) => [name, place]));
const table = new NameTable(names.map((name) => ({ name })));

export class Attributes {
  readonly #source: string;
  /** Start and end of each value; a start of -1 stands for none. */
  readonly #values = new Int32Array(2 * names.length).fill(-1);

  constructor(source: string) {
    this.#source = source;
  }

  clear(): void {
    this.#values.fill(-1);
  }

  /** The first of two attributes of one name counts. */
  keep(nameStart: number, nameEnd: number, nameHash: number, start: number, end: number): void {
    const found = table.find(this.#source, nameStart, nameEnd, nameHash);
    const place = found === undefined ? -1 : 2 * places.get(found.name)!;
    if (place < 0 || this.#values[place] !== -1) return;
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
}
