/** Copies the page's tree without the parts that are not kept, to write the main text as Markdown. */
import { type HtmlElement, type HtmlNode, isFormulaScript, itemNumbers, withChildren } from "../../parse/index.ts";
import type { Block, Box } from "./blocks.ts";
import type { KeptBlocks } from "./keep-related.ts";
import { placeOf } from "./marks.ts";

/** Smaller images are icons and tracking pixels. */
const MIN_IMAGE_SIZE = 48;

const CAPTION = placeOf("caption");

export function prunedTree(root: HtmlElement, blocks: readonly Block[], { isKept, wholeElements: wholes }: KeptBlocks): HtmlElement {
  const runs = new Map<HtmlElement, Run[]>();
  const keptAncestors = new Set<HtmlElement>();
  const droppedAncestors = new Set<HtmlElement>();
  blocks.forEach((block, at) => {
    const { box, from, to } = block;
    const marked = isKept(at) ? keptAncestors : droppedAncestors;
    const isCaption = marked === droppedAncestors && block.linkChars * 2 <= block.text.length;
    for (let up: Box | undefined = box; up !== undefined && !marked.has(up.element); up = up.parent) {
      // A picture stays if only its caption is left out.
      if (marked === droppedAncestors && up !== box && isImageLink(up.element)) break;
      if (isCaption && (up.element.name === "figure" || (up !== box && isCaptionBlock(block) && isOrHasImage(up.element)))) break;
      marked.add(up.element);
    }
    const run = { from, to, isKept: isKept(at) };
    const known = runs.get(box.element);
    if (known) known.push(run);
    else runs.set(box.element, [run]);
  });
  const commonElement = commonElementOf(blocks.filter((_, at) => isKept(at)));
  return copy(root, false);

  function copy(element: HtmlElement, isParentInCore: boolean): HtmlElement {
    const ownRuns = runs.get(element) ?? [];
    const isInCore = isParentInCore || element === commonElement;
    let next = 0;
    const keep = (child: HtmlNode, at: number): HtmlNode[] => {
      while (next < ownRuns.length && ownRuns[next]!.to <= at) next += 1;
      const run = ownRuns[next];
      if (run !== undefined && at >= run.from) return run.isKept ? [child] : [];
      if (typeof child === "string") return [];
      // The footer of a quote names its author.
      if (wholes.has(child) || (child.name === "footer" && element.name === "blockquote")) return [child];
      if (keptAncestors.has(child)) return [copy(child, isInCore)];
      if (!isInCore || droppedAncestors.has(child)) return [];
      if (isCode(child) || isFormulaScript(child)) return [child];
      return isOrHasImage(child) ? [child.name === "img" ? child : copy(child, true)] : [];
    };
    return withChildren(element, element.name === "ol" ? numbered(element, keep) : element.children.flatMap(keep));
  }
}

/** Items keep their numbers if others are left out, because texts refer to them by number. */
function numbered(list: HtmlElement, keep: (child: HtmlNode, at: number) => HtmlNode[]): HtmlNode[] {
  const numbers = itemNumbers(list);
  let isShifted = false;
  return list.children.flatMap((child, at) => {
    const kept = keep(child, at);
    const number = typeof child === "string" ? undefined : numbers.get(child);
    if (number === undefined) return kept;
    const [item] = kept;
    isShifted ||= item === undefined;
    return isShifted && typeof item === "object" ? [{ ...item, attributes: { ...item.attributes, value: String(number) } }] : kept;
  });
}
/** A link from a picture to its file; words in it are the name and size of the file. */
const isImageLink = (element: HtmlElement): boolean =>
  element.name === "a" && /\.(?:png|jpe?g|gif|webp|avif|svg)(?:[?#]|$)/i.test(element.attributes.href ?? "") && containsImage(element);

const containsImage = ({ children }: HtmlElement): boolean =>
  children.some((child) => typeof child === "object" && (child.name === "img" ? isOrHasImage(child) : containsImage(child)));

/** Captions and picture credits. */
const isCaptionBlock = ({ markLevels: near }: Block) => near[CAPTION]! <= 1;

interface Run {
  readonly from: number;
  readonly to: number;
  readonly isKept: boolean;
}

/** The innermost element that contains everything kept. */
function commonElementOf(blocks: readonly Block[]): HtmlElement | undefined {
  let box = blocks[0]?.box;
  const last = blocks.at(-1)?.box;
  const ancestors = new Set<Box>();
  for (let at = last; at !== undefined; at = at.parent) ancestors.add(at);
  while (box !== undefined && !ancestors.has(box)) box = box.parent;
  return box?.element;
}

/** Code without letters is not a block. */
const isCode = ({ name, children, isBlock, hasBlock }: HtmlElement): boolean =>
  name === "pre" ? hasText(children) : isBlock && hasBlock && children.some((child) => typeof child === "object" && isCode(child));

const hasText = (children: readonly HtmlNode[]): boolean =>
  children.some((child) => (typeof child === "string" ? /\S/.test(child) : hasText(child.children)));

function isOrHasImage(element: HtmlElement): boolean {
  const { name, attributes, children, isBlock, hasBlock } = element;
  if (name === "img")
    return ![attributes.width, attributes.height].some((size) => size !== undefined && Number.parseInt(size, 10) < MIN_IMAGE_SIZE);
  if (!/^(?:picture|figure|a|b|i|em|strong|span|div|p|center|section|noscript|h[2-6])$/.test(name)) return false;
  return (isBlock || !hasBlock || isImageLink(element)) && children.some((child) => typeof child === "object" && isOrHasImage(child));
}
