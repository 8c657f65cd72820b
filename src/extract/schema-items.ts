/** What a page says in schema.org's words, whatever the syntax. */
import type { HtmlElement, Resolve } from "../parse/index.ts";
import { jsonLdIn, jsonLdItems } from "./json-ld.ts";
import { microdataItems } from "./microdata.ts";
import { rdfaItems } from "./rdfa.ts";
import type { SchemaItem, SchemaValue } from "./schema-item.ts";

export type { SchemaItem, SchemaValue } from "./schema-item.ts";

export interface SchemaData {
  /** JSON-LD as it was written, a document each. */
  readonly jsonLd: readonly unknown[];
  readonly items: readonly SchemaItem[];
}

export function schemaItems(elements: readonly HtmlElement[], resolve: Resolve): SchemaData {
  const jsonLd = jsonLdIn(elements);
  return { jsonLd, items: [...jsonLdItems(jsonLd), ...microdataItems(elements, resolve), ...rdfaItems(elements, resolve)] };
}

/** What leads from a page to the thing it is about. */
const aboutThis = ["mainEntity", "mainEntityOfPage"];

/** The items of one of these types: those that stand by themselves, and what they say the page is mainly about. */
export function itemsOfType({ items }: { readonly items: readonly SchemaItem[] }, names: ReadonlySet<string>): SchemaItem[] {
  const inner = items.flatMap((item) => aboutThis.flatMap((name) => itemsIn(item, name)));
  const ids = new Set<string>();
  return [...items, ...inner].filter(({ types, id }) => {
    if (!types.some((type) => names.has(type)) || (id !== undefined && ids.has(id))) return false;
    if (id !== undefined) ids.add(id);
    return true;
  });
}

/** The items a property has as its values. */
export const itemsIn = (item: SchemaItem, property: string): SchemaItem[] =>
  (item.properties.get(property) ?? []).filter((value) => typeof value === "object");

/** The values of a property in words; of an item, its name. */
export const textsIn = (item: SchemaItem, property: string): string[] =>
  (item.properties.get(property) ?? []).map(wordsOf).filter((words) => words !== undefined && words !== "") as string[];

export const firstText = (item: SchemaItem, property: string): string | undefined => textsIn(item, property)[0];

function wordsOf(value: SchemaValue): string | undefined {
  if (typeof value === "string") return value.trim();
  const name = value.properties.get("name")?.find((each) => typeof each === "string");
  return name?.trim();
}
