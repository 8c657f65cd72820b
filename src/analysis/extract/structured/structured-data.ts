/** The page's machine-readable data as plain JSON for storage, limited in size and depth; `isCut` tells whether something was left out. */

import type { StructuredData } from "../../../core/records.ts";
import { cut, wellFormed } from "../../parse/index.ts";
import type { PageView } from "../page-view.ts";
import { namedMetas, openGraphIn, twitterIn } from "./open-graph.ts";
import { MAX_DEPTH, type SchemaItem } from "./schema-item.ts";

/** Limit in characters of JSON for one page. */
const MAX_LENGTH = 64 * 1024;
/** Limit for one string: structured data often repeats the whole article. */
const MAX_STRING_LENGTH = 8 * 1024;

/** Characters that need escaping in JSON. */
const needsEscape = /["\\\x00-\x1f]/;

export function structuredOf({ elements, jsonLd, items }: PageView): StructuredData {
  const copier = new LimitedCopier();
  const metas = namedMetas(elements);
  const marked = (syntax: SchemaItem["syntax"]) => items.filter((item) => item.syntax === syntax);
  // Small parts first, so that a long script does not use up their space.
  const opengraph = copier.copyValue(openGraphIn(metas)) as StructuredData["opengraph"];
  const twitter = copier.copyValue(twitterIn(metas)) as StructuredData["twitter"];
  const jsonld = copier.copyValue(jsonLd) as StructuredData["jsonld"];
  const microdata = copier.copyValue(marked("microdata")) as StructuredData["microdata"];
  const rdfa = copier.copyValue(marked("rdfa")) as StructuredData["rdfa"];
  return { jsonld, microdata, rdfa, opengraph, twitter, isCut: copier.isCut };
}

const isItem = (value: object): value is SchemaItem => "properties" in value && value.properties instanceof Map;

const itemEntries = ({ types, typeUrls, id, properties }: SchemaItem): [string, unknown][] => [
  ["type", typeUrls ?? types],
  ...(id === undefined ? [] : [["id", id] satisfies [string, unknown]]),
  ["properties", properties],
];

/** Copies values until the size limit is reached; maps and items become plain objects. */
class LimitedCopier {
  #charsLeft = MAX_LENGTH;
  isCut = false;

  copyValue(value: object): unknown {
    return this.#copy(value, 0) ?? (Array.isArray(value) ? [] : {});
  }

  #copy(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#text(value);
    if (typeof value !== "object" || value === null) return this.#reserve(8) ? value : undefined;
    if (depth > 4 * MAX_DEPTH || !this.#reserve(2)) {
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
      if (this.#charsLeft <= 0) break;
    }
    return kept;
  }

  /** Uses `Object.fromEntries` and skips `__proto__`, so that untrusted names cannot change a prototype. */
  #object(entries: Iterable<[string, unknown]>, depth: number): object {
    const kept: [string, unknown][] = [];
    for (const [name, each] of entries) {
      if (name === "__proto__" || !this.#reserve(name.length + 4)) continue;
      const copy = this.#copy(each, depth + 1);
      if (copy !== undefined) kept.push([name, copy]);
      if (this.#charsLeft <= 0) break;
    }
    return Object.fromEntries(kept);
  }

  #text(text: string): string | undefined {
    const shortened = wellFormed(cut(text, MAX_STRING_LENGTH));
    if (shortened.length < text.length) this.isCut = true;
    const written = needsEscape.test(shortened) ? JSON.stringify(shortened).length : shortened.length + 2;
    return this.#reserve(written + 1) ? shortened : undefined;
  }

  #reserve(letters: number): boolean {
    if (letters > this.#charsLeft) {
      this.isCut = true;
      return false;
    }
    this.#charsLeft -= letters;
    return true;
  }
}
