/** Dates that scripts hold as data, JSON or not: `"datePublished":"…"`, `publishDate: '…'`. Nothing is evaluated. */
import type { PageView } from "./page-view.ts";

export interface ScriptDate {
  readonly name: string;
  readonly value: string;
}

const MOST_LETTERS = 2_000_000;
const MOST_DATES = 60;
const pairs =
  /\b((?:article|content|page|post|story|video|first|original|last|release)?[_.-]?(?:date|pub|publi(?:sh(?:ed)?|cation)|created|modified|updated?|issued|posted|release|upload|display|time)[_-]?(?:date|time|published|publish|created|modified|updated|posted|stamp|at|on|gmt|utc|iso|iso8601|string|first|original)?(?:[_-]?(?:date|time|utc|gmt))?)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?(?=["'\d]|[A-Z][a-z]{2})([^"'\\<>{}[\]]{8,40})/gi;

export function scriptDates({ elements, items }: PageView): ScriptDate[] {
  // What is said for machines is known already, unless it could not be read.
  const isItemsRead = items.some(({ syntax }) => syntax === "jsonld");
  const found: ScriptDate[] = [];
  let letters = 0;
  for (const { name, attributes, children } of elements) {
    if (name !== "script" || typeof children[0] !== "string" || (isItemsRead && attributes.type?.includes("ld+json"))) continue;
    const text = children[0];
    letters += text.length;
    if (letters > MOST_LETTERS) break;
    for (const [, key, value] of text.matchAll(pairs)) {
      found.push({ name: key!.toLowerCase(), value: value! });
      if (found.length >= MOST_DATES) return found;
    }
  }
  return found;
}
