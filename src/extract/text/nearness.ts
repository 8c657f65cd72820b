/** How many levels up from an element the nearest of each mark is. */
import { eachMark, markNames } from "./marks.ts";

/** There is none so near that it matters. */
export const FAR = 12;

/** What stands in the same place and has the same marks is equally near to everything: items of a list share their levels. */
export class Nearness {
  readonly levels: Uint8Array;
  #known: Map<number, Nearness> | undefined;

  constructor(levels: Uint8Array) {
    this.levels = levels;
  }

  /** Of an element in here that has these marks. */
  within(marks: number): Nearness {
    this.#known ??= new Map();
    let within = this.#known.get(marks);
    if (within === undefined) {
      within = new Nearness(levelsIn(this.levels, marks));
      this.#known.set(marks, within);
    }
    return within;
  }
}

/** Outside of a page, for one page. */
export const nowhere = (): Nearness => new Nearness(new Uint8Array(markNames.length).fill(FAR));

function levelsIn(around: Uint8Array, marks: number): Uint8Array {
  const levels = new Uint8Array(around.length);
  for (let at = 0; at < levels.length; at += 1) levels[at] = Math.min(FAR, around[at]! + 1);
  eachMark(marks, (mark) => {
    levels[mark] = 0;
  });
  return levels;
}
