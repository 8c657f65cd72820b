/** Substitutes custom properties (CSS Custom Properties §3). */

/** Longer results are invalid, so that properties that repeat each other cannot grow without end. */
const MAX_LENGTH = 4000;
/** Limit on the substitutions in one value. */
const MAX_STEPS = 2000;
const VAR = /\bvar\(/i;

/** The raw value of a custom property; undefined if it has none. */
export type Lookup = (name: string) => string | undefined;

export const hasVariable = (value: string): boolean => VAR.test(value);

/** Substitutions left for a page. */
export interface Budget {
  left: number;
}

/** Undefined if the value is invalid: an unknown property without fallback, a cycle, or an excessive length. */
export function substituted(value: string, lookup: Lookup, budget: Budget): string | undefined {
  return new Substitution(lookup, budget).of(value);
}

class Substitution {
  readonly #lookup: Lookup;
  readonly #known = new Map<string, string | undefined>();
  readonly #budget: Budget;
  #steps = 0;

  constructor(lookup: Lookup, budget: Budget) {
    this.#lookup = lookup;
    this.#budget = budget;
  }

  of(value: string): string | undefined {
    let result = "";
    let rest = value;
    for (let found = VAR.exec(rest); found; found = VAR.exec(rest)) {
      this.#steps += 1;
      this.#budget.left -= 1;
      if (this.#steps > MAX_STEPS || this.#budget.left < 0) return undefined;
      const begin = found.index + found[0].length;
      const end = endOfRound(rest, begin);
      const inner = rest.slice(begin, end);
      const comma = inner.indexOf(",");
      const name = (comma < 0 ? inner : inner.slice(0, comma)).trim();
      const given = this.#property(name) ?? (comma < 0 ? undefined : this.of(inner.slice(comma + 1)));
      if (given === undefined) return undefined;
      result += rest.slice(0, found.index) + given;
      rest = rest.slice(end + 1);
      if (result.length > MAX_LENGTH) return undefined;
    }
    return result + rest;
  }

  #property(name: string): string | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    // Until it is known, it refers to itself.
    this.#known.set(name, undefined);
    const raw = this.#lookup(name);
    const value = raw === undefined || /^\s*initial\s*$/i.test(raw) ? undefined : this.of(raw);
    this.#known.set(name, value);
    return value;
  }
}

function endOfRound(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === "(") open += 1;
    else if (letter === ")" && open-- === 0) return at;
  }
  return text.length;
}
