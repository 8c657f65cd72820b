/** Where an element stands: in the part a page is about, or in what surrounds it. */
import type { HtmlElement } from "../parse/index.ts";
import { PatternSet } from "./pattern-set.ts";

const asides = new Set(["nav", "footer", "aside", "form", "dialog", "button"]);
const asideNames =
  /(?:^|[\s_-])(?:nav|navigation|menu|footer|sidebar|aside|breadcrumbs?|cookies?|consent|gdpr|banner|popup|modal|newsletter|subscribe|comments?|related|share|social|promo|ads?|advert\w*|sponsor\w*|widget|toolbar|copyright|disclaimer|alert|notice|paywall|search)(?:$|[\s_-])/i;

const asidePatterns = new PatternSet([asideNames]);

export type Part = "main" | "header" | "aside" | "rest";

/** The nearest part decides; an aside inside of an article is an aside. */
export function partOf(element: HtmlElement): Part {
  let part: Part = "rest";
  for (let at: HtmlElement | undefined = element; at !== undefined; at = at.parent) {
    const { name, attributes } = at;
    if (name === "body" || name === "html") break;
    if (asides.has(name) || isAside(attributes.class) || isAside(attributes.id)) return "aside";
    if (part !== "rest") continue;
    if (name === "article" || name === "main" || attributes.role === "main" || attributes.itemprop === "articleBody") part = "main";
    else if (name === "header") part = "header";
  }
  return part;
}

/** Every element below asks again, so long lists of classes are not read to their end. */
const isAside = (names: string | undefined): boolean =>
  names !== undefined && asidePatterns.matching(names.length > 200 ? names.slice(0, 200) : names) !== 0;
