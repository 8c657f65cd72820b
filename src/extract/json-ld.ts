/** Items from JSON-LD. What a page says of one thing in two places is joined by its `@id`, one step deep: so nothing goes round in circles, and nothing blows up. */
import { decodeHTMLStrict } from "entities/decode";
import { type HtmlElement, wellFormed } from "../parse/index.ts";
import { parseLoose } from "./loose-json.ts";
import { localName, MAX_DEPTH, propertyName, type SchemaItem, type SchemaValue } from "./schema-item.ts";

type Node = Readonly<Record<string, unknown>>;

/** What the scripts hold, as it was written. */
export function jsonLdIn(elements: readonly HtmlElement[]): unknown[] {
  return elements
    .filter(({ name, attributes }) => name === "script" && /\bld\+json/i.test(attributes.type ?? ""))
    .flatMap(({ children }) => parseLoose(children.join("")))
    .filter((document) => typeof document === "object" && document !== null);
}

export const jsonLdItems = (documents: readonly unknown[]): SchemaItem[] => {
  const maker = new ItemMaker();
  for (const document of documents) maker.learn(document, 0);
  return documents.flatMap((document) => maker.itemsIn(document, 0));
};

class ItemMaker {
  readonly #byId = new Map<string, Node>();
  readonly #known = new Map<Node, SchemaItem>();

  /** Which things have a name by which others refer to them. */
  learn(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const each of value) this.learn(each, depth + 1);
      return;
    }
    const id = (value as Node)["@id"];
    if (typeof id === "string" && !this.#byId.has(id) && !isReference(value as Node)) this.#byId.set(id, value as Node);
    for (const each of Object.values(value)) if (typeof each === "object") this.learn(each, depth + 1);
  }

  itemsIn(value: unknown, depth: number): SchemaItem[] {
    if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return [];
    if (Array.isArray(value)) return value.flatMap((each) => this.itemsIn(each, depth + 1));
    const item = this.#itemOf(value as Node, depth, false);
    const graph = this.itemsIn((value as Node)["@graph"], depth + 1);
    return item.properties.size > 0 || item.types.length > 0 ? [item, ...graph] : graph;
  }

  #itemOf(node: Node, depth: number, isReferred: boolean): SchemaItem {
    const properties = new Map<string, SchemaValue[]>();
    for (const [name, value] of Object.entries(node)) {
      if (name.startsWith("@")) continue;
      const values = this.#valuesOf(value, depth + 1, isReferred);
      if (values.length > 0) properties.set(propertyName(name), values);
    }
    const types = [node["@type"]].flat().filter((type) => typeof type === "string");
    const id = node["@id"];
    return { syntax: "jsonld", types: types.map(localName), ...(typeof id === "string" && { id }), properties };
  }

  #valuesOf(value: unknown, depth: number, isReferred: boolean): SchemaValue[] {
    if (typeof value === "string") return [wellFormed(value.includes("&") ? decodeHTMLStrict(value) : value)];
    if (typeof value === "number" || typeof value === "boolean") return [String(value)];
    if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
    if (Array.isArray(value)) return value.flatMap((each) => this.#valuesOf(each, depth + 1, isReferred));
    const node = value as Node;
    const plain = node["@value"] ?? node["@list"] ?? node["@set"];
    if (plain !== undefined) return this.#valuesOf(plain, depth + 1, isReferred);
    return [(isReferred ? undefined : this.#referred(node, depth)) ?? this.#itemOf(node, depth, isReferred)];
  }

  /** What a bare reference means. In it, references stay as they are. */
  #referred(node: Node, depth: number): SchemaItem | undefined {
    const id = node["@id"];
    const target = typeof id === "string" && isReference(node) ? this.#byId.get(id) : undefined;
    if (target === undefined) return undefined;
    const item = this.#known.get(target) ?? this.#itemOf(target, depth, true);
    this.#known.set(target, item);
    return item;
  }
}

/** Nothing is said of the thing here but which one it is. */
const isReference = (node: Node) => Object.keys(node).every((name) => name.startsWith("@"));
