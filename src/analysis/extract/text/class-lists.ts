/** Per-page cache for class attributes: each distinct list is evaluated once. */
import { marksOfNames } from "./marks.ts";

export interface ClassList {
  readonly marks: number;
  /** Look numbers of elements with these classes, by element name. */
  readonly looks: Map<string, number>;
}

/** Lists that are equal up to this length count as the same look. */
const MAX_COMPARED_LENGTH = 80;

export class ClassLists {
  readonly #known = new Map<string, ClassList>();
  #looks = 0;

  of(classes: string): ClassList {
    let list = this.#known.get(classes);
    if (list === undefined) {
      const looks = classes.length > MAX_COMPARED_LENGTH ? this.of(classes.slice(0, MAX_COMPARED_LENGTH)).looks : new Map<string, number>();
      list = { marks: marksOfNames(classes), looks };
      this.#known.set(classes, list);
    }
    return list;
  }

  /** The look number of an element name with these classes. */
  lookOf({ looks }: ClassList, name: string): number {
    let look = looks.get(name);
    if (look === undefined) {
      look = this.#looks++;
      looks.set(name, look);
    }
    return look;
  }
}
