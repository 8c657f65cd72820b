import { draw, range } from "./drawing.ts";

export interface LinkTree {
  linksOf(page: number): number[];
  linkersOf(page: number): number[];
  /** Clicks from page 0 over the links as they are now; Infinity for a page that cannot be reached. */
  depthOf(page: number): number;
  /** From now on no page links to this one. */
  hide(page: number): void;
}

/**
 * Pages hang in a tree (page i lists pages i·b+1 to i·b+b), so all are reachable; the remaining links of a page go to any page up
 * to its last child, so none of them is a short cut. Nothing is kept but what was hidden: links are drawn when they are asked for.
 */
export function linkTree(options: { pages: number; links: number; seed: number }): LinkTree {
  const { pages, links: linkCount, seed } = options;
  const branches = Math.max(1, Math.min(linkCount, Math.max(3, Math.round(Math.sqrt(linkCount)))));
  const hidden = new Set<number>();
  let depths: Map<number, number> | undefined;

  const lastChild = (page: number) => Math.min(pages - 1, (page + 1) * branches);
  const children = (page: number) => range(page * branches + 1, lastChild(page));

  /** Children of a hidden page are listed by its parent, so that hiding one page never hides another. */
  function linksOf(page: number): number[] {
    const links: number[] = [];
    const own = children(page);
    const stack = own.toReversed();
    for (let child = stack.pop(); child !== undefined; child = stack.pop()) {
      if (hidden.has(child)) stack.push(...children(child).reverse());
      else links.push(child);
    }
    const pick = draw(seed, page, 3);
    for (let left = linkCount - own.length; left > 0; left -= 1) {
      const target = pick(lastChild(page) + 1);
      if (!hidden.has(target)) links.push(target);
    }
    return links;
  }

  function measure(): Map<number, number> {
    const found = new Map([[0, 0]]);
    for (const [page, depth] of found) {
      for (const link of linksOf(page)) if (!found.has(link)) found.set(link, depth + 1);
    }
    return found;
  }

  return {
    linksOf,
    linkersOf: (page) => range(0, pages - 1).filter((linker) => linker !== page && linksOf(linker).includes(page)),
    depthOf: (page) => {
      depths ??= measure();
      return depths.get(page) ?? Number.POSITIVE_INFINITY;
    },
    hide: (page) => {
      hidden.add(page);
      depths = undefined;
    },
  };
}
