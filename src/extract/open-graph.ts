/** Open Graph and Twitter cards, as lists of what their metas say. */
import type { HtmlElement } from "../parse/index.ts";
import { tidy } from "../parse/index.ts";

export type OpenGraphValue = string | ReadonlyMap<string, string>;

/** Of these a page may show several, each with its own width, type and so on. */
const structured = /^og:(image|video|audio)(?::([\w-]{1,40}))?$/;
/** Open Graph's own names, and those of the kinds of thing it describes. */
const spaces = /^(?:og|article|book|profile|music|video|product|place|business|restaurant|fb|al):./;
/** Sites add kinds of their own; they are told by the attribute that Open Graph asks for. */
const ownSpaces = /^(?!twitter:|dc:|dcterms:)[\w-]{1,40}:./;

/** By name, without `og:`; other names keep what stands before them. */
export function openGraphIn(elements: readonly HtmlElement[]): Map<string, OpenGraphValue[]> {
  const found = new Map<string, OpenGraphValue[]>();
  const add = (name: string, value: OpenGraphValue) => {
    const known = found.get(name);
    if (known) known.push(value);
    else found.set(name, [value]);
  };
  for (const { name, content, isProperty } of metasIn(elements)) {
    const [, medium, detail] = structured.exec(name) ?? [];
    if (medium !== undefined) addMedium(found, medium, detail ?? "url", content);
    else if (spaces.test(name) || (isProperty && ownSpaces.test(name))) add(name.replace(/^og:/, ""), content);
  }
  return found;
}

/** What is said of a picture belongs to the one named last; its address begins the next. */
function addMedium(found: Map<string, OpenGraphValue[]>, medium: string, detail: string, content: string): void {
  const all = (found.get(medium) ?? []) as Map<string, string>[];
  found.set(medium, all);
  const last = all.at(-1);
  if (last === undefined || (detail === "url" && last.has("url") && last.get("url") !== content)) all.push(new Map([[detail, content]]));
  else if (!last.has(detail)) last.set(detail, content);
}

/** By name, without `twitter:`; the first counts. */
export function twitterIn(elements: readonly HtmlElement[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, content } of metasIn(elements)) {
    const own = name.startsWith("twitter:") ? name.slice("twitter:".length) : "";
    if (own !== "" && !found.has(own)) found.set(own, content);
  }
  return found;
}

function* metasIn(elements: readonly HtmlElement[]): Iterable<{ name: string; content: string; isProperty: boolean }> {
  for (const { name: tag, attributes } of elements) {
    if (tag !== "meta") continue;
    const name = (attributes.property ?? attributes.name)?.trim().toLowerCase();
    const content = tidy(attributes.content ?? "");
    if (name !== undefined && content !== "") yield { name, content, isProperty: attributes.property !== undefined };
  }
}
