import type { FieldChange, PageDiff } from "./page-diff.ts";

/** A key that is equal for pages with exactly the same change. */
export const editKey = ({ text, linksAdded, linksRemoved, fields }: PageDiff): string =>
  JSON.stringify([text.map(({ removed, added }) => [removed, added]), linksAdded, linksRemoved, fields.map(editOf)]);

/**
 * The differing words with one word of context on either side. If titles end with the site's name, its change is then the same edit on
 * all pages.
 */
function editOf({ field, before, now }: FieldChange): readonly unknown[] {
  if (before === null || now === null) return [field, before, now];
  const [oldWords, newWords] = [before, now].map((value) => value.split(/\s+/)) as [string[], string[]];
  const minLength = Math.min(oldWords.length, newWords.length);
  let start = 0;
  while (start < minLength && oldWords[start] === newWords[start]) start += 1;
  let end = 0;
  while (end < minLength - start && oldWords.at(-1 - end) === newWords.at(-1 - end)) end += 1;
  return [
    field,
    oldWords[start - 1],
    oldWords.slice(start, oldWords.length - end),
    newWords.slice(start, newWords.length - end),
    oldWords[oldWords.length - end],
  ];
}
