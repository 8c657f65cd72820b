/** The number of levels from an element up to the nearest element with each mark. */
import { forEachMark, markNames } from "./marks.ts";

/** The value for "none within 11 levels"; larger distances do not matter. */
export const FAR = 12;

/** Elements with the same parent distances and the same marks share one instance: the items of a list share their levels. */
export class MarkDistances {
  readonly levels: Uint8Array;
  #children: Map<number, MarkDistances> | undefined;

  constructor(levels: Uint8Array) {
    this.levels = levels;
  }

  /** The levels of a child element with these marks. */
  childDistances(marks: number): MarkDistances {
    this.#children ??= new Map();
    let childDistances = this.#children.get(marks);
    if (childDistances === undefined) {
      childDistances = new MarkDistances(levelsIn(this.levels, marks));
      this.#children.set(marks, childDistances);
    }
    return childDistances;
  }
}

/** The root for one page: no mark is near. */
export const rootDistances = (): MarkDistances => new MarkDistances(new Uint8Array(markNames.length).fill(FAR));

function levelsIn(parentLevels: Uint8Array, marks: number): Uint8Array {
  const levels = new Uint8Array(parentLevels.length);
  for (let at = 0; at < levels.length; at += 1) levels[at] = Math.min(FAR, parentLevels[at]! + 1);
  forEachMark(marks, (mark) => {
    levels[mark] = 0;
  });
  return levels;
}
