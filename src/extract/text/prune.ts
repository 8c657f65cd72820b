/** The tree of a page without what is not kept: for writing the main text down as Markdown. */
import type { HtmlElement, HtmlNode } from "../../parse/index.ts";
import type { Block, Box } from "./blocks.ts";
import type { Kept } from "./kept-with.ts";

/** Icons and pixels are no pictures. */
const LEAST_PICTURE = 48;

export function pruned(root: HtmlElement, blocks: readonly Block[], { isKept, wholes }: Kept): HtmlElement {
  const runs = new Map<HtmlElement, Run[]>();
  const leads = new Set<HtmlElement>();
  const others = new Set<HtmlElement>();
  blocks.forEach(({ box, from, to }, at) => {
    const marked = isKept(at) ? leads : others;
    for (let up: Box | undefined = box; up !== undefined && !marked.has(up.element); up = up.parent) marked.add(up.element);
    const run = { from, to, isKept: isKept(at) };
    const known = runs.get(box.element);
    if (known) known.push(run);
    else runs.set(box.element, [run]);
  });
  const heart = common(blocks.filter((_, at) => isKept(at)));
  return copy(root, false);

  function copy(element: HtmlElement, isInside: boolean): HtmlElement {
    const stretches = runs.get(element) ?? [];
    const within = isInside || element === heart;
    let next = 0;
    const children = element.children.flatMap((child, at): HtmlNode[] => {
      while (next < stretches.length && stretches[next]!.to <= at) next += 1;
      const run = stretches[next];
      if (run !== undefined && at >= run.from) return run.isKept ? [child] : [];
      if (typeof child === "string") return [];
      if (wholes.has(child)) return [child];
      if (leads.has(child)) return [copy(child, within)];
      return within && !others.has(child) && hasPicture(child) ? [child] : [];
    });
    return { ...element, children };
  }
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly isKept: boolean;
}

/** The innermost element around all that is kept. */
function common(blocks: readonly Block[]): HtmlElement | undefined {
  let box = blocks[0]?.box;
  const last = blocks.at(-1)?.box;
  const around = new Set<Box>();
  for (let at = last; at !== undefined; at = at.parent) around.add(at);
  while (box !== undefined && !around.has(box)) box = box.parent;
  return box?.element;
}

function hasPicture({ name, attributes, children, isBlock, hasBlock }: HtmlElement): boolean {
  if (name === "img")
    return ![attributes.width, attributes.height].some((size) => size !== undefined && Number.parseInt(size, 10) < LEAST_PICTURE);
  if (!/^(?:picture|figure|a|span|div|p)$/.test(name)) return false;
  return (isBlock || !hasBlock) && children.some((child) => typeof child === "object" && hasPicture(child));
}
