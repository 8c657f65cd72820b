/** What a page says in schema.org's words, whatever the syntax. */
import type { HtmlElement } from "../parse/index.ts";

export interface SchemaItem {
  readonly syntax: "jsonld" | "microdata" | "rdfa";
  /** Without the address of the vocabulary: `NewsArticle`. */
  readonly types: readonly string[];
  readonly properties: ReadonlyMap<string, readonly SchemaValue[]>;
}
export type SchemaValue = string | SchemaItem;

const MAX_DEPTH = 32;

export function schemaItems(elements: readonly HtmlElement[]): SchemaItem[] {
  return elements
    .filter(({ name, attributes }) => name === "script" && /^application\/(?:ld\+)?json/i.test(attributes.type?.trim() ?? ""))
    .filter(({ attributes }) => attributes.type!.toLowerCase().includes("ld"))
    .flatMap(({ children }) => itemsOf(parse(String(children[0] ?? "")), 0));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // broken JSON says nothing
  }
}

function itemsOf(value: unknown, depth: number): SchemaItem[] {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => itemsOf(each, depth + 1));
  const graph = itemsOf((value as { "@graph"?: unknown })["@graph"], depth + 1);
  return "@type" in value ? [itemOf(value, depth), ...graph] : graph;
}

function itemOf(value: object, depth: number): SchemaItem {
  const properties = new Map<string, SchemaValue[]>();
  for (const [name, each] of Object.entries(value)) {
    if (!name.startsWith("@"))
      properties.set(
        name,
        [each].flat().flatMap((one) => valuesOf(one, depth)),
      );
  }
  const types = [(value as { "@type"?: unknown })["@type"]].flat().filter((type) => typeof type === "string");
  return { syntax: "jsonld", types: types.map((type) => type.replace(/^.*[/#:]/, "")), properties };
}

function valuesOf(value: unknown, depth: number): SchemaValue[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  return [itemOf(value, depth + 1)];
}
