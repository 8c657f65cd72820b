/** What the head of a page and its structured data say, value by value, for comparing two versions. */
import type { PageFact } from "../../core/records.ts";
import type { ParsedDocument } from "./document.ts";
import type { HtmlElement } from "./html-tree.ts";
import { cut, tidy } from "./markdown/tidy.ts";

const MAX_FACTS = 300;
const toldMeta = /^(?:description|keywords|author|og:.+|twitter:.+|article:.+)$/;
const addresses = /^(?:og|twitter):(?:image|url|video|audio)/;

export function factsOf({ title, description, canonical, lang, robots }: ParsedDocument, more: readonly PageFact[]): PageFact[] {
  const directives = robots.map(({ name, content }) => `${name}: ${content.toLowerCase().replace(/\s/g, "")}`).sort();
  const own: (readonly [string, string | undefined])[] = [
    ["title", title?.value],
    ["description", description?.value],
    ["canonical", canonical],
    ["robots", directives.join("; ") || undefined],
    ["lang", lang?.value],
  ];
  const facts = own.flatMap(([name, value]) => (value ? [{ name, value }] : []));
  return [...facts, ...more].slice(0, MAX_FACTS);
}

/** Machine-readable facts: meta elements of social networks, and structured data value by value. */
export function machineFacts(tree: HtmlElement, resolve: (href: string) => string | undefined): PageFact[] {
  const facts: PageFact[] = [];
  const visit = (element: HtmlElement): void => {
    const { name, attributes, children } = element;
    const meta = name === "meta" ? (attributes.property ?? attributes.name ?? "").trim().toLowerCase() : "";
    if (toldMeta.test(meta) && meta !== "description" && attributes.content) {
      const value = tidy(attributes.content);
      facts.push({ name: meta, value: addresses.test(meta) ? (resolve(value) ?? value) : value });
    } else if (name === "script" && /ld\+json/i.test(attributes.type ?? "")) structuredFacts(children.join(""), facts);
    for (const child of children) if (typeof child !== "string") visit(child);
  };
  visit(tree);
  return facts;
}

function structuredFacts(text: string, facts: PageFact[]): void {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    // Invalid JSON is compared as text.
    data = tidy(text);
  }
  const walk = (value: unknown, path: string): void => {
    if (facts.length >= MAX_FACTS || path.split(".").length > 12) return;
    if (Array.isArray(value)) for (const each of value) walk(each, path);
    else if (typeof value === "object" && value !== null)
      for (const [key, each] of Object.entries(value)) walk(each, path === "" ? key : `${path}.${key}`);
    else if (value !== null) facts.push({ name: `structured data ${path}`.trim(), value: cut(tidy(String(value)), 500) });
  };
  walk(data, "");
}
