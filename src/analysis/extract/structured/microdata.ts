/** Microdata (WHATWG HTML §5): `itemscope`, `itemprop`, and what an element's value is. */
import type { HtmlElement, Resolve } from "../../parse/index.ts";
import { type Dialect, markedItems } from "./marked-items.ts";
import { namesIn, type SchemaItem } from "./schema-item.ts";

const dialect: Dialect = {
  syntax: "microdata",
  isScope: ({ attributes }) => attributes.itemscope !== undefined,
  typeUrlsOf: ({ attributes }) => namesIn(attributes.itemtype),
  idOf: ({ attributes }) => attributes.itemid,
  namesOf: ({ attributes }) => namesIn(attributes.itemprop),
  referencedIds: ({ attributes }) => namesIn(attributes.itemref, Number.POSITIVE_INFINITY),
  attributeOf: valueIn,
};

export const microdataItems = (elements: readonly HtmlElement[], resolve: Resolve): SchemaItem[] => markedItems(elements, resolve, dialect);

/** Unlike the standard, `content` is read on every element: many pages use it, and search engines accept it. */
function valueIn({ name, attributes }: HtmlElement): ReturnType<Dialect["attributeOf"]> {
  const { content, href, src, datetime, value } = attributes;
  if (name === "meta" || content !== undefined) return { value: content ?? "", isUrl: false };
  if (name === "a" || name === "area" || name === "link") return { value: href ?? "", isUrl: true };
  if (src !== undefined && name !== "input") return { value: src, isUrl: true };
  if (name === "time" && datetime !== undefined) return { value: datetime, isUrl: false };
  if ((name === "data" || name === "meter") && value !== undefined) return { value, isUrl: false };
  return undefined;
}
