/** Splits a title at its separators: one of the parts is often the site's name. */

/** Separators surrounded by spaces, or characters that never occur within a word. */
const separators =
  /\s+[|\-–—‒―:·•»«›‹→/~*+⋆♥]+\s+|\s*[|¦｜»›•]+\s*|(?<=\S):\s+|\s+::\s+|(?<=[\p{Lo}？！。）」』】])[_–—-]+(?=[^-–—_|]{2,12}$)/gu;
/** Every separator contains one of these characters. */
const anySeparator = /[|\-–—‒―:·•»«›‹→/~*+⋆♥¦｜_]/;
const MAX_PARTS = 8;

export interface TitlePart {
  readonly value: string;
  /** The rest of the title, as one text. */
  readonly without: string;
  readonly separator: string;
  /** Which part of the title was kept. */
  readonly kept: "first" | "last" | "middle";
}

/** `exec`, because matchAll would compile the expression again for every title, and most have no separator. */
function separatorsIn(title: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  if (!anySeparator.test(title)) return found;
  separators.lastIndex = 0;
  for (let match = separators.exec(title); match && found.length < MAX_PARTS; match = separators.exec(title)) found.push(match);
  return found;
}

/** All proper parts: from the left, from the right, and each single part in the middle. */
export function partsOfTitle(title: string): TitlePart[] {
  const at = separatorsIn(title);
  if (at.length === 0) return [];
  const parts: TitlePart[] = [];
  for (const [place, match] of at.entries()) {
    const [start, end] = [match.index, match.index + match[0].length];
    const separator = match[0].trim();
    parts.push({ value: title.slice(0, start).trim(), without: title.slice(end).trim(), separator, kept: "first" });
    parts.push({ value: title.slice(end).trim(), without: title.slice(0, start).trim(), separator, kept: "last" });
    const next = at[place + 1];
    if (next)
      parts.push({
        value: title.slice(end, next.index).trim(),
        without: `${title.slice(0, start)} ${title.slice(next.index + next[0].length)}`.trim(),
        separator,
        kept: "middle",
      });
  }
  return parts.filter(({ value }) => value !== "");
}
