/** The schema.org items of a page in all three syntaxes. */
import type { HtmlElement, Resolve } from "../../parse/index.ts";
import { jsonLdIn, jsonLdItems } from "./json-ld.ts";
import { microdataItems } from "./microdata.ts";
import { rdfaItems } from "./rdfa.ts";
import type { SchemaItem, SchemaValue } from "./schema-item.ts";

export type { SchemaItem, SchemaValue } from "./schema-item.ts";

export interface SchemaData {
  /** The parsed JSON-LD documents. */
  readonly jsonLd: readonly unknown[];
  readonly items: readonly SchemaItem[];
}

export function schemaItems(elements: readonly HtmlElement[], resolve: Resolve): SchemaData {
  const jsonLd = jsonLdIn(elements);
  return { jsonLd, items: [...jsonLdItems(jsonLd), ...microdataItems(elements, resolve), ...rdfaItems(elements, resolve)] };
}

/** Properties that lead from a page to its subject. */
const subjectProperties = ["mainEntity", "mainEntityOfPage"];

/** Items of one of these types: top-level ones, and main entities of other items. */
export function itemsOfType({ items }: { readonly items: readonly SchemaItem[] }, names: ReadonlySet<string>): SchemaItem[] {
  const inner = items.flatMap((item) => subjectProperties.flatMap((name) => itemsIn(item, name)));
  const ids = new Set<string>();
  return [...items, ...inner].filter(({ types, id }) => {
    if (!types.some((type) => names.has(type)) || (id !== undefined && ids.has(id))) return false;
    if (id !== undefined) ids.add(id);
    return true;
  });
}

/** The items among the values of a property. */
export const itemsIn = (item: SchemaItem, property: string): SchemaItem[] =>
  (item.properties.get(property) ?? []).filter((value) => typeof value === "object");

/** The values of a property as text; for an item, its name. */
export const textsIn = (item: SchemaItem, property: string): string[] =>
  (item.properties.get(property) ?? []).map(wordsOf).filter((words) => words !== undefined && words !== "") as string[];

export const firstText = (item: SchemaItem, property: string): string | undefined => textsIn(item, property)[0];

function wordsOf(value: SchemaValue): string | undefined {
  if (typeof value === "string") return value.trim();
  const name = value.properties.get("name")?.find((each) => typeof each === "string");
  return name?.trim();
}
