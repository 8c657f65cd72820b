/** Topics that a page declares: used if weighing accepts none, unless the list looks like spam. */
import type { ListClue, TopicName } from "./topic-signs.ts";

const inHead = /^(?:meta:|news_|article:|(?:ld|itemprop):(?:keywords|about|articleSection|genre)|dc|sailthru|parsely)/;
export const isFromHead = (source: string): boolean => inHead.test(source);
/** Longer lists are checked for spam, and are never accepted from outside the head. */
const MAX_UNCHECKED = 10;

export interface Declared {
  readonly taken: ReadonlySet<string>;
  /** The reason why a source's names are rejected. */
  readonly spam: ReadonlyMap<string, string>;
}

export function declaredTopics(lists: readonly ListClue[]): Declared {
  const taken = new Set<string>();
  const spam = new Map<string, string>();
  for (const list of lists) {
    if (!isDeclared(list)) continue;
    const reason = spamReasonOf(list.names);
    if (reason !== undefined) spam.set(list.source, reason);
    else for (const { name } of list.names) taken.add(name);
  }
  return { taken, spam };
}

/**
 * Declared in the page's head, or marked beside its article. Links that look like tags mostly belong to menus and
 * teasers, so these are only weighed.
 */
function isDeclared({ source, names, signs }: ListClue): boolean {
  if (isFromHead(source)) return true;
  if (names.length > MAX_UNCHECKED || !(signs.unlinked === 1 || source === "rel=tag")) return false;
  return excludedSigns.every((sign) => !(signs[sign]! > 0));
}

const excludedSigns = ["in:nav", "in:aside", "cloud", "repeated"];

function spamReasonOf(names: readonly TopicName[]): string | undefined {
  if (names.length <= MAX_UNCHECKED) return undefined;
  const counts = new Map<string, number>();
  for (const { name } of names)
    for (const word of new Set(name.split(" "))) if (word.length > 3) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [word, count] = [...counts].reduce((top, one) => (one[1] > top[1] ? one : top), ["", 0]);
  if (count * 2 > names.length) return `spam: "${word}" in ${count} of ${names.length} names`;
  const onPage = names.filter(({ inTitle, inText }) => inTitle || inText).length;
  return onPage * 3 < names.length ? `spam: ${names.length} names, ${onPage} of them on the page` : undefined;
}
