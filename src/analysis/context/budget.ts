/** Fits texts into a number of tokens: whole passages, then whole sentences, never half a sentence. */
import { FenceTracker } from "./fences.ts";
import { isCode, isList, isTable } from "./passages.ts";
import { sentencesOf } from "./sentences.ts";

/** Estimates tokens, rather too many: models split English into parts of words, and other scripts into single characters. */
export const tokensOf = (text: string): number => Math.ceil(costOf(text));

/** The estimate before rounding, so that the costs of the parts add up to the cost of the whole. */
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

/** As much of a passage as fits: all of it, or its first items or sentences. Code and tables are not split. */
export function fitPassage(passage: string, tokens: number): string {
  if (costOf(passage) <= tokens) return passage;
  if (isCode(passage) || isTable(passage)) return "";
  const kept: string[] = [];
  let left = tokens;
  for (const part of isList(passage) ? itemsOf(passage) : sentencesAndCode(passage)) {
    // The white space after the last part is not written.
    left -= costOf(part.trimEnd());
    if (left < 0) break;
    kept.push(part);
    left -= costOf(part) - costOf(part.trimEnd());
  }
  return withoutLastBlanks(kept.join(""));
}

/** A quote has its sign on its blank lines too. */
function withoutLastBlanks(text: string): string {
  const lines = text.split("\n");
  while (lines.length > 0 && /^[>\s]*$/.test(lines.at(-1)!)) lines.pop();
  return lines.join("\n").trimEnd();
}

/** Sentences, and code in a quote or an explanation as a whole: half of it would leave its fence open. */
function sentencesAndCode(passage: string): string[] {
  const parts: { isCode: boolean; text: string }[] = [];
  const fences = new FenceTracker();
  const lines = passage.split("\n");
  lines.forEach((line, at) => {
    const { isCode } = fences.readLine(line);
    const text = at === lines.length - 1 ? line : `${line}\n`;
    const last = parts.at(-1);
    if (last?.isCode === isCode) last.text += text;
    else parts.push({ isCode, text });
  });
  return parts.flatMap(({ isCode, text }) => (isCode ? [text] : sentencesOf(text)));
}

/** The items of a list, each with its continuation lines. Lines of code in an item may look like items. */
function itemsOf(list: string): string[] {
  const items: string[] = [];
  const fences = new FenceTracker();
  let lines: string[] = [];
  for (const line of list.split("\n")) {
    const wasOpen = fences.isOpen;
    const isInCode = fences.readLine(line).isCode && wasOpen;
    if (!isInCode && isList(line) && lines.length > 0) {
      items.push(`${lines.join("\n")}\n`);
      lines = [];
    }
    lines.push(line);
  }
  items.push(lines.join("\n"));
  return items;
}

/** Guaranteed shares of the budget: the root and the two most relevant pages. */
const GUARANTEED_SHARES = [0.5, 0.25, 0.25];

/**
 * Budgets by rank: guaranteed shares for the first three, the rest first come, first served. So a long first page cannot use up
 * everything.
 */
export function distributeBudget(costs: readonly number[], tokens: number): number[] {
  const guaranteed = costs.map((cost, at) => Math.min(cost, tokens * (GUARANTEED_SHARES[at] ?? 0)));
  let left = tokens - guaranteed.reduce((sum, each) => sum + each, 0);
  return guaranteed.map((each, at) => {
    const extra = Math.max(0, Math.min(costs[at]! - each, left));
    left -= extra;
    return each + extra;
  });
}
