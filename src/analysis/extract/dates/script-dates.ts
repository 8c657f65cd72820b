/** Dates in data of scripts, JSON or not: `"datePublished":"…"`, `publishDate: '…'`. No script is executed. */
import type { PageView } from "../page-view.ts";

export interface ScriptDate {
  readonly name: string;
  readonly value: string;
}

const MAX_LETTERS = 2_000_000;
const MAX_DATES = 60;
const MAX_NAME_LENGTH = 50;
/** Dates are rarer than names, so they are searched for first. */
const values = /(?:19|20)\d{2}-[01]\d-[0-3]\d(?!\d)(?:[T ][\d:.]{5,15}(?:Z|[+-]\d{2}:?\d{2})?)?/g;
const nameBefore = /([\w.-]{3,40})\\?["']?\s{0,4}[:=]\s{0,4}\\?["']$/;
const dateName = /date|time|publi|pub|created|modif|updat|issued|posted|release|upload|display/;

export function scriptDates({ elements, items }: PageView): ScriptDate[] {
  // JSON-LD is read elsewhere, unless it could not be parsed.
  const hasReadJsonLd = items.some(({ syntax }) => syntax === "jsonld");
  const found: ScriptDate[] = [];
  let letters = 0;
  for (const { name, attributes, children } of elements) {
    if (name !== "script" || typeof children[0] !== "string" || (hasReadJsonLd && attributes.type?.includes("ld+json"))) continue;
    const text = children[0];
    letters += text.length;
    if (letters > MAX_LETTERS) break;
    values.lastIndex = 0; // `exec`, because matchAll would compile the expression again for every script
    for (let match = values.exec(text); match; match = values.exec(text)) {
      const [, key] = nameBefore.exec(text.slice(Math.max(0, match.index - MAX_NAME_LENGTH), match.index)) ?? [];
      const lowerCaseKey = key?.toLowerCase();
      if (lowerCaseKey === undefined || !dateName.test(lowerCaseKey)) continue;
      found.push({ name: lowerCaseKey, value: match[0] });
      if (found.length >= MAX_DATES) return found;
    }
  }
  return found;
}
