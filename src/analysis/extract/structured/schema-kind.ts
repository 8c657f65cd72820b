/** Classifies an item by its relevance for the page's metadata. */
import type { SchemaItem } from "./schema-items.ts";

export type Kind = "article" | "product" | "page" | "site" | "publisher" | "other";

const kinds: readonly (readonly [kind: Kind, types: RegExp])[] = [
  [
    "article",
    /(?:Article|Posting|Report|Review|Recipe|HowTo|Book|Movie|Event|Course|QAPage|Question|VideoObject|Episode|SoftwareApplication|Dataset)$/,
  ],
  ["product", /^Product/],
  ["site", /^WebSite$/],
  ["page", /Page$/],
  ["publisher", /Organization|Business|Corporation|Agency|Store$/],
];

export const kindOf = ({ types }: SchemaItem): Kind => kinds.find(([, test]) => types.some((type) => test.test(type)))?.[0] ?? "other";

/** The prefix of the item's source label. */
export const syntaxOf = ({ syntax }: SchemaItem): string => (syntax === "jsonld" ? "ld" : syntax);
