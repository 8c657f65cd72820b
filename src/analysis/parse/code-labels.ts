/** Labels beside code that only name its language, which stands on the fence: `js`, `Python`. */
import type { HtmlElement } from "./html-tree.ts";
import { languageOf } from "./markdown/markdown-blocks.ts";

const LABEL = /(?:^|[\s_-])(?:lang|language|lang(?:uage)?-?(?:name|label|tag|badge)|code-?lang(?:uage)?|toolbar)(?:$|[\s_-])/i;
const MAX_LENGTH = 20;
const LEVELS = 3;

/** Long names of languages by their names in code. */
const names: Readonly<Record<string, readonly string[]>> = {
  js: ["javascript"],
  ts: ["typescript"],
  py: ["python"],
  rb: ["ruby"],
  rs: ["rust"],
  sh: ["shell", "bash"],
  bash: ["shell", "sh"],
  shell: ["bash", "sh"],
  cpp: ["c++"],
  csharp: ["c#"],
  cs: ["c#"],
  yml: ["yaml"],
  md: ["markdown"],
  golang: ["go"],
};

/** Children of a box that stand beside its code and only name the language of it; undefined for boxes without code. */
export function labelsOfCode(box: HtmlElement, wordsOf: (element: HtmlElement) => string): ReadonlySet<HtmlElement> | undefined {
  if (!/^(?:div|figure|section|header|figcaption)$/.test(box.name)) return undefined;
  const elements = box.children.filter((child) => typeof child === "object");
  if (elements.length < 2) return undefined;
  const codes = elements.flatMap((child) => presIn(child, LEVELS));
  if (codes.length !== 1) return undefined;
  const language = languageOf(codes[0]!).toLowerCase();
  if (language === "") return undefined;
  const isLabel = (element: HtmlElement): boolean => {
    if (presIn(element, LEVELS).length > 0) return false;
    const words = withoutCopy(wordsOf(element)).toLowerCase();
    if (words === "" || words.length > MAX_LENGTH) return false;
    return words === language || names[language]?.includes(words) === true || holdsLabel(element, language, words);
  };
  return new Set(elements.filter(isLabel));
}

const withoutCopy = (words: string) => words.replace(/\s?cop(?:y|ied)(?: (?:code|to clipboard))?!?$/i, "");

/** A label that its class says to be one may use any name for the language that shares its first letter. */
const holdsLabel = ({ attributes }: HtmlElement, language: string, words: string): boolean =>
  LABEL.test(attributes.class ?? "") && /^[a-z#+]+$/.test(words) && words[0] === language[0];

function presIn(element: HtmlElement, levels: number): HtmlElement[] {
  if (element.name === "pre") return [element];
  if (levels === 0) return [];
  return element.children.flatMap((child) => (typeof child === "string" ? [] : presIn(child, levels - 1)));
}
