/**
 * Splits Markdown into passages: paragraphs, lists, tables and code. Every expression here is linear, because pages are long and some
 * are hostile.
 */

import { containerOf, FenceTracker, fenceOf, isBlank } from "./fences.ts";

export const linesOf = (text: string): string[] => text.split(/\r\n?|\n/);

/** Code at the margin is a passage of its own; code in a list item belongs to the item. */
export function passagesOf(content: string): string[] {
  const passages: string[] = [];
  const fences = new FenceTracker();
  let lines: string[] = [];
  const endPassage = () => {
    if (lines.length > 0) addPassage(passages, lines.join("\n"));
    lines = [];
  };
  let wasTopLevel = false;
  for (const line of linesOf(content)) {
    const { isCode } = fences.readLine(line);
    const begins = fences.isTopLevel && !wasTopLevel;
    if (begins || (!isCode && isBlank(line))) endPassage();
    if (isCode || !isBlank(line)) lines.push(line);
    if (wasTopLevel && !fences.isTopLevel) endPassage();
    wasTopLevel = fences.isTopLevel;
  }
  endPassage();
  return passages;
}

/** Keeps a term and its explanation in one passage: they arrive as two blocks. */
function addPassage(passages: string[], passage: string): void {
  const before = passages.at(-1);
  if (before !== undefined && isTerm(before) && /^[-*] /.test(passage)) passages[passages.length - 1] = `${before}\n\n${passage}`;
  else passages.push(passage);
}

const MAX_TERM_LENGTH = 120;
const isTerm = (passage: string) => passage.length <= MAX_TERM_LENGTH && /^\*\*[^*\n]+\*\*:?$/.test(passage);

export const isCode = (passage: string): boolean => {
  const first = passage.split("\n", 1)[0]!;
  return isBlank(containerOf(first)) && fenceOf(first.trimStart()) !== undefined;
};
export const isTable = (passage: string): boolean => /^ {0,3}\|/.test(passage);
export const isList = (passage: string): boolean => /^ {0,3}(?:[-*+]|\d{1,9}[.)]) /.test(passage);

// Bounded, because backtracking over a megabyte can overflow the stack of the regular expression engine.
const image = /!\[(?:[^[\]\\]|\\.){0,2000}\]\((?:<[^<>\n]{0,4000}>|(?:[^()<>\\\s]|\\.){0,4000})(?: "[^"\n]{0,1000}")?\)/g;
/** Brackets without a target are matched as a whole: starting again at each escaped bracket inside takes thousands of times as long. */
const link = /\[((?:[^[\]\\]|\\.){0,2000})(\]\((?:<[^<>\n]{0,4000}>|(?:[^()<>\\\s]|\\.){0,4000})(?: "[^"\n]{0,1000}")?\))?/g;

const replaceLinks = (text: string, replacement: (words: string) => string): string =>
  text.replace(image, "").replace(link, (all, words: string, target?: string) => (target === undefined ? all : replacement(words)));

/** A text without images, with its link texts separated from the rest. */
export function splitLinks(text: string): { linkTexts: string[]; rest: string } {
  const linkTexts: string[] = [];
  const rest = replaceLinks(text, (words) => {
    linkTexts.push(words);
    return " ";
  });
  return { linkTexts, rest };
}

/** The visible text: links become their text, emphasis and code marks are removed. */
export const visibleText = (text: string): string =>
  replaceLinks(text, (words) => words)
    .replace(/\\(?=[!-/:-@[-`{-~])|[*_`]/g, "")
    .trim();
