/** Dates in data of scripts, JSON or not: `"datePublished":"…"`, `publishDate: '…'`. No script is executed. */
import type { PageView } from "./page-view.ts";

export interface ScriptDate {
  readonly name: string;
  readonly value: string;
}

const MOST_LETTERS = 2_000_000;
const MOST_DATES = 60;
const LONGEST_NAME = 50;
/** Dates are rarer than names, so they are searched for first. */
const values = /(?:19|20)\d{2}-[01]\d-[0-3]\d(?!\d)(?:[T ][\d:.]{5,15}(?:Z|[+-]\d{2}:?\d{2})?)?/g;
const nameBefore = /([\w.-]{3,40})\\?["']?\s{0,4}[:=]\s{0,4}\\?["']$/;
const telling = /date|time|publi|pub|created|modif|updat|issued|posted|release|upload|display/;

export function scriptDates({ elements, items }: PageView): ScriptDate[] {
  // JSON-LD is read elsewhere, unless it could not be parsed.
  const isItemsRead = items.some(({ syntax }) => syntax === "jsonld");
  const found: ScriptDate[] = [];
  let letters = 0;
  for (const { name, attributes, children } of elements) {
    if (name !== "script" || typeof children[0] !== "string" || (isItemsRead && attributes.type?.includes("ld+json"))) continue;
    const text = children[0];
    letters += text.length;
    if (letters > MOST_LETTERS) break;
    values.lastIndex = 0; // `exec`, because matchAll would compile the expression again for every script
    for (let match = values.exec(text); match; match = values.exec(text)) {
      const [, key] = nameBefore.exec(text.slice(Math.max(0, match.index - LONGEST_NAME), match.index)) ?? [];
      const said = key?.toLowerCase();
      if (said === undefined || !telling.test(said)) continue;
      found.push({ name: said, value: match[0] });
      if (found.length >= MOST_DATES) return found;
    }
  }
  return found;
}
