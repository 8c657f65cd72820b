/** Rules that show what others hide: in a state, with another class, or on another screen. */
import type { Declaration } from "./declared.ts";
import type { PageNames } from "./page-names.ts";
import { declaredBy, type Rule } from "./rules.ts";
import { selectorsOf } from "./selector-index.ts";

export interface Showing {
  readonly rule: Rule;
  readonly selector: string;
}

/** By the classes and ids that their selectors end with. */
export function showingRules(rules: readonly Rule[], page: PageNames): ReadonlyMap<string, readonly Showing[]> {
  const showing = new Map<string, Showing[]>();
  for (const rule of rules) {
    if (!rule.isForSome || !/display|visib|opacity|height/i.test(rule.body)) continue;
    let isShown: boolean | undefined;
    for (const selector of selectorsOf(rule.selectors)) {
      const last = selector.split(/[\s>+~]+/).at(-1)!;
      const names = last.match(/[.#][\w-]+/g)?.filter((name) => page.has(name)) ?? [];
      if (names.length === 0) continue;
      isShown ??= declaredBy(rule).some(isShowing);
      if (!isShown) break;
      for (const name of names) {
        const known = showing.get(name);
        if (known) known.push({ rule, selector });
        else showing.set(name, [{ rule, selector }]);
      }
    }
  }
  return showing;
}

function isShowing({ name, value }: Declaration): boolean {
  if (name === "display") return /^[a-z-]+$/.test(value) && !/^(?:none|inherit|initial|unset|revert)/.test(value);
  if (name === "visibility") return value === "visible";
  if (name === "opacity") return Number.parseFloat(value) > 0.1;
  return (name === "height" || name === "max-height") && !/^(?:[01](?:px|\D|$)|var|inherit)/.test(value);
}
