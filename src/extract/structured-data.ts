/** What a page says for machines, as plain JSON that can be kept: bounded in size and depth, and said where something was left out. */
import { cut, wellFormed } from "../parse/index.ts";
import type { StructuredData } from "../records.ts";
import { namedMetas, openGraphIn, twitterIn } from "./open-graph.ts";
import type { PageView } from "./page-view.ts";
import { MAX_DEPTH, type SchemaItem } from "./schema-item.ts";

/** In letters of JSON, for a page. */
const MOST = 64 * 1024;
/** Whole articles are often repeated here. */
const MOST_STRING = 8 * 1024;

/** What takes more than its own place in JSON. */
const escaped = /["\\\x00-\x1f]/;

export function structuredOf({ elements, jsonLd, items }: PageView): StructuredData {
  const room = new Room();
  const metas = namedMetas(elements);
  const marked = (syntax: SchemaItem["syntax"]) => items.filter((item) => item.syntax === syntax);
  // The short ones first: one long script must not take their place.
  const opengraph = room.take(openGraphIn(metas)) as StructuredData["opengraph"];
  const twitter = room.take(twitterIn(metas)) as StructuredData["twitter"];
  const jsonld = room.take(jsonLd) as StructuredData["jsonld"];
  const microdata = room.take(marked("microdata")) as StructuredData["microdata"];
  const rdfa = room.take(marked("rdfa")) as StructuredData["rdfa"];
  return { jsonld, microdata, rdfa, opengraph, twitter, isCut: room.isCut };
}

const isItem = (value: object): value is SchemaItem => "properties" in value && value.properties instanceof Map;

const itemEntries = ({ types, typeUrls, id, properties }: SchemaItem): [string, unknown][] => [
  ["type", typeUrls ?? types],
  ...(id === undefined ? [] : [["id", id] satisfies [string, unknown]]),
  ["properties", properties],
];

/** Copies values, and our own maps and items as plain objects, for as long as there is room. */
class Room {
  #left = MOST;
  isCut = false;

  take(value: object): unknown {
    return this.#copy(value, 0) ?? (Array.isArray(value) ? [] : {});
  }

  #copy(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#text(value);
    if (typeof value !== "object" || value === null) return this.#fits(8) ? value : undefined;
    if (depth > 4 * MAX_DEPTH || !this.#fits(2)) {
      this.isCut = true;
      return undefined;
    }
    if (Array.isArray(value)) return this.#list(value, depth);
    if (value instanceof Map) return this.#object(value, depth);
    return this.#object(isItem(value) ? itemEntries(value) : Object.entries(value), depth);
  }

  #list(values: readonly unknown[], depth: number): unknown[] {
    const kept: unknown[] = [];
    for (const each of values) {
      const copy = this.#copy(each, depth + 1);
      if (copy !== undefined) kept.push(copy);
      if (this.#left <= 0) break;
    }
    return kept;
  }

  /** Not by assignment, and never by the one name that means something to every program. */
  #object(entries: Iterable<[string, unknown]>, depth: number): object {
    const kept: [string, unknown][] = [];
    for (const [name, each] of entries) {
      if (name === "__proto__" || !this.#fits(name.length + 4)) continue;
      const copy = this.#copy(each, depth + 1);
      if (copy !== undefined) kept.push([name, copy]);
      if (this.#left <= 0) break;
    }
    return Object.fromEntries(kept);
  }

  #text(text: string): string | undefined {
    const short = wellFormed(cut(text, MOST_STRING));
    if (short.length < text.length) this.isCut = true;
    const written = escaped.test(short) ? JSON.stringify(short).length : short.length + 2;
    return this.#fits(written + 1) ? short : undefined;
  }

  #fits(letters: number): boolean {
    if (letters > this.#left) {
      this.isCut = true;
      return false;
    }
    this.#left -= letters;
    return true;
  }
}
