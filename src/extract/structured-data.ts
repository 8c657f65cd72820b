/** What a page says for machines, as plain JSON that can be kept: bounded in size and depth, and said where something was left out. */
import { cut, wellFormed } from "../parse/index.ts";
import type { StructuredData, StructuredItem } from "../records.ts";
import { openGraphIn, twitterIn } from "./open-graph.ts";
import type { PageView } from "./page-view.ts";
import { MAX_DEPTH, type SchemaItem, type SchemaValue } from "./schema-item.ts";

/** In letters of JSON, for a page. */
const MOST = 64 * 1024;
/** Whole articles are often repeated here. */
const MOST_STRING = 8 * 1024;

export function structuredOf({ elements, jsonLd, items }: PageView): StructuredData {
  const room = new Room();
  const marked = (syntax: SchemaItem["syntax"]) => items.filter((item) => item.syntax === syntax).map((item) => plainItem(item, 0));
  // The short ones first: one long script must not take their place.
  const opengraph = room.take(
    plainMap(openGraphIn(elements), (values) => values.map((value) => (typeof value === "string" ? value : plainMap(value, same)))),
  );
  const twitter = room.take(plainMap(twitterIn(elements), same));
  const jsonld = room.take(jsonLd);
  const microdata = room.take(marked("microdata"));
  const rdfa = room.take(marked("rdfa"));
  return { jsonld, microdata, rdfa, opengraph, twitter, isCut: room.isCut };
}

const same = (text: string) => text;

function plainItem({ types, typeUrls, id, properties }: SchemaItem, depth: number): StructuredItem {
  const plain = plainMap(properties, (values) => values.flatMap((value) => plainValue(value, depth)));
  return { type: typeUrls ?? types, ...(id !== undefined && { id }), properties: plain };
}

function plainValue(value: SchemaValue, depth: number): (string | StructuredItem)[] {
  if (typeof value === "string") return [value];
  return depth < MAX_DEPTH ? [plainItem(value, depth + 1)] : [];
}

/** Not by assignment, and never by the one name that means something to every program. */
const plainMap = <V, P>(map: ReadonlyMap<string, V>, plain: (value: V) => P): Record<string, P> =>
  Object.fromEntries([...map].filter(([name]) => name !== "__proto__").map(([name, value]) => [name, plain(value)]));

/** Copies values for as long as there is room. */
class Room {
  #left = MOST;
  isCut = false;

  take<T>(value: T): T {
    return (this.#copy(value, 0) ?? (Array.isArray(value) ? [] : {})) as T;
  }

  #copy(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#text(value);
    if (typeof value !== "object" || value === null) return this.#fits(8) ? value : undefined;
    if (depth > 2 * MAX_DEPTH || !this.#fits(2)) {
      this.isCut = true;
      return undefined;
    }
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth);
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

  #object(value: object, depth: number): object {
    const kept: [string, unknown][] = [];
    for (const [name, each] of Object.entries(value)) {
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
    return this.#fits(JSON.stringify(short).length + 1) ? short : undefined;
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
