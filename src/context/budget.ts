/** How much of a context fits into a number of tokens: whole passages, then whole sentences, never half of one. */
import { isCode, isList, isTable } from "./passages.ts";
import { sentencesOf } from "./sentences.ts";

/** An estimate that rather says too much: models cut English into words and their ends, other scripts into letters. */
export const tokensOf = (text: string): number => Math.ceil(costOf(text));

/** The same before it is rounded: what costs add up to is what the whole costs. */
export function costOf(text: string): number {
  let cost = 0;
  for (let at = 0; at < text.length; at += 1) cost += costOfLetter(text.charCodeAt(at));
  return cost;
}

function costOfLetter(code: number): number {
  if (code < 0x80) {
    if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) return 0.25;
    if (code === 0x20) return 0.125;
    return code >= 0x30 && code <= 0x39 ? 0.375 : 0.625;
  }
  if (code < 0x2e80) return 0.5;
  return code < 0xfb00 ? 1 : 0.5;
}

/** As much of a passage as fits: all of it, or its first items or sentences. Code and tables are whole or nothing. */
export function whatFits(passage: string, tokens: number): string {
  if (costOf(passage) <= tokens) return passage;
  if (isCode(passage) || isTable(passage)) return "";
  const kept: string[] = [];
  let left = tokens;
  for (const part of isList(passage) ? itemsOf(passage) : sentencesOf(passage)) {
    // Blanks at the end of the last part are not written.
    left -= costOf(part.trimEnd());
    if (left < 0) break;
    kept.push(part);
    left -= costOf(part) - costOf(part.trimEnd());
  }
  return kept.join("").trimEnd();
}

/** The items of a list, each with the lines that belong to it. */
function itemsOf(list: string): string[] {
  const items: string[] = [];
  let lines: string[] = [];
  for (const line of list.split("\n")) {
    if (isList(line) && lines.length > 0) {
      items.push(`${lines.join("\n")}\n`);
      lines = [];
    }
    lines.push(line);
  }
  items.push(lines.join("\n"));
  return items;
}

/** Of the whole: the root, and the two pages that matter most, are sure of so much. */
const SHARES = [0.5, 0.25, 0.25];

/** What each may spend: the first three their shares, and what is left whoever comes first. So a long first page does not silence the others. */
export function shareOut(costs: readonly number[], tokens: number): number[] {
  const given = costs.map((cost, at) => Math.min(cost, tokens * (SHARES[at] ?? 0)));
  let left = tokens - given.reduce((sum, each) => sum + each, 0);
  return given.map((each, at) => {
    const more = Math.max(0, Math.min(costs[at]! - each, left));
    left -= more;
    return each + more;
  });
}
