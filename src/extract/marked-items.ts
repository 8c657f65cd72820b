/**
 * Items marked up in a page's elements. Microdata and RDFa share the model (a scope with properties inside) and differ
 * only in attributes.
 */
import { cut, type HtmlElement, type Resolve } from "../parse/index.ts";
import { textOf } from "./element-text.ts";
import { localName, MAX_DEPTH, type SchemaItem, type SchemaValue } from "./schema-item.ts";

export interface Dialect {
  readonly syntax: SchemaItem["syntax"];
  isScope(element: HtmlElement): boolean;
  typeUrlsOf(scope: HtmlElement): string[];
  idOf(scope: HtmlElement): string | undefined;
  /** The property names that an element gives a value for. */
  namesOf(element: HtmlElement): string[];
  /** Ids of elements outside the scope that also belong to it. */
  elsewhere(scope: HtmlElement): string[];
  /** The value from an attribute; undefined if the value is the element's text. */
  attributeOf(element: HtmlElement): { readonly value: string; readonly isUrl: boolean } | undefined;
}

/** Limit on all text read for one page: properties may nest, and each has the whole text of those inside. */
const MAX_TEXT = 4_000_000;

const MOST_NAMES = 4;
const SHARED_DEPTH = 3;

export function markedItems(elements: readonly HtmlElement[], resolve: Resolve, dialect: Dialect): SchemaItem[] {
  const scopes = elements.filter(dialect.isScope);
  return scopes.length === 0 ? [] : new MarkedItems(elements, scopes, resolve, dialect).items();
}

class MarkedItems {
  readonly #elements: readonly HtmlElement[];
  readonly #scopes: readonly HtmlElement[];
  readonly #resolve: Resolve;
  readonly #dialect: Dialect;
  /** For each scope, the elements that are values of its properties, in order. */
  readonly #parts = new Map<HtmlElement, HtmlElement[]>();
  /** Scopes that are values of other scopes. */
  readonly #inner = new Set<HtmlElement>();
  /** Limit on elements visited through references: a page may reference all of itself from everywhere. */
  #visits: number;
  #text = MAX_TEXT;
  /** Cached: several scopes may reference the same element. */
  readonly #names = new Map<HtmlElement, readonly string[]>();
  readonly #given = new Map<HtmlElement, string>();

  constructor(elements: readonly HtmlElement[], scopes: readonly HtmlElement[], resolve: Resolve, dialect: Dialect) {
    this.#elements = elements;
    this.#scopes = scopes;
    this.#resolve = resolve;
    this.#dialect = dialect;
    this.#visits = 2 * elements.length;
  }

  items(): SchemaItem[] {
    for (const scope of this.#scopes) this.#parts.set(scope, []);
    for (const element of this.#elements) {
      if (this.#namesOf(element).length > 0) this.#addPart(this.#scopeAround(element), element);
    }
    this.#addElsewhere();
    return this.#scopes.filter((scope) => !this.#inner.has(scope)).map((scope) => this.#itemOf(scope, new Set()));
  }

  #scopeAround(element: HtmlElement): HtmlElement | undefined {
    let at = element.parent;
    while (at !== undefined && !this.#parts.has(at)) at = at.parent;
    return at;
  }

  #addPart(scope: HtmlElement | undefined, element: HtmlElement): void {
    if (scope === undefined) return;
    this.#parts.get(scope)!.push(element);
    if (this.#parts.has(element)) this.#inner.add(element);
  }

  #addElsewhere(): void {
    const referring = this.#scopes.filter((scope) => this.#dialect.elsewhere(scope).length > 0);
    if (referring.length === 0) return;
    const byId = new Map<string, HtmlElement>();
    for (const element of this.#elements) {
      const { id } = element.attributes;
      if (id !== undefined && !byId.has(id)) byId.set(id, element);
    }
    for (const scope of referring) {
      for (const id of this.#dialect.elsewhere(scope)) {
        const element = byId.get(id);
        if (element !== undefined && element !== scope) this.#gather(scope, element);
      }
    }
  }

  #gather(scope: HtmlElement, element: HtmlElement): void {
    if (this.#visits-- <= 0) return;
    if (this.#namesOf(element).length > 0) this.#addPart(scope, element);
    if (this.#parts.has(element)) return;
    for (const child of element.children) if (typeof child === "object") this.#gather(scope, child);
  }

  /** `around` holds the enclosing scopes: a scope that references itself is not its own property. */
  #itemOf(scope: HtmlElement, around: Set<HtmlElement>): SchemaItem {
    const properties = new Map<string, SchemaValue[]>();
    around.add(scope);
    for (const part of this.#parts.get(scope)!) {
      const value = this.#valueOf(part, around);
      if (value === undefined || value === "") continue;
      const names = this.#namesOf(part);
      // Nested items with two names each would double at every level, so deep ones keep only their first name.
      for (const name of typeof value === "string" || around.size <= SHARED_DEPTH ? names : names.slice(0, 1)) {
        const known = properties.get(name);
        if (known) known.push(value);
        else properties.set(name, [value]);
      }
    }
    around.delete(scope);
    const id = this.#dialect.idOf(scope);
    const typeUrls = this.#dialect.typeUrlsOf(scope);
    return { syntax: this.#dialect.syntax, types: typeUrls.map(localName), typeUrls, ...(id !== undefined && { id }), properties };
  }

  #valueOf(part: HtmlElement, around: Set<HtmlElement>): SchemaValue | undefined {
    if (this.#parts.has(part)) {
      if (around.has(part) || around.size > MAX_DEPTH || this.#visits-- <= 0) return undefined;
      return this.#itemOf(part, around);
    }
    const given = this.#given.get(part) ?? this.#givenBy(part);
    if (given !== undefined) return given;
    if (this.#text <= 0) return undefined;
    const text = textOf(part);
    this.#text -= text.length + 16;
    return cut(text, MAX_TEXT);
  }

  #namesOf(element: HtmlElement): readonly string[] {
    const known = this.#names.get(element);
    if (known !== undefined) return known;
    const said = this.#dialect.namesOf(element);
    if (said.length === 0) return said; // true of most elements; not worth caching
    const names = [...new Set(said)].slice(0, MOST_NAMES);
    this.#names.set(element, names);
    return names;
  }

  #givenBy(part: HtmlElement): string | undefined {
    const given = this.#dialect.attributeOf(part);
    if (given === undefined) return undefined;
    const value = given.value.trim();
    const read = given.isUrl ? (this.#resolve(value) ?? given.value) : value;
    this.#given.set(part, read);
    return read;
  }
}
