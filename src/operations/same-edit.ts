import type { FieldChange, PageDiff } from "./page-diff.ts";

/** The same for pages on which the same has changed, and nothing else. */
export const editIn = ({ text, linksAdded, linksRemoved, fields }: PageDiff): string =>
  JSON.stringify([text.map(({ removed, added }) => [removed, added]), linksAdded, linksRemoved, fields.map(editOf)]);

/** The words that differ, with one on either side: where titles end with the name of a site, that name changes in all of them at once. */
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
