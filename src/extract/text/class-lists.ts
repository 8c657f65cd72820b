/** Lists of classes, for one page: what they say of an element is read once for each. */
import { marksNamed } from "./marks.ts";

export interface ClassList {
  readonly marks: number;
  /** What elements with these classes look like, by their names. */
  readonly looks: Map<string, number>;
}

/** Lists that go on after this look alike. */
const LOOK = 80;

export class ClassLists {
  readonly #known = new Map<string, ClassList>();
  #looks = 0;

  of(classes: string): ClassList {
    let list = this.#known.get(classes);
    if (list === undefined) {
      const looks = classes.length > LOOK ? this.of(classes.slice(0, LOOK)).looks : new Map<string, number>();
      list = { marks: marksNamed(classes), looks };
      this.#known.set(classes, list);
    }
    return list;
  }

  /** A number for a name with these classes. */
  lookOf({ looks }: ClassList, name: string): number {
    let look = looks.get(name);
    if (look === undefined) {
      look = this.#looks++;
      looks.set(name, look);
    }
    return look;
  }
}
