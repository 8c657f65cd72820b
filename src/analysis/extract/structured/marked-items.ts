/**
 * Items marked up in a page's elements. Microdata and RDFa share the model (a scope with properties inside) and differ
 * only in attributes.
 */
import { cut, type HtmlElement, type Resolve } from "../../parse/index.ts";
import { textOf } from "../element-text.ts";
import { localName, MAX_DEPTH, type SchemaItem, type SchemaValue } from "./schema-item.ts";

export interface Dialect {
  readonly syntax: SchemaItem["syntax"];
  isScope(element: HtmlElement): boolean;
  typeUrlsOf(scope: HtmlElement): string[];
  idOf(scope: HtmlElement): string | undefined;
  /** The property names that an element gives a value for. */
  namesOf(element: HtmlElement): string[];
  /** Ids of elements outside the scope that also belong to it. */
  referencedIds(scope: HtmlElement): string[];
  /** The value from an attribute; undefined if the value is the element's text. */
  attributeOf(element: HtmlElement): { readonly value: string; readonly isUrl: boolean } | undefined;
}

/** Limit on all text read for one page: properties may nest, and each has the whole text of those inside. */
const MAX_TEXT = 4_000_000;

const MAX_NAMES = 4;
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
  #visitsLeft: number;
  #text = MAX_TEXT;
  /** Cached: several scopes may reference the same element. */
  readonly #names = new Map<HtmlElement, readonly string[]>();
  readonly #attributeValues = new Map<HtmlElement, string>();

  constructor(elements: readonly HtmlElement[], scopes: readonly HtmlElement[], resolve: Resolve, dialect: Dialect) {
    this.#elements = elements;
    this.#scopes = scopes;
    this.#resolve = resolve;
    this.#dialect = dialect;
    this.#visitsLeft = 2 * elements.length;
  }

  items(): SchemaItem[] {
    for (const scope of this.#scopes) this.#parts.set(scope, []);
    for (const element of this.#elements) {
      if (this.#namesOf(element).length > 0) this.#addPart(this.#scopeAround(element), element);
    }
    this.#addReferenced();
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

  #addReferenced(): void {
    const referring = this.#scopes.filter((scope) => this.#dialect.referencedIds(scope).length > 0);
    if (referring.length === 0) return;
    const byId = new Map<string, HtmlElement>();
    for (const element of this.#elements) {
      const { id } = element.attributes;
      if (id !== undefined && !byId.has(id)) byId.set(id, element);
    }
    for (const scope of referring) {
      for (const id of this.#dialect.referencedIds(scope)) {
        const element = byId.get(id);
        if (element !== undefined && element !== scope) this.#addReferencedParts(scope, element);
      }
    }
  }

  #addReferencedParts(scope: HtmlElement, element: HtmlElement): void {
    if (this.#visitsLeft-- <= 0) return;
    if (this.#namesOf(element).length > 0) this.#addPart(scope, element);
    if (this.#parts.has(element)) return;
    for (const child of element.children) if (typeof child === "object") this.#addReferencedParts(scope, child);
  }

  /** `around` holds the enclosing scopes: a scope that references itself is not its own property. */
  #itemOf(scope: HtmlElement, enclosing: Set<HtmlElement>): SchemaItem {
    const properties = new Map<string, SchemaValue[]>();
    enclosing.add(scope);
    for (const part of this.#parts.get(scope)!) {
      const value = this.#valueOf(part, enclosing);
      if (value === undefined || value === "") continue;
      const names = this.#namesOf(part);
      // Nested items with two names each would double at every level, so deep ones keep only their first name.
      for (const name of typeof value === "string" || enclosing.size <= SHARED_DEPTH ? names : names.slice(0, 1)) {
        const known = properties.get(name);
        if (known) known.push(value);
        else properties.set(name, [value]);
      }
    }
    enclosing.delete(scope);
    const id = this.#dialect.idOf(scope);
    const typeUrls = this.#dialect.typeUrlsOf(scope);
    return { syntax: this.#dialect.syntax, types: typeUrls.map(localName), typeUrls, ...(id !== undefined && { id }), properties };
  }

  #valueOf(part: HtmlElement, enclosing: Set<HtmlElement>): SchemaValue | undefined {
    if (this.#parts.has(part)) {
      if (enclosing.has(part) || enclosing.size > MAX_DEPTH || this.#visitsLeft-- <= 0) return undefined;
      return this.#itemOf(part, enclosing);
    }
    const attributeValues = this.#attributeValues.get(part) ?? this.#attributeValueOf(part);
    if (attributeValues !== undefined) return attributeValues;
    if (this.#text <= 0) return undefined;
    const text = textOf(part);
    this.#text -= text.length + 16;
    return cut(text, MAX_TEXT);
  }

  #namesOf(element: HtmlElement): readonly string[] {
    const known = this.#names.get(element);
    if (known !== undefined) return known;
    const rawNames = this.#dialect.namesOf(element);
    if (rawNames.length === 0) return rawNames; // true of most elements; not worth caching
    const names = [...new Set(rawNames)].slice(0, MAX_NAMES);
    this.#names.set(element, names);
    return names;
  }

  #attributeValueOf(part: HtmlElement): string | undefined {
    const attributeValues = this.#dialect.attributeOf(part);
    if (attributeValues === undefined) return undefined;
    const value = attributeValues.value.trim();
    const read = attributeValues.isUrl ? (this.#resolve(value) ?? attributeValues.value) : value;
    this.#attributeValues.set(part, read);
    return read;
  }
}
