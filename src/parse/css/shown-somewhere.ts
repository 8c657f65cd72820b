/** Rules that show what others hide: in a state, with another class, or on another screen. */
import type { Declaration } from "./declared.ts";
import type { Rule } from "./rules.ts";

type Parse = (body: string) => readonly Declaration[];

/** By the classes and ids that their selectors end with. */
export function showingRules(rules: readonly Rule[], parse: Parse): ReadonlyMap<string, readonly Rule[]> {
  const showing = new Map<string, Rule[]>();
  for (const rule of rules) {
    if (!rule.isForSome || !/display|visib|opacity|height/i.test(rule.body) || !parse(rule.body).some(isShowing)) continue;
    const last = rule.selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1)!;
    for (const name of last.match(/[.#][\w-]+/g) ?? []) {
      const known = showing.get(name);
      if (known) known.push(rule);
      else showing.set(name, [rule]);
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
