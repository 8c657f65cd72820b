/** Open Graph and Twitter card values from a page's meta elements. */
import { type HtmlElement, tidy } from "../../parse/index.ts";

export type OpenGraphValue = string | ReadonlyMap<string, string>;

/** Properties that may occur several times, each with its own width, type and so on. */
const structured = /^og:(image|video|audio)(?::([\w-]{1,40}))?$/;
/** The prefixes of Open Graph and of its object types. */
const standardPrefixes = /^(?:og|article|book|profile|music|video|product|place|business|restaurant|fb|al):./;
/** Sites add prefixes of their own. These are accepted only in a `property` attribute, as Open Graph requires. */
const sitePrefixes = /^(?!twitter:|dc:|dcterms:)[\w-]{1,40}:./;

/** Values by name, without `og:`; other prefixes are kept. */
export function openGraphIn(metas: readonly NamedMeta[]): Map<string, OpenGraphValue[]> {
  const found = new Map<string, OpenGraphValue[]>();
  const add = (name: string, value: OpenGraphValue) => {
    const known = found.get(name);
    if (known) known.push(value);
    else found.set(name, [value]);
  };
  for (const { name, content, isProperty } of metas) {
    const [, medium, detail] = structured.exec(name) ?? [];
    if (medium !== undefined) addMedium(found, medium, detail ?? "url", content);
    else if (standardPrefixes.test(name) || (isProperty && sitePrefixes.test(name))) add(name.replace(/^og:/, ""), content);
  }
  return found;
}

/** Details such as `width` belong to the last medium; a new address starts the next one. */
function addMedium(found: Map<string, OpenGraphValue[]>, medium: string, detail: string, content: string): void {
  const all = (found.get(medium) ?? []) as Map<string, string>[];
  found.set(medium, all);
  const last = all.at(-1);
  if (last === undefined || (detail === "url" && last.has("url") && last.get("url") !== content)) all.push(new Map([[detail, content]]));
  else if (!last.has(detail)) last.set(detail, content);
}

/** Values by name, without `twitter:`; the first one counts. */
export function twitterIn(metas: readonly NamedMeta[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, content } of metas) {
    const own = name.startsWith("twitter:") ? name.slice("twitter:".length) : "";
    if (own !== "" && !found.has(own)) found.set(own, content);
  }
  return found;
}

export interface NamedMeta {
  readonly name: string;
  readonly content: string;
  readonly isProperty: boolean;
}

/** Meta elements with a name and content, in order. */
export function namedMetas(elements: readonly HtmlElement[]): NamedMeta[] {
  const found: NamedMeta[] = [];
  for (const { name: tag, attributes } of elements) {
    if (tag !== "meta") continue;
    const name = (attributes.property ?? attributes.name)?.trim().toLowerCase();
    const content = tidy(attributes.content ?? "");
    if (name !== undefined && content !== "") found.push({ name, content, isProperty: attributes.property !== undefined });
  }
  return found;
}
