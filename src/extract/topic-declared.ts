/** Topics that a page declares: taken where weighing takes none, unless the list looks like spam. */
import type { ListClue, TopicName } from "./topic-signs.ts";

const inHead = /^(?:meta:|news_|article:|(?:ld|itemprop):(?:keywords|about|articleSection|genre)|dc|sailthru|parsely)/;
export const isFromHead = (source: string): boolean => inHead.test(source);
const inPage = /^(?:rel=|html:|a\[)/;
/** Lists longer than this are looked at for spam, and are none of a page's own. */
const MANY = 10;

export interface Declared {
  readonly taken: ReadonlySet<string>;
  /** Why a source's names are not taken. */
  readonly spam: ReadonlyMap<string, string>;
}

export function declaredTopics(lists: readonly ListClue[]): Declared {
  const taken = new Set<string>();
  const spam = new Map<string, string>();
  for (const list of lists) {
    if (!isDeclared(list)) continue;
    const why = whySpam(list.names);
    if (why !== undefined) spam.set(list.source, why);
    else for (const { name } of list.names) taken.add(name);
  }
  return { taken, spam };
}

/** In the page's head, or beside its article. Menus, clouds of tags and teasers of other pages have such links too. */
function isDeclared({ source, names, signs }: ListClue): boolean {
  if (isFromHead(source)) return true;
  if (!inPage.test(source) || names.length > MANY) return false;
  const isApart = ["in:nav", "in:aside", "cloud", "repeated"].some((sign) => (signs[sign] ?? 0) > 0) || (signs.elsewhere ?? 0) > 0.5;
  return !isApart && ((signs["in:article"] ?? 0) > 0 || (signs.story ?? 0) > 0);
}

function whySpam(names: readonly TopicName[]): string | undefined {
  if (names.length <= MANY) return undefined;
  const counts = new Map<string, number>();
  for (const { name } of names)
    for (const word of new Set(name.split(" "))) if (word.length > 3) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [word, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ["", 0]);
  if (count * 2 > names.length) return `spam: "${word}" in ${count} of ${names.length} names`;
  const onPage = names.filter(({ inTitle, inText }) => inTitle || inText).length;
  return onPage * 3 < names.length ? `spam: ${names.length} names, ${onPage} of them on the page` : undefined;
}
