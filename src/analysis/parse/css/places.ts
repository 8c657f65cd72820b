/** The places of elements among their siblings, for `:nth-child()` and the like. Counted once per parent. */
import type { HtmlElement } from "../html-tree.ts";

export class Places {
  readonly #siblings = new Map<HtmlElement, readonly HtmlElement[]>();
  readonly #indexes = new Map<HtmlElement, number>();
  readonly #ofType = new Map<HtmlElement, number>();
  readonly #types = new Map<HtmlElement, ReadonlyMap<string, number>>();

  siblingsOf(element: HtmlElement): readonly HtmlElement[] {
    const { parent } = element;
    if (!parent) return [element];
    let siblings = this.#siblings.get(parent);
    if (!siblings) {
      siblings = parent.children.filter((child) => typeof child === "object");
      this.#siblings.set(parent, siblings);
      const types = new Map<string, number>();
      siblings.forEach((one, index) => {
        this.#indexes.set(one, index);
        const before = types.get(one.name) ?? 0;
        this.#ofType.set(one, before);
        types.set(one.name, before + 1);
      });
      this.#types.set(parent, types);
    }
    return siblings;
  }

  indexOf(element: HtmlElement): number {
    this.siblingsOf(element);
    return this.#indexes.get(element) ?? 0;
  }

  /** One-based, from the start or the end, among all siblings or those of the same name. */
  placeOf(element: HtmlElement, isLast: boolean, isOfType: boolean): number {
    const siblings = this.siblingsOf(element);
    const index = (isOfType ? this.#ofType.get(element) : this.#indexes.get(element)) ?? 0;
    if (!isLast) return index + 1;
    const { parent } = element;
    const all = isOfType ? ((parent && this.#types.get(parent)?.get(element.name)) ?? 1) : siblings.length;
    return all - index;
  }
}

export function isNth(element: HtmlElement, name: string, formula: string, places: Places): boolean {
  const isOfType = name.endsWith("of-type");
  const place = (isLast: boolean) => places.placeOf(element, isLast, isOfType);
  if (name.startsWith("first-")) return place(false) === 1;
  if (name.startsWith("last-")) return place(true) === 1;
  if (name.startsWith("only-")) return place(false) === 1 && place(true) === 1;
  return fits(place(name.startsWith("nth-last-")), formula);
}

function fits(place: number, formula: string): boolean {
  const text = formula.toLowerCase().replace(/\s/g, "").replace(/of.*$/, "");
  const [, step, start] = /^(?:([-+]?\d{0,9})n)?([-+]?\d{1,9})?$/.exec(text.replace("even", "2n").replace("odd", "2n+1")) ?? [];
  if (step === undefined) return start !== undefined && place === Number(start);
  const a = step === "" || step === "+" ? 1 : step === "-" ? -1 : Number(step);
  const b = Number(start ?? 0);
  return a === 0 ? place === b : (place - b) / a >= 0 && (place - b) % a === 0;
}
