/** Whether an element is in the main part of a page or around it. */
import type { HtmlElement } from "../parse/index.ts";
import { apartClasses } from "./class-signs.ts";

const asides = new Set(["nav", "footer", "aside", "form", "dialog", "button"]);

export type Part = "main" | "header" | "aside" | "rest";

/** The nearest part decides, but any enclosing aside wins: an aside inside an article is an aside. */
export function partOf(element: HtmlElement): Part {
  let part: Part = "rest";
  for (let at: HtmlElement | undefined = element; at !== undefined; at = at.parent) {
    const { name, attributes } = at;
    if (name === "body" || name === "html") break;
    if (
      asides.has(name) ||
      ((apartClasses.matchesOf(attributes.class) | apartClasses.matchesOf(attributes.id)) & apartClasses.bits.apart) !== 0
    )
      return "aside";
    if (part !== "rest") continue;
    if (name === "article" || name === "main" || attributes.role === "main" || attributes.itemprop === "articleBody") part = "main";
    else if (name === "header") part = "header";
  }
  return part;
}
