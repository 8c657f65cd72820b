/** Counts the hidden text of a page, by kind of hiding. */

import type { HtmlElement } from "../html-tree.ts";
import type { HiddenKind, HiddenText } from "./hidden-text.ts";
import { seenLetters } from "./seen-letters.ts";

/** Characters by kind of hiding; `letters` are invisible characters in visible text. */
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

/** Kinds of hiding that ordinary pages rarely use for longer text. */
const strange = ["opacity", "size", "off-screen", "colour", "unseen", "letters"] as const;
const MUCH = 200;
const MUCH_OF_ALL = 0.1;

/** The hidden text of a page. */
export interface HiddenReport {
  readonly kinds: HiddenCounts;
  /** Whether readers should be warned: there is much hidden text, or the page has more rules that hide than are compared with its text. */
  readonly isMuch: boolean;
}

const FEW = 20;

/** `seen` is the number of visible characters; `isInPart` tells that not all of the page could be judged. */
export function hiddenReport(kinds: HiddenCounts, seen: number, isInPart = false): HiddenReport {
  const sum = strange.reduce((all, kind) => all + (kinds[kind] ?? 0), 0);
  return { kinds, isMuch: isInPart || sum > MUCH || (sum > FEW && sum > MUCH_OF_ALL * seen) };
}
