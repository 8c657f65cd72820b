/** How much of a page's text is hidden, and how. */
import type { HiddenKind, HiddenText } from "./hidden-text.ts";
import type { HtmlElement } from "./html-tree.ts";
import { seenLetters } from "./seen-letters.ts";

/** Characters by how they are hidden; `letters` are invisible by themselves. */
export type HiddenCounts = Readonly<Partial<Record<HiddenKind | "letters", number>>>;

const noText = new Set("head script style title template svg math noscript select datalist object canvas video audio".split(" "));

export function countHidden(root: HtmlElement, hidden: HiddenText): { readonly seen: number; readonly kinds: HiddenCounts } {
  const kinds: Partial<Record<keyof HiddenCounts, number>> = {};
  let seen = 0;
  const add = (kind: keyof HiddenCounts, more: number) => {
    kinds[kind] = (kinds[kind] ?? 0) + more;
  };
  const visit = (element: HtmlElement) => {
    const kind = hidden.kindOf(element);
    for (const child of element.children) {
      if (typeof child === "object") {
        if (!noText.has(child.name)) visit(child);
        continue;
      }
      const length = child.replace(/\s+/g, " ").trim().length;
      if (kind !== undefined) {
        if (length > 0) add(kind, length);
        continue;
      }
      seen += length;
      seenLetters(child, (more) => add("letters", more));
    }
  };
  visit(root);
  return { seen, kinds };
}

/** Ways to hide text that a page hardly needs, unless somebody is not to see it. */
const strange = ["opacity", "size", "off-screen", "colour", "unseen", "letters"] as const;
const MUCH = 200;
const MUCH_OF_ALL = 0.1;

/** What a page holds that nobody sees. */
export interface HiddenReport {
  readonly kinds: HiddenCounts;
  /** Whether it is so much that whoever reads the page should know. */
  readonly isMuch: boolean;
}

const FEW = 20;

/** `seen` is how many characters are not hidden. */
export function hiddenReport(kinds: HiddenCounts, seen: number): HiddenReport {
  const sum = strange.reduce((all, kind) => all + (kinds[kind] ?? 0), 0);
  return { kinds, isMuch: sum > MUCH || (sum > FEW && sum > MUCH_OF_ALL * seen) };
}
