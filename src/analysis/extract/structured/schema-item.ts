/** A thing described by a page, in schema.org's vocabulary or another. */
export interface SchemaItem {
  readonly syntax: "jsonld" | "microdata" | "rdfa";
  /** Without the URL of the vocabulary: `NewsArticle`. */
  readonly types: readonly string[];
  /** With the URL of the vocabulary; only for microdata and RDFa. */
  readonly typeUrls?: readonly string[];
  /** The identifier by which other items reference it. */
  readonly id?: string;
  readonly properties: ReadonlyMap<string, readonly SchemaValue[]>;
}
export type SchemaValue = string | SchemaItem;

/** Nesting limit, deeper than real descriptions. */
export const MAX_DEPTH = 32;

/** `https://schema.org/Person`, `schema:Person` and `Person` all become `Person`. */
export const localName = (type: string): string => {
  const end = /[/#]$/.test(type) ? type.length - 1 : type.length;
  const start = Math.max(type.lastIndexOf("/", end - 1), type.lastIndexOf("#", end - 1), type.lastIndexOf(":", end - 1)) + 1;
  return type.slice(start, end);
};

/** Strips the schema.org prefix; other vocabularies keep theirs: `dc:title`. */
export const propertyName = (name: string): string => name.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, "");

/** Longer lists of names are cut: many elements may reference one item, and its types are read for each of them. */
const MAX_LIST_LENGTH = 1000;

/** Splits a list of names separated by white space, as in class attributes. */
export const namesIn = (list: string | undefined, maxLength = MAX_LIST_LENGTH): string[] =>
  list
    ?.slice(0, maxLength)
    .split(/\s+/)
    .filter((name) => name !== "") ?? [];
