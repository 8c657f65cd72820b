/** Items from JSON-LD. References by `@id` are resolved one level deep, which rules out cycles and exponential growth. */
import { decodeHTMLStrict } from "entities/decode";
import { type HtmlElement, wellFormed } from "../../parse/index.ts";
import { parseLoose } from "./loose-json.ts";
import { localName, MAX_DEPTH, propertyName, type SchemaItem, type SchemaValue } from "./schema-item.ts";

type Node = Readonly<Record<string, unknown>>;

/** The parsed contents of the JSON-LD scripts. */
export function jsonLdIn(elements: readonly HtmlElement[]): unknown[] {
  return elements
    .filter(({ name, attributes }) => name === "script" && /\bld\+json/i.test(attributes.type ?? ""))
    .flatMap(({ children }) => parseLoose(children.join("")))
    .filter((document) => typeof document === "object" && document !== null);
}

export const jsonLdItems = (documents: readonly unknown[]): SchemaItem[] => {
  const reader = new JsonLdReader();
  for (const document of documents) reader.indexById(document, 0);
  return documents.flatMap((document) => reader.itemsIn(document, 0));
};

/**
 * Limit on the values in all items of a page. Values of referenced things count each time, so the limit also bounds
 * callers that walk all items.
 */
const MAX_VALUES = 50_000;

class JsonLdReader {
  #valuesLeft = MAX_VALUES;
  readonly #byId = new Map<string, Node>();

  /** Indexes the nodes that have an `@id`, for references. */
  indexById(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const each of value) this.indexById(each, depth + 1);
      return;
    }
    const id = (value as Node)["@id"];
    if (typeof id === "string" && !this.#byId.has(id) && !isReference(value as Node)) this.#byId.set(id, value as Node);
    for (const each of Object.values(value)) if (typeof each === "object") this.indexById(each, depth + 1);
  }

  itemsIn(value: unknown, depth: number): SchemaItem[] {
    if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return [];
    if (Array.isArray(value)) return value.flatMap((each) => this.itemsIn(each, depth + 1));
    const item = this.#itemOf(value as Node, depth, false);
    const graph = this.itemsIn((value as Node)["@graph"], depth + 1);
    return item.properties.size > 0 || item.types.length > 0 ? [item, ...graph] : graph;
  }

  #itemOf(node: Node, depth: number, isInReference: boolean): SchemaItem {
    const properties = new Map<string, SchemaValue[]>();
    for (const [name, value] of Object.entries(node)) {
      if (name.startsWith("@")) continue;
      const values = this.#valuesOf(value, depth + 1, isInReference);
      if (values.length > 0) properties.set(propertyName(name), values);
    }
    const types = [node["@type"]].flat().filter((type) => typeof type === "string");
    const id = node["@id"];
    return { syntax: "jsonld", types: types.map(localName), ...(typeof id === "string" && { id }), properties };
  }

  #valuesOf(value: unknown, depth: number, isInReference: boolean): SchemaValue[] {
    if (depth > MAX_DEPTH || this.#valuesLeft <= 0) return [];
    if (Array.isArray(value)) return value.flatMap((each) => this.#valuesOf(each, depth + 1, isInReference));
    this.#valuesLeft -= 1;
    if (typeof value === "string") return [wellFormed(value.includes("&") ? decodeHTMLStrict(value) : value)];
    if (typeof value === "number" || typeof value === "boolean") return [String(value)];
    if (typeof value !== "object" || value === null) return [];
    const node = value as Node;
    const plain = node["@value"] ?? node["@list"] ?? node["@set"];
    if (plain !== undefined) return this.#valuesOf(plain, depth + 1, isInReference);
    const resolved = isInReference ? undefined : this.#resolved(node);
    return [this.#itemOf(resolved ?? node, depth, isInReference || resolved !== undefined)];
  }

  /** Resolves a bare reference. References inside its target are not resolved. */
  #resolved(node: Node): Node | undefined {
    const id = node["@id"];
    return typeof id === "string" && isReference(node) ? this.#byId.get(id) : undefined;
  }
}

/** True if the node has only `@` keys, so it says nothing but which thing it is. */
const isReference = (node: Node) => Object.keys(node).every((name) => name.startsWith("@"));
