/** What schema items say of the page itself, as plain texts. */
import type { SchemaItem, SchemaValue } from "./schema-items.ts";

const pages = /^(?:\w*Page|CollectionPage|WebSite)$/;
const articles = /(?:Article|Posting|Report|Review|Recipe|HowTo|Book|Movie|Event|Course|JobPosting|QAPage|Question|VideoObject|PodcastEpisode|SoftwareApplication|Dataset)$/;

export type Kind = "article" | "product" | "page" | "site" | "publisher" | "other";

export function kindOf({ types }: SchemaItem): Kind {
  if (types.some((type) => articles.test(type))) return "article";
  if (types.some((type) => type.startsWith("Product"))) return "product";
  if (types.includes("WebSite")) return "site";
  if (types.some((type) => pages.test(type))) return "page";
  if (types.some((type) => /Organization|Business|Corporation|Store$|Agency/.test(type))) return "publisher";
  return "other";
}

export const textsOf = (item: SchemaItem, property: string): string[] =>
  (item.properties.get(property) ?? []).flatMap((value) => (typeof value === "string" ? [value] : []));

export const itemsIn = (item: SchemaItem, property: string): SchemaItem[] =>
  (item.properties.get(property) ?? []).filter((value: SchemaValue): value is SchemaItem => typeof value !== "string");
