import type { FieldChange, PageDiff } from "./page-diff.ts";

/** A key that is equal for pages with exactly the same change. */
export const editIn = ({ text, linksAdded, linksRemoved, fields }: PageDiff): string =>
  JSON.stringify([text.map(({ removed, added }) => [removed, added]), linksAdded, linksRemoved, fields.map(editOf)]);

/**
 * The differing words with one word of context on either side. If titles end with the site's name, its change is then the same edit on
 * all pages.
 */
function editOf({ field, before, now }: FieldChange): readonly unknown[] {
  if (before === null || now === null) return [field, before, now];
  const [old, young] = [before, now].map((value) => value.split(/\s+/)) as [string[], string[]];
  const least = Math.min(old.length, young.length);
  let start = 0;
  while (start < least && old[start] === young[start]) start += 1;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  return [field, old[start - 1], old.slice(start, old.length - end), young.slice(start, young.length - end), old[old.length - end]];
}
