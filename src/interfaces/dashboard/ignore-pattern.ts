/** Suggests patterns for parts to be ignored in changes. */

/** Longer patterns add nothing. */
const MAX_PATTERN_LENGTH = 900;

/** For two texts: their common start and end with a star between. For one text: each number replaced by a star. */
export function suggestPattern([one = "", other]: readonly string[]): string {
  const pattern = other === undefined || other === one ? withoutNumbers(one) : commonEnds(one.split(" "), other.split(" "));
  return pattern.slice(0, MAX_PATTERN_LENGTH);
}

export interface Rule {
  readonly kind: "text" | "pattern";
  readonly value: string;
}

/**
 * Rules that make a difference disappear: one pattern if the texts have a start or end in common, otherwise one text rule each (numbers in
 * a text rule match any number).
 */
export function rulesFor(texts: readonly string[]): readonly Rule[] {
  const pattern = texts.length > 1 ? suggestPattern(texts) : "";
  if (/[\p{L}\p{N}]/u.test(pattern)) return [{ kind: "pattern", value: pattern }];
  return texts.map((value) => ({ kind: "text", value: value.slice(0, MAX_PATTERN_LENGTH) }));
}

/**
 * The texts that a selection in a difference stands for: the selected words if the other version has them too (numbers aside); otherwise
 * the lines of both versions, because ignoring one alone would still leave a difference.
 */
export function textsToIgnore(
  text: string,
  { removed, added }: { readonly removed: readonly string[]; readonly added: readonly string[] },
): string[] {
  for (const [ownLines, other] of [[added, removed] as const, [removed, added] as const]) {
    const at = ownLines.findIndex((line) => line.replace(/\s+/g, " ").includes(text));
    const counterpart = other[at];
    if (counterpart === undefined) continue;
    const isInBoth = /\p{L}/u.test(text) && withoutNumbers(counterpart).includes(withoutNumbers(text));
    return isInBoth ? [text] : [ownLines[at]!, counterpart];
  }
  return [text];
}

const withoutNumbers = (text: string) => text.replace(/\p{N}[\p{N}.,:/-]*/gu, "*").replace(/\*(?: ?\*)+/g, "*");

function commonEnds(one: readonly string[], other: readonly string[]): string {
  const shorter = Math.min(one.length, other.length);
  let first = 0;
  while (first < shorter && one[first] === other[first]) first++;
  let last = 0;
  while (last < shorter - first && one.at(-1 - last) === other.at(-1 - last)) last++;
  return [...one.slice(0, first), "*", ...one.slice(one.length - last)].join(" ");
}
