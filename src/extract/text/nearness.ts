/** How many levels up from an element the nearest of each mark is. */
import type { HtmlElement } from "../../parse/index.ts";
import { markNames, marksOf } from "./marks.ts";

/** There is none so near that it matters. */
export const FAR = 12;

/** For one page. What stands in the same place and has the same marks is equally near to everything: items of a list share their levels. */
export class Nearness {
  readonly #nowhere = new Uint8Array(markNames.length).fill(FAR);
  readonly #known = new Map<Uint8Array, Map<readonly number[], Uint8Array>>();

  in(around: Uint8Array = this.#nowhere, element: HtmlElement): Uint8Array {
    const marks = marksOf(element);
    let below = this.#known.get(around);
    if (below === undefined) {
      below = new Map();
      this.#known.set(around, below);
    }
    let levels = below.get(marks);
    if (levels === undefined) {
      levels = levelsIn(around, marks);
      below.set(marks, levels);
    }
    return levels;
  }
}

function levelsIn(around: Uint8Array, marks: readonly number[]): Uint8Array {
  const levels = new Uint8Array(around.length);
  for (let at = 0; at < levels.length; at += 1) levels[at] = Math.min(FAR, around[at]! + 1);
  for (const mark of marks) levels[mark] = 0;
  return levels;
}
