/** One thing a page describes in schema.org's words, or another vocabulary's. */
export interface SchemaItem {
  readonly syntax: "jsonld" | "microdata" | "rdfa";
  /** Without the address of the vocabulary: `NewsArticle`. */
  readonly types: readonly string[];
  /** With it, where elements are marked up. */
  readonly typeUrls?: readonly string[];
  /** What others on the page refer to it by. */
  readonly id?: string;
  readonly properties: ReadonlyMap<string, readonly SchemaValue[]>;
}
export type SchemaValue = string | SchemaItem;

/** Things within things, deeper than anybody describes them. */
export const MAX_DEPTH = 32;

/** `https://schema.org/Person`, `schema:Person` and `Person` are the same. */
export const localName = (type: string): string => {
  const end = /[/#]$/.test(type) ? type.length - 1 : type.length;
  const start = Math.max(type.lastIndexOf("/", end - 1), type.lastIndexOf("#", end - 1), type.lastIndexOf(":", end - 1)) + 1;
  return type.slice(start, end);
};

/** Vocabularies other than schema.org keep their prefix: `dc:title`. */
export const propertyName = (name: string): string => name.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, "");

/** Longer lists of names are cut: many may refer to one item, and then its types are read for each of them. */
const LONGEST_LIST = 1000;

/** White space between names, as in lists of classes. */
export const namesIn = (list: string | undefined, longest = LONGEST_LIST): string[] =>
  list
    ?.slice(0, longest)
    .split(/\s+/)
    .filter((name) => name !== "") ?? [];
