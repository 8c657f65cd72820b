/** A pattern to begin with, for what somebody does not want to hear of. */

/** Longer ones say no more. */
const MOST = 900;

/** What two texts have in common at both ends with a star between; of one text, a star for each number. */
export function suggestPattern([one = "", other]: readonly string[]): string {
  const pattern = other === undefined || other === one ? withoutNumbers(one) : commonEnds(one.split(" "), other.split(" "));
  return pattern.slice(0, MOST);
}

export interface Rule {
  readonly kind: "text" | "pattern";
  readonly value: string;
}

/** What makes a difference vanish: the words, whatever numbers stand among them; or what two texts have in common; or, if that is nothing, both. */
export function rulesFor(texts: readonly string[]): readonly Rule[] {
  const pattern = texts.length > 1 ? suggestPattern(texts) : "";
  if (/[\p{L}\p{N}]/u.test(pattern)) return [{ kind: "pattern", value: pattern }];
  return texts.map((value) => ({ kind: "text", value: value.slice(0, MOST) }));
}

/**
 * What somebody means who selects a part of a difference: these words; or, where the other side has others instead, the text with both of them,
 * because without its own words alone it would still differ.
 */
export function textsBehind(
  text: string,
  { removed, added }: { readonly removed: readonly string[]; readonly added: readonly string[] },
): string[] {
  for (const [own, other] of [[added, removed] as const, [removed, added] as const]) {
    const at = own.findIndex((line) => line.replace(/\s+/g, " ").includes(text));
    const twin = other[at];
    if (twin === undefined) continue;
    const isInBoth = /\p{L}/u.test(text) && withoutNumbers(twin).includes(withoutNumbers(text));
    return isInBoth ? [text] : [own[at]!, twin];
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
