/** RDFa Lite: `typeof` starts an item, `property` names its values, `resource` identifies the thing. */
import type { HtmlElement, Resolve } from "../../parse/index.ts";
import { type Dialect, markedItems } from "./marked-items.ts";
import { namesIn, propertyName, type SchemaItem } from "./schema-item.ts";

/** The vocabulary is repeated before each type of each item, so a long one is ignored. */
const MAX_VOCABULARY_LENGTH = 100;
const MAX_TYPES = 10;

const dialect: Dialect = {
  syntax: "rdfa",
  isScope: ({ attributes }) => attributes.typeof !== undefined,
  typeUrlsOf: (scope) =>
    namesIn(scope.attributes.typeof)
      .slice(0, MAX_TYPES)
      .map((type) => inVocabulary(type, scope)),
  idOf: ({ attributes }) => attributes.resource ?? attributes.about,
  namesOf: ({ attributes }) => namesIn(attributes.property).map(propertyName),
  referencedIds: () => [],
  attributeOf: valueIn,
};

export const rdfaItems = (elements: readonly HtmlElement[], resolve: Resolve): SchemaItem[] => markedItems(elements, resolve, dialect);

function inVocabulary(type: string, scope: HtmlElement): string {
  let at: HtmlElement | undefined = type.includes(":") ? undefined : scope;
  while (at !== undefined && at.attributes.vocab === undefined) at = at.parent;
  const written = at?.attributes.vocab ?? "";
  const vocab = written.length > MAX_VOCABULARY_LENGTH ? "" : written.trim();
  return `${vocab}${vocab === "" || /[/#]$/.test(vocab) ? "" : "/"}${type}`;
}

function valueIn({ name, attributes }: HtmlElement): ReturnType<Dialect["attributeOf"]> {
  const { content, resource, href, src, datetime } = attributes;
  if (content !== undefined) return { value: content, isUrl: false };
  const url = resource ?? href ?? src;
  if (url !== undefined) return { value: url, isUrl: true };
  return name === "time" && datetime !== undefined ? { value: datetime, isUrl: false } : undefined;
}
