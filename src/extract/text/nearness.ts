/** The number of levels from an element up to the nearest element with each mark. */
import { eachMark, markNames } from "./marks.ts";

/** The value for "none within 11 levels"; larger distances do not matter. */
export const FAR = 12;

/** Elements with the same parent distances and the same marks share one instance: the items of a list share their levels. */
export class Nearness {
  readonly levels: Uint8Array;
  #known: Map<number, Nearness> | undefined;

  constructor(levels: Uint8Array) {
    this.levels = levels;
  }

  /** The levels of a child element with these marks. */
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

/** The root for one page: no mark is near. */
export const nowhere = (): Nearness => new Nearness(new Uint8Array(markNames.length).fill(FAR));

function levelsIn(around: Uint8Array, marks: number): Uint8Array {
  const levels = new Uint8Array(around.length);
  for (let at = 0; at < levels.length; at += 1) levels[at] = Math.min(FAR, around[at]! + 1);
  eachMark(marks, (mark) => {
    levels[mark] = 0;
  });
  return levels;
}
