/** The visible blocks of the main text, without their hidden words. */
import { type HiddenText, type HtmlNode, isUndone, tidy } from "../../parse/index.ts";
import type { Block } from "./blocks.ts";
import { wordingsOf } from "./wording.ts";

/** With less visible text, the page is probably waiting for a script to show the rest. */
const MIN_VISIBLE_LENGTH = 100;

export function visibleBlocks(blocks: readonly Block[], hidden: HiddenText): readonly Block[] {
  const kinds = new Set<string>();
  let length = 0;
  const visible = blocks.flatMap((block): Block[] => {
    const kind = hidden.kindOf(block.element);
    if (kind !== undefined && !hidden.holdsSeen(block.element)) {
      kinds.add(kind);
      return [];
    }
    const visibleBlock = withoutHidden(block, hidden);
    length += visibleBlock.text.length;
    return visibleBlock.text === "" ? [] : [visibleBlock];
  });
  return length < MIN_VISIBLE_LENGTH && [...kinds].every(isUndone) ? blocks : visible;
}

function withoutHidden(block: Block, hidden: HiddenText): Block {
  const nodes = block.box.element.children.slice(block.from, block.to);
  const isOwnHidden = hidden.kindOf(block.box.element) !== undefined;
  if (!isOwnHidden && !nodes.some((node) => containsHidden(node, hidden))) return block;
  let { text } = block;
  // Removed from the extracted text, which already handles formulas and code.
  for (const words of nodes.flatMap((node) => hiddenWords(node, hidden, isOwnHidden)))
    if (words !== "") text = text.replace(words, () => " ");
  text = tidy(text);
  return { ...block, text, wording: wordingsOf([text])[0]! };
}

const containsHidden = (node: HtmlNode, hidden: HiddenText): boolean =>
  typeof node === "object" && (hidden.kindOf(node) !== undefined || node.children.some((child) => containsHidden(child, hidden)));

function hiddenWords(node: HtmlNode, hidden: HiddenText, isParentHidden: boolean): string[] {
  if (typeof node === "string") return isParentHidden ? [tidy(node)] : [];
  const isHidden = hidden.kindOf(node) !== undefined;
  if (isHidden && !hidden.holdsSeen(node)) return [tidy(wordsIn(node))];
  return node.children.flatMap((child) => hiddenWords(child, hidden, isHidden));
}

const wordsIn = (node: HtmlNode): string => (typeof node === "string" ? node : node.children.map(wordsIn).join(""));
